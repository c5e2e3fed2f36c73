"""`toolferry deny`: end a call that waits for a person, without running it."""

from __future__ import annotations

from typing import Annotated

import typer

from toolferry_console.deciding import decide
from toolferry_console.options import Json, WaitingCall


def deny(
    call: WaitingCall,
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="Why, one sentence that the model reads.")
    ] = "",
    json: Json = False,
) -> int:
    """End a call without running it."""
    return decide(call, None, lambda desk, who: desk.deny(call, who, reason), json=json)
