"""The process lane as its parent keeps it: limits, lost children, shutdown.

A child does all of an attempt by itself, see `child`. Its parent acts where it cannot: the watchdog
kills what is over its limit, requests report children that died, and whatever has to be written in
a child's place goes through the outbox.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any, Final

from celery.signals import worker_process_init
from celery.worker import state

from toolferry import CallState
from toolferry_ledger import Ledger, Settlement, Spec, Suspect
from toolferry_worker.attempt import Finished
from toolferry_worker.board import Board, Row, call_number
from toolferry_worker.child import become_child
from toolferry_worker.events import tell_settled
from toolferry_worker.orders import Order
from toolferry_worker.outbox import Judge, Outbox
from toolferry_worker.porter import Porter
from toolferry_worker.publisher import Publisher
from toolferry_worker.reaping import ReaperThread
from toolferry_worker.station import Station
from toolferry_worker.stopper import Stopper
from toolferry_worker.strays import Strays
from toolferry_worker.task import AttemptTask
from toolferry_worker.verdicts import judge_cancelled, judge_killed, judge_lost, judge_stopped
from toolferry_worker.watchdog import Watchdog, has_ended, kill_group

#: Seconds between two looks at the children once they have to end.
LOOK_EVERY: Final = 0.05
#: Rows of the board at the least: with remote control on, people may add children.
_ROOM: Final = 32


class ProcessLane:
    """Looks after the children of a process worker. Made before they are forked.

    Args:
        station: Which worker this is.
        task: The Celery task; in a child it is given what runs its notices.
        ledger: For what the parent writes in a child's place.
        publisher: Publishes notices.
        reaper: Is told of the retries that children schedule.
        replace: Has this worker stop and come back as a new one; gets the reason.
    """

    def __init__(
        self,
        station: Station,
        task: AttemptTask,
        ledger: Ledger,
        publisher: Publisher,
        reaper: ReaperThread,
        replace: Callable[[str], None],
    ) -> None:
        self._station = station
        self._parent = os.getpid()
        self._task = task
        self._reaper = reaper
        self._board = Board(max(station.slots, _ROOM))
        self._outbox = Outbox(
            station.owner, ledger, station.signer, publisher.publish, self._on_settled
        )
        self._watchdog = Watchdog(
            self._board, on_killed=self._on_killed, on_lost=self._on_lost, on_retry=reaper.expect
        )
        self._stopper = Stopper(self._watchdog, self._on_cancelled)
        self._porter = Porter(station, max(station.slots, _ROOM))
        task.room = self._porter.room
        self._strays = Strays(self._board, task.room, replace)
        task.Request = "toolferry_worker.request:AttemptRequest"
        task.parent = self
        worker_process_init.connect(self._enter_child, weak=False)

    def start(self) -> None:
        """Begin to look after the children, which are there by now."""
        self._outbox.start()
        self._watchdog.start()
        self._stopper.start()
        self._strays.start()

    def open(self, serve: Callable[[], None]) -> bool:
        """Have calls served once the first child has opened what handlers share; returns at once.

        Always True, because Celery's own event loop has to run for that.
        """
        self._porter.start(serve)
        return True

    def obey(self, order: Order) -> None:
        """Have an attempt stopped whose call was cancelled; any thread may, returns at once."""
        self._stopper.put(order)

    def drain(self, grace: float, stop_pool: Callable[[], None]) -> None:
        """Leave what runs `grace` seconds, then give it back and kill it.

        Limits are kept until the last child has gone: one may begin with a call that Celery had
        handed to it before it stopped taking.
        """
        gone = threading.Event()
        impatience = threading.Thread(target=self._end_after, args=(grace, gone), daemon=True)
        impatience.start()
        self._strays.stop()
        self._porter.close()
        stop_pool()
        gone.set()
        impatience.join()
        self._porter.stop()
        self._stopper.stop()
        self._watchdog.stop()
        self._outbox.stop()

    @property
    def has_room(self) -> bool:
        """Whether it would take a notice at this moment."""
        ready = self._porter.room
        return len(state.reserved_requests) < (ready() if ready else self._station.slots)

    def lost(self, call_key: str, fence: int) -> None:
        """Take it that the child which ran this attempt has died."""
        self._outbox.put(call_key, fence, judge_lost)

    def stopped(self, call_key: str, fence: int) -> None:
        """Take it that this attempt was stopped because the worker shuts down."""
        self._outbox.put(call_key, fence, _stopped)

    def _enter_child(self, **_: Any) -> None:
        self._task.runner = become_child(self._station, self._board, self._parent)
        self._porter.enter_child()

    def _end_after(self, grace: float, gone: threading.Event) -> None:
        patience = grace
        while not gone.wait(patience):
            patience = LOOK_EVERY
            for row in self._board.rows():
                if row.fence and not has_ended(row.pid):
                    self._end(row)

    def _end(self, row: Row) -> None:
        with self._board.held(row) as is_same:
            if is_same:
                # The watchdog must not take the child for one that died by itself.
                self._board.clear(row)
                kill_group(row.pid)
                self._judge(row, _stopped)

    def _on_killed(self, row: Row) -> None:
        self._judge(row, judge_killed)

    def _on_lost(self, row: Row) -> None:
        self._judge(row, judge_lost)

    def _judge(self, row: Row, judge: Judge) -> None:
        """Have an attempt judged of which only numbers are known: Celery knows the call's key."""
        for request in list(state.requests.values()):
            key, fence = request.notice
            if (call_number(key), fence) == (row.call, row.fence):
                self._outbox.put(key, fence, judge)

    def _on_cancelled(self, call_key: str, fence: int) -> None:
        self._outbox.put(call_key, fence, judge_cancelled)

    def _on_settled(self, finished: Finished) -> None:
        tell_settled(finished, accepted=True)
        if finished.settlement.state is CallState.RETRYING:
            self._reaper.expect(finished.settlement.delay)


def _stopped(spec: Spec, suspect: Suspect) -> Settlement:
    return judge_stopped(spec, suspect, suspect.now)
