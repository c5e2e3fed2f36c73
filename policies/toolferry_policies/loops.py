"""The loop guard: a model that makes the same call again and again is told, then stopped. Pure.

1. Two calls are the same when they are of one tool and their arguments, as they are to run, are the
   same JSON data: the order of keys is no matter, and 7.0 is 7.
2. They are counted in their conversation, in the order in which they were written down, across
   turns, processes and restarts. A turn that names no conversation is counted by itself.
3. The third is told beside its result that it is one; the sixth is denied, and so is each after it.
   A call that another check or a budget denies is not counted.
4. Tools that are meant to be asked again (`Tool.polling`) are exempt.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolferry import ErrorCode
from toolferry_policies.verdict import Deny

#: What a threshold may be: the first time is no repeat.
FEWEST: Final = 2
MOST: Final = 1_000_000
#: Seconds of silence after which a conversation's counts may be forgotten: a minute to a year.
SHORTEST: Final = 60.0
LONGEST: Final = 366 * 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopGuard:
    """When a call that was made before is told to the model, and when it is denied.

    Raises:
        ValueError: A number is out of its range; the sentence says which.
    """

    #: From which time on the model is told, 2 or more; None: never.
    tell_at: int | None = 3
    #: From which time on the call is denied, 2 or more; None: never.
    deny_at: int | None = 6
    #: Seconds after its last call when what was counted of a conversation is forgotten.
    forget_after: float = 86_400.0

    def __post_init__(self) -> None:
        for name in ("tell_at", "deny_at"):
            value = getattr(self, name)
            whole = isinstance(value, int) and not isinstance(value, bool)
            if value is not None and not (whole and FEWEST <= value <= MOST):
                raise ValueError(f"{name} is {value!r}: it must be a whole number, 2 to {MOST:,}")
        if not SHORTEST <= self.forget_after <= LONGEST:
            raise ValueError(
                f"forget_after is {self.forget_after!r}: it must be seconds,"
                f" {SHORTEST:g} to {LONGEST:g}"
            )

    @property
    def counts(self) -> bool:
        """Whether there is anything to count."""
        return self.tell_at is not None or self.deny_at is not None


#: What a dispatcher guards conversations with that was told nothing else.
DEFAULT_GUARD: Final = LoopGuard()
#: Guards nothing.
NO_GUARD: Final = LoopGuard(tell_at=None, deny_at=None)


def fingerprint(name: str, arguments: Mapping[str, Any]) -> str:
    """Give a short text that is equal for the same calls only.

    >>> fingerprint("f", {"a": 1, "b": 7.0}) == fingerprint("f", {"b": 7, "a": 1})
    True
    >>> fingerprint("f", {"a": True}) == fingerprint("f", {"a": 1})
    False
    """
    text = json.dumps([name, _plain(arguments)], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def repeated(guard: LoopGuard) -> Deny:
    """Deny a call that was made too often.

    >>> repeated(LoopGuard()).message
    'The same call, with the same arguments, was made 5 times before; it is not made again.'
    """
    message = (
        f"The same call, with the same arguments, was made {(guard.deny_at or 1) - 1} times before;"
        " it is not made again."
    )
    return Deny(ErrorCode.REPEATED_CALL, message)


def told(guard: LoopGuard) -> tuple[str, str]:
    """Give what the model is told of a call that was made before: what stands around the number."""
    rest = " times, with the same arguments: use what you know, or try another way."
    if guard.deny_at is not None:
        last = guard.deny_at - 1
        rest = f"{rest} After {last} times it is denied."
    return "You have made this same call ", rest


def _plain(value: Any) -> Any:
    """Write a whole number in one way; JSON knows no 7 besides 7.0."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {key: _plain(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(member) for member in value]
    return value
