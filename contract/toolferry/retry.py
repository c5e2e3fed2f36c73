"""The retry policy: how often and how fast a failed attempt is tried again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolferry.states import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often, how soon and after what an attempt is followed by another.

    A policy grants attempts; whether a tool may be repeated at all is decided by its effect class.

    Raises:
        ValueError: A number is out of its range.
    """

    #: Attempts in all, 1 or more; 1 means that nothing is retried.
    max_attempts: int = 3
    #: Seconds before the second attempt at the most, above 0.
    base: float = 0.5
    #: What the wait grows by with each attempt, 1 or more.
    factor: float = 2.0
    #: The longest wait in seconds, at least `base`.
    cap: float = 30.0
    #: After which ends of an attempt another may follow. A timeout is not among them by default:
    #: a tool that hung once would keep the conversation waiting again.
    retry_on: frozenset[Outcome] = frozenset({Outcome.FAILED, Outcome.LOST})

    def __post_init__(self) -> None:
        if self.max_attempts < 1:
            raise ValueError(f"max_attempts is {self.max_attempts}: it must be 1 or more")
        if not 0 < self.base <= self.cap < math.inf:
            raise ValueError(
                f"base is {self.base} s and cap is {self.cap} s: 0 < base ≤ cap must hold"
            )
        if not 1 <= self.factor < math.inf:
            raise ValueError(f"factor is {self.factor}: it must be 1 or more")

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "max_attempts": self.max_attempts,
            "base": self.base,
            "factor": self.factor,
            "cap": self.cap,
            "retry_on": sorted(outcome.value for outcome in self.retry_on),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RetryPolicy:
        """Read the JSON form; unknown keys are passed over, missing ones take the defaults.

        Raises:
            ValueError: A number is out of its range, or an outcome is unknown.
        """
        known = {key: data[key] for key in cls.__dataclass_fields__ if key in data}
        if "retry_on" in known:
            known["retry_on"] = frozenset(map(Outcome, known["retry_on"]))
        return cls(**known)


#: One attempt and no more.
NO_RETRY = RetryPolicy(max_attempts=1)
