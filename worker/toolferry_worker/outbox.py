"""The outbox: what the parent of a process worker writes for children that cannot any more.

Writing may take long, because the server may be away, so a thread does it, in order, and tries
again until the server is back. Each write is fenced: if the child was faster, nothing changes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from typing import Final

import structlog

from toolferry import CallState
from toolferry_ledger import (
    Ledger,
    Ring,
    Settlement,
    Signer,
    Spec,
    Suspect,
    Untrusted,
    distrust,
    open_spec,
)
from toolferry_worker.attempt import Finished
from toolferry_worker.persistence import until_answered
from toolferry_worker.verdicts import judge_cancelled

log = structlog.get_logger(__name__)

#: How an attempt is judged that nobody else will judge: the verdict on what the ledger knows of it.
Judge = Callable[[Spec, Suspect], Settlement]
#: Seconds that are spent on what is left when the worker stops.
STOP_PATIENCE: Final = 5.0


@dataclass(frozen=True, slots=True)
class _Case:
    call_key: str
    fence: int
    judge: Judge


class Outbox:
    """Judges attempts by what the ledger knows, and writes the verdict.

    Args:
        owner: The worker's name.
        ledger: Where to.
        signer: Checks that the call's record is genuine.
        publish: Gets the notices that a write allows to go out.
        on_settled: Told what was written.
    """

    def __init__(
        self,
        owner: str,
        ledger: Ledger,
        signer: Signer,
        publish: Callable[[list[Ring]], None],
        on_settled: Callable[[Finished], None],
    ) -> None:
        self._owner = owner
        self._ledger = ledger
        self._signer = signer
        self._publish = publish
        self._on_settled = on_settled
        self._cases: SimpleQueue[_Case | None] = SimpleQueue()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def put(self, call_key: str, fence: int, judge: Judge) -> None:
        """Have an attempt judged; returns at once, also from a signal handler."""
        self._cases.put(_Case(call_key, fence, judge))

    def stop(self) -> None:
        """Write what is left, as far as the server lets us within five seconds."""
        self._cases.put(None)
        self._thread.join(STOP_PATIENCE)
        self._stopped.set()

    def _run(self) -> None:
        while case := self._cases.get():
            until_answered(partial(self._settle, case), self._stopped.is_set)

    def _settle(self, case: _Case) -> None:
        suspect = self._ledger.inspect_call(case.call_key)
        if suspect is None or suspect.fence != case.fence:
            return
        if suspect.state is not CallState.RUNNING:
            self._let_go(suspect)
            return
        finished = self._judge(case.judge, suspect)
        reply = self._ledger.settle([finished.settlement], self._owner)
        self._publish(reply.rings)
        if reply.accepted[0]:
            self._on_settled(finished)

    def _let_go(self, suspect: Suspect) -> None:
        """Say that a handler has ended whose call was told to be over: what it held is free."""
        late = Settlement(suspect.call_key, suspect.fence, suspect.state, late=True)
        self._publish(self._ledger.settle([late], self._owner).rings)

    def _judge(self, judge: Judge, suspect: Suspect) -> Finished:
        duration = suspect.now - (suspect.started_at or suspect.now)
        try:
            spec = open_spec(self._signer, suspect)
        except Untrusted as error:
            # The reason says it all; a traceback would only show our own code.
            log.error("call.untrusted", call_key=suspect.call_key, reason=str(error))  # noqa: TRY400 -- as above
            return Finished(suspect, "", "", distrust(suspect), None, duration)
        settlement = (judge if suspect.cancelled is None else judge_cancelled)(spec, suspect)
        return Finished(suspect, spec.call_id, spec.name, settlement, None, duration)
