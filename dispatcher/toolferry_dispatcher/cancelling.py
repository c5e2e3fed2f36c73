"""Cancelling turns and single calls by their names, whoever dispatched them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from toolferry import TurnUnknown, call_key, split_call_key
from toolferry_dispatcher.meta import TurnMeta
from toolferry_ledger import Canceller, Ledger, Withdrawal

#: Seconds that calls which run have to end after they were cancelled, before their caller is told
#: that they are still open: their grace of 2 s, 2 s until a lost order is repeated, and a second.
STOP_PATIENCE: Final = 5.0
#: Why calls are cancelled when a gather with `OnTimeout.CANCEL` has waited long enough.
NOBODY_WAITS: Final = "nobody waits for it any longer"


class OnTimeout(StrEnum):
    """What happens to calls that are open when a gather has waited long enough."""

    #: They go on and can be gathered later.
    LEAVE = "leave"
    #: They are cancelled, and so end within a few seconds.
    CANCEL = "cancel"


class TurnCanceller:
    """Cancels calls of turns; works whether or not a worker or the turn's dispatcher is alive.

    Args:
        ledger: Where turns are looked up.
        canceller: Cancels single calls.
    """

    def __init__(self, ledger: Ledger, canceller: Canceller) -> None:
        self._ledger = ledger
        self._canceller = canceller

    def cancel(self, name: str, reason: str = "") -> dict[str, Withdrawal]:
        """Cancel a turn, or one call of it; see `Dispatcher.cancel`."""
        meta = self._read(name)
        if meta is not None:
            return self.cancel_calls(meta, range(len(meta.calls)), reason)
        turn_id, position = _split(name)
        meta = self._read(turn_id)
        if meta is None or position >= len(meta.calls):
            raise TurnUnknown(name, "the ledger has no such turn or call; it may have expired")
        return self.cancel_calls(meta, [position], reason)

    def cancel_calls(
        self, meta: TurnMeta, positions: Sequence[int], reason: str
    ) -> dict[str, Withdrawal]:
        """Cancel calls of a turn that is known; gives by call id what became of each, in order."""
        keys = [call_key(meta.turn_id, position) for position in positions]
        became = self._canceller.cancel(keys, reason)
        # A call that was refused never had a record, and that of one which ended may have expired.
        unknown = {key for key, what in became.items() if what is Withdrawal.UNKNOWN}
        gone = [at for at, key in zip(positions, keys, strict=True) if key in unknown]
        ended = self._ledger.results(meta.turn_id, gone) if gone else {}
        became |= {call_key(meta.turn_id, at): Withdrawal.ENDED for at in ended}
        return {
            meta.calls[at].call_id: became[key] for at, key in zip(positions, keys, strict=True)
        }

    def _read(self, turn_id: str) -> TurnMeta | None:
        text = self._ledger.read_meta(turn_id) if turn_id.isprintable() else None
        return None if text is None else TurnMeta.from_bytes(turn_id, text)


def _split(name: str) -> tuple[str, int]:
    """Read a name as a call's key.

    Raises:
        TurnUnknown: It is none.
    """
    _, _, position = name.rpartition(":")
    if not (position.isascii() and position.isdigit()):
        raise TurnUnknown(name, "the ledger has no such turn; it may have expired")
    return split_call_key(name)
