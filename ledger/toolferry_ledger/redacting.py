"""The last step before a line of a log is written: secrets are taken out of it.

Whoever runs a handler also names the secrets that its call was given, so that they are found in
whatever is logged meanwhile, in their plainest form.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, Final, TypeAlias

from toolferry_policies import NOTHING, Hidden, redact

#: What we put there ourselves, on every line of every call, and never holds a secret.
_PLAIN: Final = frozenset(
    {
        "call_id",
        "call_key",
        "error_code",
        "event",
        "level",
        "outcome",
        "timestamp",
        "tool",
        "turn_id",
    }
)
_NUMBERS: Final = frozenset({int, float, bool, type(None)})
#: Data that is nested deeper than this is logged as its text.
_DEPTH: Final = 8


_Secret: TypeAlias = str | re.Pattern[str]


class _Named:
    """The secrets that this process knows of at the moment, each as often as it was named."""

    def __init__(self) -> None:
        self._counts: Counter[_Secret] = Counter()
        self._hidden: tuple[Hidden, Hidden] | None = (NOTHING, NOTHING)
        # Reentrant: a signal may interrupt us, and its handler may log.
        self._lock = threading.RLock()

    def add(self, secrets: Collection[_Secret]) -> None:
        with self._lock:
            self._counts.update(secrets)
            self._hidden = None

    def remove(self, secrets: Collection[_Secret]) -> None:
        with self._lock:
            self._counts.subtract(secrets)
            self._counts = +self._counts
            self._hidden = None

    @property
    def hidden(self) -> tuple[Hidden, Hidden]:
        """What hides the values alone, and what hides patterns too."""
        with self._lock:
            if self._hidden is None:
                values = [one for one in self._counts if isinstance(one, str)]
                patterns = [one for one in self._counts if not isinstance(one, str)]
                known = Hidden(values)
                self._hidden = (known, Hidden(values, patterns) if patterns else known)
            return self._hidden


_named: Final = _Named()


class hiding:  # noqa: N801 -- used as the functions of contextlib are
    """Has values hidden in all that this process logs while the block runs.

    In all of it, and not only in what the handler's own context logs: its threads do not inherit
    that.

    A class, because every call goes through it and most have no secrets: a generator's context
    costs three times as much.

    Args:
        secrets: The values; see `redact`.
        patterns: What else is hidden.
    """

    __slots__ = ("_secrets",)

    def __init__(
        self, secrets: Collection[str], patterns: Collection[re.Pattern[str]] = ()
    ) -> None:
        self._secrets: Collection[_Secret] = (*secrets, *patterns) if patterns else secrets

    def __enter__(self) -> None:
        if self._secrets:
            _named.add(self._secrets)

    def __exit__(self, *_: object) -> None:
        if self._secrets:
            _named.remove(self._secrets)


def redact_event(_logger: Any, _method: str, event: Mapping[str, Any]) -> dict[str, Any]:
    """Take secrets out of an event; a structlog processor, for behind `format_exc_info`."""
    known, hidden = _named.hidden
    told = dict(event)
    for key, value in event.items():
        if key in _PLAIN:
            # A handler's own event may be a sentence; a pattern for numbers finds a timestamp.
            plain = hidden if key == "event" else known
            told[key] = plain.out_of(value) if plain and isinstance(value, str) else value
        elif hidden or type(value) not in _NUMBERS:
            told[key] = _redacted(value, hidden)
    return told


def _redacted(value: Any, hidden: Hidden, depth: int = 0) -> Any:
    match value:
        case str():
            return redact(hidden.out_of(value))
        case None | bool() | int() | float():
            return hidden.out_of_data(value)
        case dict() if depth < _DEPTH:
            return {
                hidden.out_of(str(key)): _redacted(one, hidden, depth + 1)
                for key, one in value.items()
            }
        case list() | tuple() if depth < _DEPTH:
            return [_redacted(one, hidden, depth + 1) for one in value]
        case _:
            return redact(hidden.out_of(repr(value)))
