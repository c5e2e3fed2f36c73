"""`toolferry approvals`: calls that wait for a person, and what that person decides."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, Final

import typer
from rich.table import Table
from rich.text import Text
from typer.exceptions import TyperException

from toolferry import SCHEMA_VERSION, Tool, load_tools
from toolferry.legible import one_line, value_line
from toolferry.masking import hide_arguments, mask_arguments
from toolferry_console.durations import duration_text
from toolferry_console.exit_codes import ExitCode
from toolferry_console.options import Json, ToolsIfAny
from toolferry_console.printing import err, out, print_json
from toolferry_ledger import (
    Approvals,
    Bell,
    CallUnknown,
    Catalog,
    Decision,
    DecisionRefused,
    Ledger,
    PendingApproval,
    Signer,
    load_settings,
)

approvals = typer.Typer(help="See and decide calls that wait for a person.")

#: Columns that a table may have, and characters of a cell.
_TABLE_WIDTH: Final = 400
_MAX_CELL: Final = 200

Call = Annotated[str, typer.Argument(metavar="CALL", help="Its key, as `approvals list` shows it.")]
By = Annotated[
    str | None,
    typer.Option(
        "--by", metavar="NAME", help="Who decides. Default: the user of this machine; unverified."
    ),
]


@dataclass(frozen=True, slots=True)
class _Desk:
    """What these commands work with."""

    approvals: Approvals
    ledger: Ledger
    catalog: Catalog


@approvals.command("list")
def list_pending(tools: ToolsIfAny = None, json: Json = False) -> int:
    """List the calls that wait for a person, the oldest first."""
    with _open() as desk:
        pending, now = desk.approvals.pending(), desk.ledger.now()
        known = _tools(desk, tools) if pending else {}
    shown = [_shown(one, known.get(one.spec.name)) for one in pending]
    if json:
        rows = [one.to_json(arguments) for one, arguments in zip(pending, shown, strict=True)]
        print_json({"schema_version": SCHEMA_VERSION, "approvals": rows})
    else:
        _print(pending, shown, now)
    return ExitCode.OK


@approvals.command("approve")
def approve(call: Call, by: By = None, json: Json = False) -> int:
    """Let a call go on."""
    who = _who(by)
    return _decide(call, lambda desk: desk.approve(call, who), json=json)


@approvals.command("deny")
def deny(
    call: Call,
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="Why, one sentence that the model reads.")
    ] = "",
    by: By = None,
    json: Json = False,
) -> int:
    """End a call without running it."""
    who = _who(by)
    return _decide(call, lambda desk: desk.deny(call, who, reason), json=json)


@contextmanager
def _open() -> Iterator[_Desk]:
    """Open the approvals of the system that the environment names."""
    settings = load_settings()
    signer = Signer(settings.secret)
    with closing(Ledger(settings)) as ledger, closing(Bell(settings)) as bell:
        ledger.check()
        yield _Desk(Approvals(ledger, bell, signer), ledger, Catalog(ledger, signer))


def _tools(desk: _Desk, modules: str | None) -> Mapping[str, Tool]:
    """Find the tools: in the modules that are named, or else as live workers offer them."""
    if modules is None:
        return desk.catalog.read().tools()
    registry = load_tools(modules)
    return {name: tool for name in registry.names() if (tool := registry.get(name))}


def _shown(one: PendingApproval, tool: Tool | None) -> dict[str, Any]:
    """Give the arguments as people may see them: without secrets, or hidden if nobody knows."""
    if tool is None:
        return hide_arguments(one.spec.arguments)
    return mask_arguments(tool.parameters, one.spec.arguments)


def _decide(call: str, decide: Callable[[Approvals], Decision], *, json: bool) -> ExitCode:
    decision, refusal = None, ""
    try:
        with _open() as desk:
            decision = decide(desk.approvals)
    except (DecisionRefused, CallUnknown) as error:
        refusal = error.reason
    if json:
        told = decision.to_json() if decision else None
        found = {"call": call, "decision": told, "refusal": refusal or None}
        print_json({"schema_version": SCHEMA_VERSION, **found})
    elif decision is None:
        line = f"toolferry: call {one_line(call, _MAX_CELL)}: refused: {refusal}"
        err().print(Text(line), soft_wrap=True)
    else:
        out().print(Text(f"{one_line(call, _MAX_CELL)} is {decision}"), soft_wrap=True)
    return ExitCode.OK if decision else ExitCode.NOT_ALL_SUCCEEDED


def _who(by: str | None) -> str:
    """Name who decides.

    Raises:
        TyperException: Nobody is named, and the machine does not know its user.
    """
    if by is not None:
        return by
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError) as error:
        raise TyperException("This machine does not know who you are: add --by NAME") from error


def _print(
    pending: Sequence[PendingApproval], shown: Sequence[Mapping[str, Any]], now: float
) -> None:
    screen = out()
    if not pending:
        screen.print("nothing waits for a person")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("call", "tool", "arguments", "principal", "tenant", "waits", "ends in"):
        table.add_column(heading, overflow="fold")
    for one, arguments in zip(pending, shown, strict=True):
        context = one.spec.context
        cells = [one.call_key, one.spec.name, value_line(dict(arguments), _MAX_CELL)]
        cells += [context.principal, context.tenant]
        cells += [duration_text(max(0.0, end)) for end in (now - one.since, one.deadline_at - now)]
        table.add_row(*(Text(one_line(cell, _MAX_CELL)) for cell in cells))
    # A line is a call, also where it is longer than the screen: keys are copied from here.
    screen.width = _TABLE_WIDTH
    screen.print(table, soft_wrap=True)
