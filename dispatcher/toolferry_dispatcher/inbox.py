"""The inbox: one stream tells a dispatcher of every call that ended.

1. One thread at a time reads the stream and passes each end to its turn's watch. A thread that
   waits for a turn reads itself when nobody else does: waking another thread for each answer costs
   about 0.1 of a single call's 2.2 ms.
2. A thread of the inbox's own reads when nobody waits that way: for coroutines, and after 1 s for
   turns that nobody waits for.
3. The stream is never relied on alone: that thread also does the rounds, see `rounds`.
4. When the server is away everybody tries again until it is back; nothing is lost meanwhile.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from toolferry import LedgerUnavailable, split_call_key
from toolferry_dispatcher.lost_records import LostRecords
from toolferry_dispatcher.rounds import Rounds
from toolferry_dispatcher.watch import Watch
from toolferry_ledger import Ledger, Reaper, connect_alone, get_log

log = get_log(__name__)

#: Seconds that one read of the stream waits at the most.
READ_PATIENCE: Final = 1.0
#: Seconds for which the inbox's own thread goes on reading for coroutines after it was asked to.
ATTEND_FOR: Final = 5.0
#: Seconds between two tries while the server is away.
PAUSE: Final = 0.5


class Inbox:
    """Tells the turns of one dispatcher what has ended. Thread-safe.

    Args:
        name: The stream's name, unique to this dispatcher.
        ledger: The records.
        reaper: Run while this dispatcher waits.
        lost: Ends the turns that the server has lost.
    """

    def __init__(self, name: str, ledger: Ledger, reaper: Reaper, lost: LostRecords) -> None:
        self.name = name
        self._ledger = ledger
        # One thread reads at a time, and waits for long: on a connection outside the pool.
        self._reader = Ledger(ledger.settings, connect_alone)
        self._rounds = Rounds(name, ledger, reaper, lost)
        self._watches: weakref.WeakValueDictionary[str, Watch] = weakref.WeakValueDictionary()
        self._wanted = threading.Condition(threading.RLock())
        self._reading = threading.Lock()
        self._closed = False
        self._thread: threading.Thread | None = None
        self._position = "0"
        self._attended_until = 0.0

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
        return known

    def attend(self) -> None:
        """Have the inbox's own thread read now; for those who cannot read themselves."""
        with self._wanted:
            self._attended_until = time.monotonic() + ATTEND_FOR
            self._wanted.notify()

    def wait(self, watch: Watch, reached: Callable[[], bool], patience: float) -> None:
        """Wait in this thread until a state of a watch is reached, or for so many seconds.

        Args:
            watch: Of a turn that is followed.
            reached: Asked again at every change of the watch.
            patience: Seconds, 0 or more.
        """
        give_up_at = time.monotonic() + patience
        while not reached() and (left := give_up_at - time.monotonic()) > 0:
            if not self._reading.acquire(blocking=False):
                watch.wait(reached, left)
                continue
            try:
                self._read(min(left, READ_PATIENCE))
            finally:
                self._reading.release()
        self._hand_over()

    def close(self) -> None:
        """Stop the thread and whoever waits; turns stay in the ledger."""
        with self._wanted:
            self._closed = True
            self._wanted.notify()
        for watch in self._open_watches():
            watch.abandon("the dispatcher was closed; another can attach to it")
        if self._thread is not None:
            with suppress(LedgerUnavailable):
                self._ledger.wake_inbox(self.name)
            self._thread.join(timeout=2 * READ_PATIENCE)
        self._reader.close()

    def _open_watches(self) -> list[Watch]:
        with self._wanted:
            return [watch for watch in self._watches.values() if not watch.is_over]

    def _hand_over(self) -> None:
        """Let the inbox's own thread read on for others who wait."""
        if self._open_watches():
            self.attend()

    def _run(self) -> None:
        while self._wait_for_work():
            # While somebody else reads, only the rounds are left to do.
            if self._reading.acquire(timeout=READ_PATIENCE):
                try:
                    if self._is_wanted():
                        self._read(READ_PATIENCE)
                finally:
                    self._reading.release()
            self._do_rounds()

    def _wait_for_work(self) -> bool:
        """Wait until reading is asked for, or for a second; False when it is time to stop."""
        with self._wanted:
            if not self._closed and not self._is_attended():
                self._wanted.wait(READ_PATIENCE)
            return not self._closed

    def _is_attended(self) -> bool:
        if time.monotonic() < self._attended_until:
            return True
        return any(watch.is_awaited for watch in self._open_watches())

    def _is_wanted(self) -> bool:
        return self._is_attended() or bool(self._open_watches())

    def _read(self, patience: float) -> None:
        try:
            self._position, ends = self._reader.read_inbox(self.name, self._position, patience)
            self._pass_on(ends)
        except LedgerUnavailable as error:
            self._complain(str(error))
        except Exception as error:  # noqa: BLE001 -- everybody who waits would wait in vain
            self._complain(f"reading failed with {type(error).__name__}: {error}")

    def _pass_on(self, ends: Mapping[str, bytes | None]) -> None:
        turns: dict[str, dict[int, bytes | None]] = {}
        for key, text in ends.items():
            turn_id, position = split_call_key(key)
            turns.setdefault(turn_id, {})[position] = text
        for turn_id, told in turns.items():
            watch = self._watches.get(turn_id)
            if watch is not None:
                watch.note(told)

    def _do_rounds(self) -> None:
        watches: Sequence[Watch] = self._open_watches()
        try:
            self._rounds.do(watches)
        except LedgerUnavailable as error:
            self._complain(str(error))
        except Exception as error:  # noqa: BLE001 -- as above
            self._complain(f"a round failed with {type(error).__name__}: {error}")

    def _complain(self, reason: str) -> None:
        log.warning("ledger.unavailable", reason=reason)
        for watch in self._open_watches():
            watch.warn(f"{reason}; still trying.")
        with self._wanted:
            self._wanted.wait(PAUSE)
