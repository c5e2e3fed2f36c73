"""`toolferry approve`: let a call go on that waits for a person."""

from __future__ import annotations

from typing import Annotated

import typer

from toolferry_console.deciding import decide
from toolferry_console.options import ARGUMENTS_FORMS, Json, ToolsIfAny, WaitingCall
from toolferry_console.reading import read_arguments


def approve(
    call: WaitingCall,
    arguments: Annotated[
        str | None,
        typer.Option(
            metavar=ARGUMENTS_FORMS,
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
