"""The parts that a replaced handler can play. Time is counted, not waited for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Scene:
    """What one attempt of a replaced handler comes to."""

    #: Seconds that it takes.
    seconds: float
    #: Gives what the handler returns, or raises what it raises.
    act: Callable[[], Any]


class Part(Protocol):
    """What a replaced handler does when it is called."""

    def play(self, attempt: int) -> Scene:
        """Say what comes of an attempt, numbered from 1."""


@dataclass(frozen=True, slots=True)
class Returns:
    """Returns a value, at once."""

    value: Any

    def play(self, attempt: int) -> Scene:
        """Return the value on every attempt."""
        return Scene(0.0, lambda: self.value)


@dataclass(frozen=True, slots=True)
class Raises:
    """Raises an error, on every attempt or on the first ones."""

    error: BaseException
    #: How many attempts it raises on; all when None.
    times: int | None = None
    #: What later attempts return.
    then: Any = None

    def play(self, attempt: int) -> Scene:
        """Raise, or return what comes then."""
        if self.times is not None and attempt > self.times:
            return Scene(0.0, lambda: self.then)
        return Scene(0.0, self._raise)

    def _raise(self) -> Any:
        raise self.error


@dataclass(frozen=True, slots=True)
class Delays:
    """Takes so many seconds, of which none is waited for, and then returns a value."""

    seconds: float
    value: Any = None

    def play(self, attempt: int) -> Scene:
        """Take its time, then return the value."""
        return Scene(self.seconds, lambda: self.value)


@dataclass(frozen=True, slots=True)
class TimesOut:
    """Outlives any limit."""

    def play(self, attempt: int) -> Scene:
        """Take for ever."""
        return Scene(float("inf"), lambda: None)
