"""Histories written by hand: what the verdicts have to find, or to leave alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chaos.history import Attempt, Call, Got, History, TurnHistory


def attempt(start: float, end: float | None, **keys: Any) -> Attempt:
    """Write an attempt; it ended well when it has an end."""
    given = {"key": "", "number": 1, "idempotency_key": "", "pid": 1, "how": "end" if end else ""}
    return Attempt(start=start, end=end, **{**given, **keys})


def call(tool: str, *attempts: Attempt, cell: int | None = None, **got: Any) -> Call:
    """Write a call that one gatherer got a result of, succeeded unless told otherwise."""
    given = {"outcome": "succeeded", "effect": "none", "attempts": 1, "code": "", "digest": "d"}
    results = [Got(by="a", **{**given, **got})]
    return Call("", "", tool, cell, list(attempts), results, {"a": 1})


def turn(number: int, *calls: Call, begun: float = 0.0, promised: float = 0.1) -> TurnHistory:
    """Write a turn that was promised and gathered; names its calls and their attempts."""
    turn_id = f"s0-{number}"
    for position, one in enumerate(calls):
        one.key = f"{turn_id}:{position}"
        one.call_id = f"{turn_id}.{position}"
        for run in one.attempts:
            run.key = one.key
            run.idempotency_key = run.idempotency_key or one.key
    return TurnHistory(turn_id, begun, list(calls), promised, gatherers=["a"])


def history(*turns: TurnHistory, faults: Sequence[dict[str, Any]] = ()) -> History:
    """Write a run."""
    return History({one.turn_id: one for one in turns}, list(faults))
