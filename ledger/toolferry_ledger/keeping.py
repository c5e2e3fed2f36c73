"""Keeping: how long leases hold, records stay and failing tools rest. The scripts count with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

from toolferry import ConfigurationError

DAY: Final = 86_400.0
#: Seconds that a setting of time may have.
_SHORTEST, _LONGEST = 0.1, 366 * DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """Times of a system, in seconds; all its processes must have the same.

    Raises:
        ConfigurationError: A value is out of its range; names its variable.
    """

    #: `TOOLFERRY_LEASE`: how long a worker's calls stay its own after its last sign of life; it
    #: gives three in that time. 1 to 3,600.
    lease: float = 6.0
    #: `TOOLFERRY_KEEP_SUCCEEDED`: how long the record of a call is kept after it ended so.
    succeeded: float = DAY
    #: `TOOLFERRY_KEEP_FAILED`: failed, timed out, cancelled, denied or lost.
    failed: float = DAY
    #: `TOOLFERRY_KEEP_DEAD`: how long a dead letter is kept, with its history.
    dead: float = 7 * DAY
    #: `TOOLFERRY_BREAKER_FAULTS`: after so many faults of a tool in a row it rests. 1 or more.
    breaker_faults: float = 50
    #: `TOOLFERRY_BREAKER_WINDOW`: faults further apart than this are not in a row.
    breaker_window: float = 60.0
    #: `TOOLFERRY_BREAKER_PAUSE`: how long it rests before it is tried again.
    breaker_pause: float = 10.0

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            shortest, longest = _RANGES.get(one.name, (_SHORTEST, _LONGEST))
            if not shortest <= value <= longest:
                raise ConfigurationError(
                    variable_of(one.name), f"is {value:g} and must be {shortest:g} to {longest:g}"
                )

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Keeping:
        """Read what the environment says; what it does not say has its default.

        Raises:
            ConfigurationError: A value is no number, or out of its range.
        """
        return cls(
            **{
                one.name: _read_number(variable_of(one.name), environ[variable_of(one.name)])
                for one in fields(cls)
                if environ.get(variable_of(one.name))
            }
        )

    def environment(self) -> dict[str, str]:
        """Give the variables that say what is not the default."""
        return {
            variable_of(one.name): f"{getattr(self, one.name):g}"
            for one in fields(self)
            if getattr(self, one.name) != one.default
        }

    def to_lua(self) -> str:
        """Render the numbers as Lua, in whole milliseconds."""
        failed = ("failed", "timed_out", "cancelled", "denied", "lost")
        kept = {"succeeded": self.succeeded, **dict.fromkeys(failed, self.failed)}
        kept |= {"dead": self.dead, "longest": max(self.succeeded, self.failed)}
        ttl = ", ".join(f"{name} = {_milliseconds(value)}" for name, value in kept.items())
        return (
            f"local LEASE = {_milliseconds(self.lease)}\n"
            f"local TTL = {{{ttl}}}\n"
            f"local BREAKER = {{faults = {self.breaker_faults:.0f},"
            f" window = {_milliseconds(self.breaker_window)},"
            f" pause = {_milliseconds(self.breaker_pause)}}}\n"
        )


_RANGES: Final[Mapping[str, tuple[float, float]]] = {
    "lease": (1.0, 3600.0),
    "breaker_faults": (1.0, 1e6),
}


def variable_of(name: str) -> str:
    """Name the environment variable of a field.

    >>> variable_of("dead"), variable_of("lease")
    ('TOOLFERRY_KEEP_DEAD', 'TOOLFERRY_LEASE')
    """
    kept = name in {"succeeded", "failed", "dead"}
    return f"TOOLFERRY_{'KEEP_' if kept else ''}{name.upper()}"


def _read_number(variable: str, text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise ConfigurationError(variable, f"is {text!r:.40} and must be a number") from error


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
