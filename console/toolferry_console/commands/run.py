"""`toolferry run`: the calls of one response, from dispatch to messages."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from toolferry import CallState, load_tools
from toolferry_console.following import Follower
from toolferry_console.local import local_workers
from toolferry_console.options import Json, Tools
from toolferry_console.printing import err, out, print_json
from toolferry_console.reading import STDIN, read_context, read_json
from toolferry_console.report import Report
from toolferry_console.signals import terminate_as_interrupt
from toolferry_console.tables import CallRow, calls_table, tally
from toolferry_console.views import LineView, LiveView, View
from toolferry_dispatcher import Dispatcher, TurnHandle
from toolferry_ledger import Ledger, Settings, load_settings


def run(
    tools: Tools,
    file: Annotated[str, typer.Argument(metavar="[FILE|-]", help="The response.")] = STDIN,
    provider: Annotated[str, typer.Option(help="Whose format it is in.")] = "openai-chat",
    context: Annotated[
        str | None, typer.Option(metavar="FILE", help="The trusted identity, as JSON.")
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(metavar="S", min=0, help="Seconds to wait at the most.")
    ] = None,
    json: Json = False,
) -> int:
    """Run the tool calls of a model's response and gather the results."""
    registry = load_tools(tools)
    response = read_json(file)
    identity = read_context(context)
    settings = load_settings()
    with Dispatcher(registry, settings) as dispatcher, closing(Ledger(settings)) as ledger:
        handle = dispatcher.dispatch(response, context=identity, provider=provider)
        follower = Follower(handle, ledger, registry.names())
        with _workers_for(handle, settings, tools) as check:
            with _view(json) as view:
                follower.follow(view, timeout, check)
            # Told before the workers are stopped: nobody has to wait for that.
            report = report_of(handle, follower.rows())
            if json:
                print_json(report.to_json())
            else:
                _print(report, handle, follower)
    return report.exit_code


def report_of(handle: TurnHandle, rows: Sequence[CallRow]) -> Report:
    """Say what has become of a turn so far.

    Args:
        handle: The turn.
        rows: Its calls as they stand.
    """
    known = handle.read_ended()
    done = len(known) == len(handle.meta.calls)
    return Report(
        turn_id=handle.turn_id,
        state=handle.state,
        results=[known[at] for at in sorted(known)],
        messages=handle.write_messages() if done else [],
        approvals_pending=any(row.state == CallState.AWAITING_APPROVAL for row in rows),
    )


@contextmanager
def _workers_for(
    handle: TurnHandle, settings: Settings, tools: str
) -> Iterator[Callable[[], None]]:
    """Bring workers when there is no server that others could serve; give their check."""
    if handle.watch.done or os.environ.get("TOOLFERRY_URL"):
        yield lambda: None
        return
    with terminate_as_interrupt(), local_workers(settings, tools) as workers:
        yield workers.check


def _view(json: bool) -> View:  # noqa: FBT001 -- the flag as it was typed
    screen = err() if json else out()
    if screen.is_terminal:
        return LiveView(screen)
    return LineView(Console(quiet=True) if json else screen, err())


def _print(report: Report, handle: TurnHandle, follower: Follower) -> None:
    screen = out()
    if handle.text:
        screen.print(Text(handle.text))
    if screen.is_terminal and report.results:
        screen.print(calls_table(follower.rows()))
    for result in report.results:
        if result.error is not None:
            sentence = f"{result.name} ({result.call_id}): {result.error.message}"
            screen.print(Text(sentence), soft_wrap=True)
    summary = f"turn {report.turn_id}: {report.state.value}, {tally(report.results)}"
    screen.print(Text(summary), soft_wrap=True)
