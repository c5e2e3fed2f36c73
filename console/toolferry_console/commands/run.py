"""`toolferry run`: the calls of one response, from dispatch to messages."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from toolferry import CallState, load_tools
from toolferry.legible import legible
from toolferry.phrases import Phrases, phrases_in
from toolferry_console.displays import displays_of
from toolferry_console.following import Follower
from toolferry_console.options import Json, Tools
from toolferry_console.printing import err, out, print_json
from toolferry_console.readable import result_lines, summary_line
from toolferry_console.reading import STDIN, read_context, read_json
from toolferry_console.report import Report
from toolferry_console.staffing import staffed
from toolferry_console.tables import CallRow, calls_table
from toolferry_console.views import LineView, LiveView, View
from toolferry_dispatcher import Dispatcher, TurnHandle
from toolferry_ledger import Ledger, load_settings


def run(  # noqa: PLR0913, PLR0917 -- each is a word of the command line
    tools: Tools,
    file: Annotated[str, typer.Argument(metavar="[FILE|-]", help="The response.")] = STDIN,
    provider: Annotated[str, typer.Option(help="Whose format it is in, or auto.")] = "openai-chat",
    context: Annotated[
        str | None, typer.Option(metavar="FILE", help="The trusted identity, as JSON.")
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(metavar="S", min=0, help="Seconds to wait at the most.")
    ] = None,
    turn_id: Annotated[
        str | None,
        typer.Option(metavar="ID", help="The turn's name; run again, it goes on with that turn."),
    ] = None,
    json: Json = False,
) -> int:
    """Run the tool calls of a model's response and gather the results."""
    registry = load_tools(tools)
    response = read_json(file)
    identity = read_context(context)
    phrases = phrases_in(identity.locale)
    settings = load_settings()
    with Dispatcher(registry, settings) as dispatcher, closing(Ledger(settings)) as ledger:
        handle = dispatcher.dispatch(response, context=identity, provider=provider, turn_id=turn_id)
        displays = displays_of(handle, response, registry, identity.locale)
        follower = Follower(handle, ledger, registry.names(), displays)
        with staffed(handle, ledger, tools) as check:
            with _view(json, phrases) as view:
                follower.follow(view, timeout, check)
            # Told before the workers are stopped: nobody has to wait for that.
            report = report_of(handle, follower.rows(), identity.locale)
            if json:
                print_json(report.to_json())
            else:
                _print(report, handle, follower.rows(), phrases)
    return report.exit_code


def report_of(handle: TurnHandle, rows: Sequence[CallRow], locale: str = "en") -> Report:
    """Say what has become of a turn so far.

    Args:
        handle: The turn.
        rows: Its calls as they stand.
        locale: The language of who reads it, as BCP 47.
    """
    known = handle.read_ended()
    done = len(known) == len(handle.meta.calls)
    return Report(
        turn_id=handle.turn_id,
        state=handle.state,
        results=[known[at] for at in sorted(known)],
        messages=handle.write_messages() if done else [],
        approvals_pending=any(row.state == CallState.AWAITING_APPROVAL for row in rows),
        locale=locale,
    )


def _view(json: bool, phrases: Phrases) -> View:  # noqa: FBT001 -- the flag as it was typed
    screen = err() if json else out()
    if screen.is_terminal:
        return LiveView(screen, phrases)
    return LineView(Console(quiet=True) if json else screen, err(), phrases)


def _print(report: Report, handle: TurnHandle, rows: Sequence[CallRow], phrases: Phrases) -> None:
    screen = out()
    if handle.text:
        screen.print(Text(legible(handle.text)))
    if screen.is_terminal and report.results:
        screen.print(calls_table(rows, phrases=phrases))
    displays = {row.call_id: row.display for row in rows}
    for line in result_lines(report.results, displays, phrases):
        screen.print(Text(line), soft_wrap=True)
    screen.print(Text(summary_line(report, phrases)), soft_wrap=True)
