"""Cancelling calls from outside: what has not started never will, what runs is stopped.

A call that no attempt is at ends at once, with its result. One that runs gets a mark in its record,
which outlives every process, and its worker is told; whatever ends that attempt, no other follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final

from toolferry import OPEN_STATES, CallState
from toolferry_ledger.bell import Bell
from toolferry_ledger.endings import conclude, distrust, withdrawn_end
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.records import Settlement, Suspect
from toolferry_ledger.signing import Signer, Untrusted
from toolferry_ledger.spec import open_spec

#: Characters of a reason that are kept.
_MAX_REASON: Final = 500
#: Calls that are looked at together.
_BATCH: Final = 200
#: The states in which no attempt is under way.
_IDLE: Final = OPEN_STATES - {CallState.RUNNING}


class Withdrawal(StrEnum):
    """What became of the wish to cancel a call."""

    #: It has ended now; no attempt of it was under way.
    CANCELLED = "cancelled"
    #: It runs; its worker is told to stop it, and its result follows.
    STOPPING = "stopping"
    #: It had ended before.
    ENDED = "ended"
    #: The ledger does not have it.
    UNKNOWN = "unknown"


class Canceller:
    """Cancels calls. Idempotent; any process may, whether or not a worker is alive.

    Args:
        ledger: The records.
        bell: Publishes the notices of calls that become ready by it.
        signer: Checks that a record is genuine before a result is made of it.
    """

    def __init__(self, ledger: Ledger, bell: Bell, signer: Signer) -> None:
        self._ledger = ledger
        self._bell = bell
        self._signer = signer

    def cancel(self, call_keys: Iterable[str], reason: str = "") -> dict[str, Withdrawal]:
        """Cancel calls; give for each, in the order given, what became of that.

        Args:
            call_keys: The calls.
            reason: Why, one sentence for model and people; of a longer text 500 characters.

        Raises:
            LedgerUnavailable: The server does not answer; some may have been cancelled.
        """
        keys, reason = list(dict.fromkeys(call_keys)), phrase(reason)
        known: dict[str, Withdrawal] = {}
        left: Sequence[str] = keys
        while left:  # a call that moved on between the look and the write is looked at again
            # First those that wait: a slot that a stopped call frees would go to one of them.
            for part in _parts(left):
                known |= self._end_waiting(part, reason)
            for part in _parts([key for key in left if key not in known]):
                known |= self._stop(part, reason)
            left = [key for key in left if key not in known]
        return {key: known[key] for key in keys}

    def _end_waiting(self, keys: Sequence[str], reason: str) -> dict[str, Withdrawal]:
        suspects = {one.call_key: one for one in self._ledger.inspect_calls(keys)}
        idle = [one for one in suspects.values() if one.state in _IDLE]
        return {
            **{key: Withdrawal.UNKNOWN for key in keys if key not in suspects},
            **{key: Withdrawal.ENDED for key, one in suspects.items() if not one.state.is_open},
            **self._end(idle, reason),
        }

    def _stop(self, keys: Sequence[str], reason: str) -> dict[str, Withdrawal]:
        asked = self._ledger.withdraw(keys, reason)
        return {key: Withdrawal.STOPPING for key, runs in zip(keys, asked, strict=True) if runs}

    def _end(self, suspects: Sequence[Suspect], reason: str) -> dict[str, Withdrawal]:
        if not suspects:
            return {}
        reply = self._ledger.settle([self._judge(one, reason) for one in suspects])
        self._bell.ring(reply.rings)
        return {
            one.call_key: Withdrawal.CANCELLED
            for one, accepted in zip(suspects, reply.accepted, strict=True)
            if accepted
        }

    def _judge(self, suspect: Suspect, reason: str) -> Settlement:
        try:
            spec = open_spec(self._signer, suspect)
        except Untrusted:
            return replace(distrust(suspect), idle=suspect.attempt)
        end = withdrawn_end(spec, suspect, reason)
        return replace(conclude(spec, suspect, end, suspect.now), idle=suspect.attempt)


def phrase(reason: str) -> str:
    """Give a reason as it ends a sentence of ours: one line, no full stop, no half characters."""
    line = " ".join(reason.split())[:_MAX_REASON].rstrip(". ")
    return line.encode(errors="replace").decode()


def _parts(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    return (keys[at : at + _BATCH] for at in range(0, len(keys), _BATCH))
