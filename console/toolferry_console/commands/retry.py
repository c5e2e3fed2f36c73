"""`toolferry retry`: a call that has ended, once more, as a call of its own."""

from __future__ import annotations

from typing import Annotated

import typer

from toolferry_console.letters import Twice, open_desk, report_replays
from toolferry_console.options import Json


def retry(
    calls: Annotated[list[str], typer.Argument(metavar="CALL...", help="Their keys.")],
    twice: Twice = False,
    json: Json = False,
) -> int:
    """Repeat calls that have ended, however they did; the answers that the model was given stay."""
    with open_desk() as desk:
        replays = desk.letters.retry(calls, confirmed=frozenset(calls if twice else ()))
    return report_replays(replays, json=json)
