"""`toolferry approvals`: calls that wait for people, and what those decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import typer
from rich.table import Table
from rich.text import Text

from toolferry import SCHEMA_VERSION
from toolferry.legible import one_line, value_line
from toolferry_console.commands.approve import approve
from toolferry_console.commands.deny import deny
from toolferry_console.commands.standing import standing
from toolferry_console.deciding import open_desk
from toolferry_console.durations import duration_text
from toolferry_console.exit_codes import ExitCode
from toolferry_console.options import Json, ToolsIfAny
from toolferry_console.printing import out, print_json
from toolferry_ledger import PendingApproval

approvals = typer.Typer(help="See and decide calls that wait for a person.")
approvals.command("approve")(approve)
approvals.command("deny")(deny)
approvals.add_typer(standing, name="standing")

#: Columns that a table may have, and characters of a cell.
_TABLE_WIDTH: Final = 400
_MAX_CELL: Final = 200
_HEADINGS: Final = [
    "call",
    "tool",
    "asks",
    "arguments",
    "principal",
    "tenant",
    "yes",
    "waits",
    "ends in",
]


@approvals.command("list")
def list_pending(tools: ToolsIfAny = None, json: Json = False) -> int:
    """List the calls that wait for a person, the oldest first."""
    with open_desk(tools) as desk:
        pending, now = desk.approvals.pending(), desk.ledger.now()
    if json:
        rows = [one.to_json() for one in pending]
        print_json({"schema_version": SCHEMA_VERSION, "approvals": rows})
    else:
        _print(pending, now)
    return ExitCode.OK


def _print(pending: Sequence[PendingApproval], now: float) -> None:
    screen = out()
    if not pending:
        screen.print("nothing waits for a person")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in _HEADINGS:
        table.add_column(heading, overflow="fold")
    for one in pending:
        table.add_row(*(Text(one_line(cell, _MAX_CELL)) for cell in _cells(one, now)))
    # A line is a call, also where it is longer than the screen: keys are copied from here.
    screen.width = _TABLE_WIDTH
    screen.print(table, soft_wrap=True)


def _cells(one: PendingApproval, now: float) -> list[str]:
    context, times = one.spec.context, (now - one.since, one.until - now)
    return [
        one.call_key,
        one.spec.name,
        one.preview,
        value_line(dict(one.arguments), _MAX_CELL),
        context.principal,
        context.tenant,
        f"{len(one.approved_by)} of {one.spec.terms.needed}",
        *(duration_text(max(0.0, seconds)) for seconds in times),
    ]
