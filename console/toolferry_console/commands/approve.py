"""`toolferry approve`: let a call go on that waits for a person."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from toolferry_console.deciding import decide
from toolferry_console.options import Json, ToolsIfAny, WaitingCall
from toolferry_ledger import read_json


def approve(
    call: WaitingCall,
    arguments: Annotated[
        str | None,
        typer.Option(
            metavar="JSON",
            help="What it shall run with instead, one JSON object; it is judged anew.",
        ),
    ] = None,
    note: Annotated[
        str, typer.Option(metavar="TEXT", help="One sentence about it, which is kept.")
    ] = "",
    tools: ToolsIfAny = None,
    json: Json = False,
) -> int:
    """Let a call go on."""
    edited = None if arguments is None else read_arguments(arguments)
    return decide(call, tools, lambda desk, who: desk.approve(call, who, edited, note), json=json)


def read_arguments(text: str) -> dict[str, Any]:
    """Read one JSON object.

    Raises:
        typer.BadParameter: It is none.
    """
    try:
        data: object = read_json(text.encode(errors="replace"))
    except ValueError as error:
        raise typer.BadParameter(f"--arguments is no JSON: {error}") from error
    if not isinstance(data, dict):
        raise typer.BadParameter('--arguments must be one JSON object such as {"path": "a.txt"}')
    return data
