"""The watch: which calls of one turn have ended, and who waits to hear of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping

from toolferry_dispatcher.turn_copy import TurnCopy
from toolferry_ledger import Pool


class Watch:
    """The ends of one turn's calls as they are told. Thread-safe; shared by all who follow it.

    Args:
        turn_id: The turn.
    """

    def __init__(self, turn_id: str) -> None:
        self.turn_id = turn_id
        #: When this process last heard of the turn, in seconds of the monotonic clock.
        self.heard_at = time.monotonic()
        #: Since when the server does not have the turn, by the same clock; None while it has.
        self.missed_since: float | None = None
        #: Why nothing more will be told although calls are open; None while there is hope.
        self.abandoned: str | None = None
        #: What is remembered of the turn, should the server lose it; None until that is known.
        self.copy: TurnCopy | None = None
        self._pools: Mapping[int, Pool] | None = None
        self._ended: dict[int, bytes | None] = {}
        # Reentrant: a state that is waited for is asked for while the watch is held.
        self._changed = threading.Condition(threading.RLock())
        self._listeners: list[Callable[[], None]] = []
        self._waiting = 0
        self._warnings: list[str] = []

    @property
    def done(self) -> bool:
        """Whether every call has ended; False while the calls are not known yet."""
        return self._pools is not None and len(self._ended) >= len(self._pools)

    @property
    def is_over(self) -> bool:
        """Whether nothing more will be told: every call has ended, or the turn was abandoned."""
        return self.done or self.abandoned is not None

    @property
    def is_awaited(self) -> bool:
        """Whether somebody waits who does not read the inbox: a listener, or another thread."""
        return bool(self._listeners) or self._waiting > 0

    @property
    def ended(self) -> frozenset[int]:
        """The positions of the calls that have ended."""
        with self._changed:
            return frozenset(self._ended)

    def texts(self, positions: Iterable[int]) -> dict[int, bytes]:
        """Give the JSON texts of results that came with the news of their end."""
        with self._changed:
            found = ((at, self._ended.get(at)) for at in positions)
            return {at: text for at, text in found if text is not None}

    @property
    def open_pools(self) -> set[Pool]:
        """The pools that still have to end a call of the turn."""
        with self._changed:
            pools = self._pools or {}
            return {pool for at, pool in pools.items() if at not in self._ended}

    @property
    def warnings(self) -> tuple[str, ...]:
        """What people should know while they wait, each sentence once."""
        return tuple(self._warnings)

    def expect(self, pools: Mapping[int, Pool]) -> None:
        """Say which calls the turn has, by position; ends may have been told before."""
        with self._changed:
            self._pools = pools
            self._tell()

    def note(self, ends: Mapping[int, bytes | None]) -> None:
        """Note that calls have ended, with the JSON text of each result where it is at hand."""
        with self._changed:
            self.heard_at = time.monotonic()
            before = len(self._ended)
            self._ended.update(ends)
            if len(self._ended) > before:
                self._tell()

    def keep(self, texts: Mapping[int, bytes]) -> None:
        """Keep results that were read, while others of the turn are still open."""
        with self._changed:
            if not self.done:
                self._ended.update(texts)

    def abandon(self, reason: str) -> None:
        """Say that nothing more will be told, so that nobody waits in vain."""
        with self._changed:
            self.abandoned = self.abandoned or reason
            self._tell()

    def warn(self, sentence: str) -> None:
        """Add a sentence for the people who wait, once."""
        with self._changed:
            if sentence not in self._warnings:
                self._warnings.append(sentence)
                self._tell()

    def listen(self, listener: Callable[[], None]) -> None:
        """Have a function called, from any thread, at every change from now on."""
        with self._changed:
            self._listeners.append(listener)

    def ignore(self, listener: Callable[[], None]) -> None:
        """Call a function no more that was listening."""
        with self._changed:
            self._listeners.remove(listener)

    def wait(self, reached: Callable[[], bool], patience: float) -> None:
        """Wait for others to tell that a state is reached, or for so many seconds."""
        with self._changed:
            self._waiting += 1
            self._changed.wait_for(reached, patience)
            self._waiting -= 1

    def _tell(self) -> None:
        self._changed.notify_all()
        for listener in self._listeners:
            listener()
