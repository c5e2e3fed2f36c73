"""`toolferry cancel`: end calls that nobody needs any more; also when every worker is dead."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from toolferry import SCHEMA_VERSION, Registry, TurnUnknown
from toolferry.legible import legible
from toolferry_console.exit_codes import ExitCode
from toolferry_console.options import Json
from toolferry_console.printing import err, out, print_json
from toolferry_dispatcher import Dispatcher, Withdrawal
from toolferry_ledger import load_settings

#: What people are told of a call.
_WORDS: Final = {
    Withdrawal.CANCELLED: "cancelled; it was not running",
    Withdrawal.STOPPING: "runs; its worker is told to stop it",
    Withdrawal.ENDED: "had ended before",
    Withdrawal.UNKNOWN: "unknown; its record has expired",
}


@dataclass(frozen=True, slots=True)
class _Row:
    """What became of one call."""

    #: The turn or the call, as the person named it.
    name: str
    call_id: str
    became: Withdrawal

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "call_id": self.call_id, "became": self.became.value}


def cancel(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="CALL|TURN…", help="The id of a turn, or of one call of it: TURN:POSITION."
        ),
    ],
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="Why, one sentence that the model reads.")
    ] = "",
    json: Json = False,
) -> int:
    """Cancel calls: what has not started never will, what runs is stopped."""
    rows, unknown = _cancel(dict.fromkeys(names), reason)
    if json:
        print_json(_to_json(rows, unknown))
    else:
        _print(rows, unknown)
    is_gone = unknown or any(row.became is Withdrawal.UNKNOWN for row in rows)
    return ExitCode.NOT_ALL_SUCCEEDED if is_gone else ExitCode.OK


def _cancel(names: dict[str, None], reason: str) -> tuple[list[_Row], list[str]]:
    """Cancel each; give what became of the calls, and the names that the ledger does not have."""
    known: dict[str, dict[str, Withdrawal]] = {}
    with Dispatcher(Registry(), load_settings()) as dispatcher:
        for name in names:
            with suppress(TurnUnknown):
                known[name] = dispatcher.cancel(name, reason)
    rows = [_Row(name, *call) for name, calls in known.items() for call in calls.items()]
    return rows, [name for name in names if name not in known]


def _to_json(rows: Sequence[_Row], unknown: Sequence[str]) -> dict[str, Any]:
    return {
        "schema_version": SCHEMA_VERSION,
        "calls": [row.to_json() for row in rows],
        "unknown": list(unknown),
    }


def _print(rows: Sequence[_Row], unknown: Sequence[str]) -> None:
    screen, said = out(), err()
    for row in rows:
        line = f"{row.name} ({row.call_id}): {_WORDS[row.became]}"
        screen.print(Text(legible(line)), soft_wrap=True)
    for name in unknown:
        line = f"{name}: the server has no such turn or call; it may have expired"
        said.print(Text(legible(line)), soft_wrap=True)
