"""The inbox: one thread and one stream per dispatcher tell it of every call that ended.

1. While some turn is open, the thread waits on the stream and passes each end to its turn's watch.
2. It never relies on the stream alone: a turn that was silent for 5 s is read from the ledger.
3. Every 2 s it runs the reaper, so that deadlines hold even when no worker is alive, and it looks
   whether each lane with open calls has a worker.
4. When the server is away it tries again until the server is back; nothing is lost meanwhile.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from toolferry import LedgerUnavailable, split_call_key
from toolferry_dispatcher.watch import Watch
from toolferry_ledger import Ledger, Reaper, get_log

log = get_log(__name__)

#: Seconds that one read of the stream waits at the most.
READ_PATIENCE: Final = 1.0
#: Seconds of silence after which a turn is read from the ledger.
SILENCE: Final = 5.0
#: Seconds of waiting after which a lane without workers is told.
UNSERVED_AFTER: Final = 3.0
#: Seconds for which it goes on reading after the last turn, so that the next one need not wake it.
LINGER: Final = 5.0
#: Seconds between two tries while the server is away.
PAUSE: Final = 0.5


class Inbox:
    """Tells the turns of one dispatcher what has ended. Starts its thread when it is first needed.

    Args:
        name: The stream's name, unique to this dispatcher.
        ledger: The records.
        reaper: Run while this dispatcher waits.
    """

    def __init__(self, name: str, ledger: Ledger, reaper: Reaper) -> None:
        self.name = name
        self._ledger = ledger
        self._reaper = reaper
        self._watches: weakref.WeakValueDictionary[str, Watch] = weakref.WeakValueDictionary()
        self._wanted = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None
        self._position = "0"
        self._next_round = 0.0
        self._idle_at = 0.0

    def follow(self, watch: Watch) -> Watch:
        """Have a turn told of its ends, for as long as somebody holds the watch.

        A turn that is followed already keeps its one watch, which is given back.
        """
        with self._wanted:
            known = self._watches.setdefault(watch.turn_id, watch)
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(
                    target=self._run, name="toolferry-inbox", daemon=True
                )
                self._thread.start()
            self._wanted.notify()
        return known

    def close(self) -> None:
        """Stop the thread; turns stay in the ledger."""
        with self._wanted:
            self._closed = True
            self._wanted.notify()
        if self._thread is not None:
            with suppress(LedgerUnavailable):
                self._ledger.wake_inbox(self.name)
            self._thread.join(timeout=2 * READ_PATIENCE)

    def _run(self) -> None:
        while (watches := self._wait_for_work()) is not None:
            try:
                self._position, ends = self._ledger.read_inbox(
                    self.name, self._position, READ_PATIENCE
                )
                self._pass_on(ends)
                self._do_rounds(watches)
            except LedgerUnavailable as error:
                self._complain(watches, str(error))
            except Exception as error:  # noqa: BLE001 -- everybody who waits would wait in vain
                self._complain(watches, f"reading failed with {type(error).__name__}: {error}")

    def _wait_for_work(self) -> list[Watch] | None:
        """Give the open turns, waiting while there are none for long; None when it has to stop."""
        with self._wanted:
            while not self._closed:
                watches = [watch for watch in self._watches.values() if not watch.done]
                if watches:
                    self._idle_at = time.monotonic() + LINGER
                if watches or time.monotonic() < self._idle_at:
                    return watches
                self._wanted.wait(READ_PATIENCE)
        return None

    def _pass_on(self, ends: Mapping[str, bytes | None]) -> None:
        turns: dict[str, dict[int, bytes | None]] = {}
        for key, text in ends.items():
            turn_id, position = split_call_key(key)
            turns.setdefault(turn_id, {})[position] = text
        for turn_id, told in turns.items():
            watch = self._watches.get(turn_id)
            if watch is not None:
                watch.note(told)

    def _do_rounds(self, watches: Sequence[Watch]) -> None:
        now = time.monotonic()
        if now < self._next_round or not watches:
            return
        self._next_round = now + self._reaper.tick()
        waiting = [watch for watch in watches if not watch.done]
        for watch in waiting:
            if now - watch.heard_at > SILENCE:
                self._read_again(watch)
        self._tell_unserved([w for w in waiting if now - w.heard_at >= UNSERVED_AFTER])

    def _read_again(self, watch: Watch) -> None:
        record = self._ledger.attach(watch.turn_id, self.name)
        if record is None:
            watch.warn(f"The server no longer knows turn {watch.turn_id}; its data was lost.")
        else:
            watch.note(record.results)

    def _tell_unserved(self, watches: list[Watch]) -> None:
        if not watches:
            return
        served = self._ledger.served_lanes()
        for watch in watches:
            for lane in watch.open_lanes - served:
                watch.warn(f"No worker is alive for the {lane.value} lane; calls wait for one.")

    def _complain(self, watches: Iterable[Watch], reason: str) -> None:
        log.warning("ledger.unavailable", reason=reason)
        for watch in watches:
            watch.warn(f"{reason}; still trying.")
        with self._wanted:
            self._wanted.wait(PAUSE)
