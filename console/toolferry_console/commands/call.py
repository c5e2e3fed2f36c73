"""`toolferry call`: one call through the whole path, as a model would make it."""

from __future__ import annotations

from contextlib import closing, suppress
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from toolferry import LedgerUnavailable, Priority, Registry, ToolCall, call_key, load_tools
from toolferry.legible import legible
from toolferry.phrases import Phrases, phrases_in
from toolferry_console.call_view import CallView, content_text, under_way
from toolferry_console.commands.run import report_of
from toolferry_console.displays import displays_of
from toolferry_console.errors import NoSuchTool
from toolferry_console.following import Follower
from toolferry_console.options import ARGUMENTS_FORMS, Json, Tools
from toolferry_console.printing import err, print_content, print_json
from toolferry_console.reading import read_arguments, read_context
from toolferry_console.report import Report
from toolferry_console.staffing import staffed
from toolferry_console.tables import call_line
from toolferry_console.views import LineView, View
from toolferry_dispatcher import Dispatcher, TurnHandle
from toolferry_ledger import Ledger, Progress, load_settings, read_progress
from toolferry_policies import Policy
from toolferry_policies.checks.known import closest
from toolferry_worker.built_in import with_built_in_tools

#: The id of the only call of its turn.
_CALL_ID = "call_1"


def call(
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="Its name.")],
    tools: Tools,
    arguments: Annotated[
        str, typer.Option(metavar=ARGUMENTS_FORMS, help="One JSON object.")
    ] = "{}",
    context: Annotated[
        str | None, typer.Option(metavar="FILE", help="The trusted identity, as JSON.")
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(metavar="S", min=0, help="Seconds to wait at the most.")
    ] = None,
    json: Json = False,
) -> int:
    """Call one tool on the running workers, or on workers of its own, and print its result."""
    registry = with_built_in_tools(load_tools(tools))
    one = ToolCall(_CALL_ID, _known(tool, registry, tools), read_arguments(arguments))
    identity = read_context(context)
    phrases = phrases_in(identity.locale)
    settings = load_settings()
    with Dispatcher(registry, settings) as dispatcher, closing(Ledger(settings)) as ledger:
        # A person waits for it.
        handle = dispatcher.dispatch(one, context=identity, priority=Priority.INTERACTIVE)
        displays = displays_of(handle, one, registry, identity.locale)
        follower = Follower(handle, ledger, registry.names(), displays)
        with staffed(handle, ledger, tools) as check:
            with _view(handle, ledger, phrases) as view:
                follower.follow(view, timeout, check)
            # Told before workers are stopped: nobody has to wait for that.
            report = report_of(handle, follower.rows(), identity.locale)
            if json:
                print_json(report.to_json() | _judged_by(dispatcher.policy))
            else:
                _print(report, follower, phrases)
                _print_policy(dispatcher.policy)
    return report.exit_code


def _known(name: str, registry: Registry, tools: str) -> str:
    if name not in registry:
        raise NoSuchTool(name, tools, closest(name, registry.names()))
    return name


def _view(handle: TurnHandle, ledger: Ledger, phrases: Phrases) -> View:
    screen = err()
    if screen.is_terminal:
        return CallView(screen, lambda: _progress(handle, ledger), phrases)
    return LineView(Console(quiet=True), screen, phrases)


def _progress(handle: TurnHandle, ledger: Ledger) -> Progress | None:
    # A server that is away for a moment is told as a warning; the call goes on when it is back.
    with suppress(LedgerUnavailable):
        return read_progress(ledger, call_key(handle.turn_id, 0))
    return None


def _print(report: Report, follower: Follower, phrases: Phrases) -> None:
    """Print what the tool returned to stdout; how it went, and why it failed, to stderr."""
    [row] = follower.rows()
    said = err()
    for result in report.results:
        if result.error is None:
            print_content(content_text(result))
        else:
            said.print(Text(legible(result.error.message)), soft_wrap=True)
            said.print(Text(legible(result.error.suggestion)), soft_wrap=True)
        if result.truncated:
            said.print(Text(_cut_words(result.next_cursor)), soft_wrap=True)
    line = call_line(row, phrases) if row.ended else under_way(row, phrases=phrases)
    said.print(Text(line), soft_wrap=True)


def _cut_words(next_cursor: str | None) -> str:
    goes_on = f"; it goes on at {legible(next_cursor)}" if next_cursor else ""
    return f"the content was cut to the tool's size limit{goes_on}"


def _judged_by(policy: Policy) -> dict[str, str]:
    return {"policy": policy.hash} if policy.hash else {}


def _print_policy(policy: Policy) -> None:
    if policy.hash:
        err().print(Text(f"judged by {policy.source} ({policy.hash})"), soft_wrap=True)
