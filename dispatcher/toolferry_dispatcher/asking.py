"""What a turn waits for people for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from toolferry import CallState, call_key
from toolferry_ledger import Approvals, Ledger, PendingApproval

#: States of calls that go on without a person.
_BUSY: Final = frozenset({CallState.QUEUED, CallState.RUNNING, CallState.RETRYING})
#: Calls that are looked at together.
_BATCH: Final = 200


@dataclass(frozen=True, slots=True)
class Standing:
    """How the open calls of a turn stand."""

    #: What is asked of people, in the model's order.
    approvals: tuple[PendingApproval, ...]
    #: Whether nothing goes on before somebody decides.
    is_still: bool


@dataclass(frozen=True, slots=True)
class Asking:
    """Reads how the calls of turns stand that may wait for people.

    Args:
        ledger: The records.
        approvals: Knows what is asked.
    """

    ledger: Ledger
    approvals: Approvals

    def look(self, turn_id: str, positions: Collection[int]) -> Standing:
        """Look at open calls of a turn; a round trip for each 200 of them.

        Raises:
            LedgerUnavailable: The server does not answer.
        """
        keys = [call_key(turn_id, position) for position in sorted(positions)]
        batches = (keys[at : at + _BATCH] for at in range(0, len(keys), _BATCH))
        calls = [one for batch in batches for one in self.ledger.inspect_calls(batch)]
        asked = tuple(found for one in calls for found in self.approvals.ask(one))
        is_still = bool(asked) and not any(one.state in _BUSY for one in calls)
        return Standing(asked, is_still)
