"""The last step before a line of a log is written: secrets are taken out of it.

Whoever runs a handler also names the secrets that its call was given, so that they are found in
whatever is logged meanwhile, in their plainest form.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextvars import ContextVar
from typing import Any, Final

from toolferry_policies import redact

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

_known: ContextVar[tuple[str, ...]] = ContextVar("toolferry_secrets", default=())


class hiding:  # noqa: N801 -- used as the functions of contextlib are
    """Has values hidden in all that this context logs while the block runs.

    A class, because every call goes through it and most have no secrets: a generator's context
    costs three times as much.

    Args:
        secrets: The values; see `redact`.
    """

    __slots__ = ("_secrets", "_token")

    def __init__(self, secrets: Collection[str]) -> None:
        self._secrets = secrets

    def __enter__(self) -> None:
        self._token = _known.set((*_known.get(), *self._secrets)) if self._secrets else None

    def __exit__(self, *_: object) -> None:
        if self._token:
            _known.reset(self._token)


def redact_event(_logger: Any, _method: str, event: Mapping[str, Any]) -> dict[str, Any]:
    """Take secrets out of an event; a structlog processor, for behind `format_exc_info`."""
    known = _known.get()
    told = dict(event)
    for key, value in event.items():
        if key not in _PLAIN and type(value) not in _NUMBERS:
            told[key] = _redacted(value, known)
    return told


def _redacted(value: Any, known: Collection[str], depth: int = 0) -> Any:
    match value:
        case str():
            return redact(value, known)
        case None | bool() | int() | float():
            return value
        case dict() if depth < _DEPTH:
            return {str(key): _redacted(one, known, depth + 1) for key, one in value.items()}
        case list() | tuple() if depth < _DEPTH:
            return [_redacted(one, known, depth + 1) for one in value]
        case _:
            return redact(repr(value), known)
