"""`toolferry undo`: take back what a call did, by the tool that its tool names."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from toolferry import SCHEMA_VERSION, Outcome, ToolResult, load_tools
from toolferry.legible import legible
from toolferry.view import view_of
from toolferry_console.exit_codes import ExitCode
from toolferry_console.options import Json, ToolsIfAny
from toolferry_console.printing import err, out, print_json
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import PendingApproval, load_settings


def undo(
    call: Annotated[str, typer.Argument(metavar="CALL", help="Its key: TURN:POSITION.")],
    tools: ToolsIfAny = None,
    timeout: Annotated[
        float, typer.Option(metavar="S", min=0, help="Seconds to wait at the most.")
    ] = 60.0,
    json: Json = False,
) -> int:
    """Take back what a call did; the answer that the model was given stays."""
    with _dispatcher(tools) as dispatcher:
        handle = dispatcher.undo(call)
        asked = handle.wait_approvals(timeout)
        if asked:
            return _tell_asked(call, handle.turn_id, asked[0], json=json)
        [result] = handle.gather(timeout=0)
    if json:
        told = {"call": call, "turn_id": handle.turn_id, "result": result.to_json()}
        print_json({"schema_version": SCHEMA_VERSION, **told})
    else:
        _print(call, result)
    return ExitCode.NOT_ALL_SUCCEEDED if result.is_error else ExitCode.OK


def _dispatcher(tools: str | None) -> Dispatcher:
    """Give a dispatcher with the tools that are named, or else with those of the live workers."""
    settings = load_settings()
    if tools is None:
        return Dispatcher.from_ledger(settings)
    return Dispatcher(load_tools(tools), settings)


def _tell_asked(call: str, turn_id: str, asked: PendingApproval, *, json: bool) -> int:
    """Say that a person has to decide first; the same command then goes on with the same undo."""
    if json:
        told = {"call": call, "turn_id": turn_id, "result": None, "approval": asked.to_json()}
        print_json({"schema_version": SCHEMA_VERSION, **told})
    else:
        line = f"{call} is not taken back yet: {asked.call_key} waits for a person: {asked.why}"
        err().print(Text(legible(line)), soft_wrap=True)
    return ExitCode.APPROVALS_PENDING


def _print(call: str, result: ToolResult) -> None:
    if result.outcome is Outcome.SUCCEEDED:
        out().print(Text(legible(f"{call} is taken back by {result.name}")), soft_wrap=True)
    else:
        line = f"{call} is not taken back: {result.name} {result.outcome.value}: {view_of(result)}"
        err().print(Text(legible(line)), soft_wrap=True)
