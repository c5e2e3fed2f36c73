"""The reaper: brings every open call on, whoever died.

1. `due`: timers that are up. A retry goes back in line; a running or queued call whose time is up
   becomes a suspect.
2. One asker per round is elected and sweeps: calls of workers whose lease ended become suspects,
   and calls whose notice was lost are rung again.
3. Each suspect is judged by the pure rules, and what follows is written under its fence. If its
   worker was faster, the write is refused, and that is right.

Any number of processes may run it; a lone dispatcher does, so that deadlines hold with no worker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from toolferry import CallState
from toolferry_ledger.bell import Bell
from toolferry_ledger.decisions import undecided
from toolferry_ledger.endings import conclude, distrust, overdue_end, unserved_end
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.logs import get_log
from toolferry_ledger.records import Settlement, Suspect
from toolferry_ledger.route import Pool, Route
from toolferry_ledger.signing import Signer, Untrusted
from toolferry_ledger.spec import open_spec

log = get_log(__name__)

#: Seconds between two sweeps, and the longest that a reaper may sleep.
SWEEP_EVERY: Final = 2.0
#: Seconds that a reaper stays away which does not hear its broker: in that time another one, with
#: the same period, is elected, or else the first would be for ever.
DEAF_PAUSE: Final = 2 * SWEEP_EVERY


class Reaper:
    """Finds calls on which someone must act, and acts.

    Args:
        ledger: The records.
        bell: Publishes the notices of calls that became ready.
        signer: Checks that a suspect's record is genuine before it is believed.
    """

    def __init__(self, ledger: Ledger, bell: Bell, signer: Signer) -> None:
        self._ledger = ledger
        self._bell = bell
        self._signer = signer

    def tick(self) -> float:
        """Do one round and give the seconds until the next one is wanted, 0 to 4.

        Raises:
            LedgerUnavailable: The server does not answer; try again later.
        """
        due = self._ledger.due(SWEEP_EVERY)
        suspects = list(due.suspects)
        pause = SWEEP_EVERY
        self._bell.ring(due.rings)
        if due.elected:
            queues = self._queues(due.issued)
            pause = DEAF_PAUSE if _is_deaf(queues) else SWEEP_EVERY
            sweep = self._ledger.sweep(SWEEP_EVERY, queues)
            suspects += sweep.suspects
            self._bell.ring(sweep.rings)
        self._settle(suspects)
        return pause if due.wait is None else min(pause, due.wait)

    def _queues(self, issued: Mapping[Route, int]) -> dict[Route, tuple[int, int | None]]:
        """Ask another broker how long the queues are; of its own server the ledger knows."""
        if self._ledger.settings.broker_is_own:
            return {}
        return {route: (number, self._bell.depth(route)) for route, number in issued.items()}

    def _settle(self, suspects: Sequence[Suspect]) -> None:
        if not suspects:
            return
        served = self._served(suspects)
        reply = self._ledger.settle([self._judge(suspect, served) for suspect in suspects])
        for suspect, accepted in zip(suspects, reply.accepted, strict=True):
            if accepted:
                event = "lease.lost" if suspect.abandoned else "call.overdue"
                log.warning(event, call_key=suspect.call_key, attempt=suspect.attempt)
        self._bell.ring(reply.rings)

    def _served(self, suspects: Sequence[Suspect]) -> set[Pool]:
        """Give the pools with a live worker; asked only for calls that none has ever started."""
        unstarted = any(suspect.attempt == 0 for suspect in suspects)
        return self._ledger.served() if unstarted else set()

    def _judge(self, suspect: Suspect, served: set[Pool]) -> Settlement:
        try:
            spec = open_spec(self._signer, suspect)
        except Untrusted as error:
            log.error(  # noqa: TRY400 -- a fact to act on, and no fault of ours to trace
                "call.untrusted", call_key=suspect.call_key, reason=str(error)
            )
            return distrust(suspect)
        is_asked = suspect.state is CallState.AWAITING_APPROVAL
        if is_asked and spec.terms.within is not None:
            return undecided(spec, suspect)
        is_unserved = suspect.attempt == 0 and not suspect.waits_for and spec.pool not in served
        if is_unserved and not is_asked and suspect.cancelled is None:
            end = unserved_end(spec)
        else:
            end = overdue_end(spec, suspect)
        settlement = conclude(spec, suspect, end, suspect.now)
        # Its worker lives, and what it runs may run on: what that holds stays held.
        still_runs = suspect.state is CallState.RUNNING and not suspect.abandoned
        return replace(settlement, seen=suspect.state, holding=still_runs)


def _is_deaf(queues: Mapping[Route, tuple[int, int | None]]) -> bool:
    return bool(queues) and all(length is None for _, length in queues.values())
