"""The charges of a turn: what `submit` counts its calls against, in the step that writes the turn.

So of any number of processes that dispatch at the same time no more get through than a limit
allows, and a turn that is dispatched again is counted once. What is refused is written as any
refused call; the texts for that are made here, since a script knows no sentences.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolferry import ToolResult
from toolferry.record import record
from toolferry_ledger.json_text import write_json


@record(frozen=True, slots=True, kw_only=True)
class Account:
    """A budget as it is counted: of one turn, conversation or principal."""

    #: What its key ends with; empty when it ends with the turn.
    name: str
    #: Seconds that it is kept: after its first charge, or after its last one when `lasting`.
    kept: float
    lasting: bool
    #: What it allows, by unit: calls, cost, seconds.
    limits: Mapping[str, float]
    #: For each unit the result of a call that does not fit in, without call id and name.
    refusals: Mapping[str, ToolResult]


@record(frozen=True, slots=True, kw_only=True)
class Repeats:
    """How often the same call was made, as it is counted: in a conversation, or in a turn."""

    #: What its key ends with; empty when it ends with the turn.
    name: str
    #: Seconds that it is kept after its last call.
    kept: float
    #: From which time on a call is told of, and refused; None: never.
    tell_at: int | None
    deny_at: int | None
    #: What is told, around the number.
    told: tuple[str, str]
    #: The result of a call that is refused, without call id and name.
    refusal: ToolResult


@record(frozen=True, slots=True, kw_only=True)
class Charge:
    """What one call is counted with."""

    call_id: str
    name: str
    cost: float
    seconds: float
    #: Equal for the same calls; empty when its repeats are not counted.
    fingerprint: str = ""


@record(frozen=True, slots=True, kw_only=True)
class Charges:
    """All that a turn's calls are counted against."""

    accounts: tuple[Account, ...]
    repeats: Repeats | None
    #: By position; calls that are refused already have none.
    calls: Mapping[int, Charge]

    def to_bytes(self) -> bytes:
        """Give the JSON text that the script reads."""
        data: dict[str, Any] = {
            "accounts": [_account(one) for one in self.accounts],
            "calls": {str(at): _charge(one) for at, one in self.calls.items()},
        }
        if self.repeats is not None:
            data["repeats"] = _repeats(self.repeats)
        return write_json(data)


def _account(one: Account) -> dict[str, Any]:
    return {
        "name": one.name,
        "kept": round(one.kept * 1000),
        "lasting": one.lasting,
        "limits": one.limits,
        "refusals": {unit: _rest(result) for unit, result in one.refusals.items()},
    }


def _repeats(one: Repeats) -> dict[str, Any]:
    data: dict[str, Any] = {
        "name": one.name,
        "kept": round(one.kept * 1000),
        "told": [write_json([text]).decode() for text in one.told],
        "refusal": _rest(one.refusal),
    }
    # Left out when there are none: the script's reader of JSON has no nil for null.
    times = {"tell_at": one.tell_at, "deny_at": one.deny_at}
    return data | {name: time for name, time in times.items() if time is not None}


def _charge(one: Charge) -> dict[str, Any]:
    head = write_json({"call_id": one.call_id, "name": one.name})[:-1] + b","
    data = {"head": head.decode(), "cost": one.cost, "seconds": one.seconds}
    return data | ({"fingerprint": one.fingerprint} if one.fingerprint else {})


def _rest(result: ToolResult) -> str:
    """Give a result's JSON text behind the call's own part, which `head` has."""
    data = result.to_json()
    del data["call_id"], data["name"]
    return write_json(data)[1:].decode()
