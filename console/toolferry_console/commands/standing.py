"""`toolferry approvals standing`: calls that a person approves before anybody asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

import typer
from rich.table import Table
from rich.text import Text

from toolferry import SCHEMA_VERSION, Context
from toolferry.legible import one_line, value_line
from toolferry_console.deciding import open_desk
from toolferry_console.durations import duration_text, read_duration
from toolferry_console.exit_codes import ExitCode
from toolferry_console.options import ARGUMENTS_FORMS, Json, ToolsIfAny
from toolferry_console.printing import err, out, print_json
from toolferry_console.reading import read_arguments
from toolferry_ledger import AllowanceRefused, StandingApproval

standing = typer.Typer(help="Approve calls that are still to come, and take that back.")

_WORKING_DAY: Final = "8h"
#: Columns that a table may have, and characters of a cell.
_TABLE_WIDTH: Final = 400
_MAX_CELL: Final = 200
_HEADINGS: Final = (
    *("standing", "tool", "pinned", "free", "principal", "tenant", "allowed by"),
    *("uses left", "ends in"),
)


@standing.command("list")
def list_standing(json: Json = False) -> int:
    """List the standing approvals that count, those that end first before the others."""
    with open_desk(None) as desk:
        found, now = desk.approvals.standing.current(), desk.ledger.now()
    if json:
        rows = [one.to_json() for one in found]
        print_json({"schema_version": SCHEMA_VERSION, "standing": rows})
    elif not found:
        out().print("nothing is approved in advance")
    else:
        _print(found, now)
    return ExitCode.OK


@standing.command("allow")
def allow(  # noqa: PLR0913 -- each says another thing about which calls are meant
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="The tool of the calls.")],
    *,
    principal: Annotated[str, typer.Option(metavar="NAME", help="On whose behalf they are made.")],
    uses: Annotated[int, typer.Option(metavar="NUMBER", help="How many calls, 1 to 10,000.")],
    arguments: Annotated[
        str, typer.Option(metavar=ARGUMENTS_FORMS, help="What they have to be, one JSON object.")
    ] = "{}",
    free: Annotated[
        list[str] | None,
        typer.Option(metavar="ARGUMENT", help="One that may be anything; may be repeated."),
    ] = None,
    expires: Annotated[
        str, typer.Option(metavar="TIME", help="For how long it counts, up to 30d.")
    ] = _WORKING_DAY,
    tenant: Annotated[
        str, typer.Option(metavar="NAME", help="Whose data they touch.")
    ] = Context().tenant,
    note: Annotated[
        str, typer.Option(metavar="TEXT", help="One sentence about it, which is kept.")
    ] = "",
    tools: ToolsIfAny = None,
    json: Json = False,
) -> int:
    """Approve calls in advance: so many, for so long, with these arguments."""
    pinned, lasts = read_arguments(arguments), read_duration(expires)
    allowed, refusal = None, ""
    with open_desk(tools) as desk:
        person = desk.person()
        try:
            allowed = desk.approvals.standing.allow(
                tool,
                person,
                principal=principal,
                tenant=tenant,
                pinned=pinned,
                free=free or (),
                uses=uses,
                lasts=lasts,
                note=note,
            )
        except AllowanceRefused as error:
            refusal = error.reason
    return _told(tool, allowed, refusal, json=json)


@standing.command("revoke")
def revoke(
    name: Annotated[str, typer.Argument(metavar="STANDING", help="Its id, as `list` shows it.")],
    tools: ToolsIfAny = None,
    json: Json = False,
) -> int:
    """Take a standing approval back: it answers no call from now on."""
    refusal = ""
    with open_desk(tools) as desk:
        person = desk.person()
        try:
            desk.approvals.standing.revoke(name, person)
        except AllowanceRefused as error:
            refusal = error.reason
    if json:
        told = {"standing": name, "revoked": not refusal, "refusal": refusal or None}
        print_json({"schema_version": SCHEMA_VERSION, **told})
    elif refusal:
        _refused(name, refusal)
    else:
        out().print(Text(f"{one_line(name, _MAX_CELL)} is revoked"), soft_wrap=True)
    return ExitCode.NOT_ALL_SUCCEEDED if refusal else ExitCode.OK


def _told(tool: str, allowed: StandingApproval | None, refusal: str, *, json: bool) -> ExitCode:
    if json:
        told = {"standing": allowed.to_json() if allowed else None, "refusal": refusal or None}
        print_json({"schema_version": SCHEMA_VERSION, **told})
    elif allowed is None:
        _refused(tool, refusal)
    else:
        one = allowed.allowance
        line = f"{one.id} allows {one.uses} calls of {one.tool} for {one.principal}"
        out().print(Text(one_line(line, _TABLE_WIDTH)), soft_wrap=True)
    return ExitCode.OK if allowed else ExitCode.NOT_ALL_SUCCEEDED


def _refused(name: str, refusal: str) -> None:
    line = f"toolferry: standing approval {one_line(name, _MAX_CELL)}: refused: {refusal}"
    err().print(Text(line), soft_wrap=True)


def _print(found: Sequence[StandingApproval], now: float) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in _HEADINGS:
        table.add_column(heading, overflow="fold")
    for one in found:
        table.add_row(*(Text(one_line(cell, _MAX_CELL)) for cell in _cells(one, now)))
    # A line is one of them, also where it is longer than the screen: ids are copied from here.
    screen = out()
    screen.width = _TABLE_WIDTH
    screen.print(table, soft_wrap=True)


def _cells(found: StandingApproval, now: float) -> list[str]:
    one = found.allowance
    return [
        one.id,
        one.tool,
        value_line(dict(one.pinned), _MAX_CELL),
        ", ".join(sorted(one.free)),
        one.principal,
        one.tenant,
        one.who.name,
        f"{found.left} of {one.uses}",
        duration_text(max(0.0, one.until - now)),
    ]
