"""What a turn waits for people for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from toolferry import CallState, call_key, split_call_key
from toolferry_ledger import Approvals, Ledger, PendingApproval, Suspect

#: States of calls that go on without a person.
_BUSY: Final = frozenset({CallState.QUEUED, CallState.RUNNING, CallState.RETRYING})
#: Calls that are looked at together.
_BATCH: Final = 200
#: Calls of other turns that stand in line one behind the other, of which so many are looked at.
_LINE: Final = 8
#: Seconds after which a turn is looked at again that waits for a call of another turn, of whose end
#: nobody tells it.
_LOOK_AGAIN: Final = 0.5


@dataclass(frozen=True, slots=True)
class Standing:
    """How the open calls of a turn stand."""

    #: What is asked of people, in the model's order.
    approvals: tuple[PendingApproval, ...]
    #: Whether nothing goes on before somebody decides.
    is_still: bool
    #: Whether what goes on is a call of another turn, for which one of this turn waits.
    waits_elsewhere: bool = False
    #: Seconds until what goes on need not be waited for any more; infinite when it always has to.
    due_in: float = math.inf

    def until_next_look(self, left: float) -> float:
        """Give the seconds until the turn is to be looked at again, without news of its calls.

        Args:
            left: Seconds for which anybody waits at all.
        """
        return min(left, self.due_in, _LOOK_AGAIN if self.waits_elsewhere else left)


@dataclass(frozen=True, slots=True)
class Asking:
    """Reads how the calls of turns stand that may wait for people.

    Args:
        ledger: The records.
        approvals: Knows what is asked.
    """

    ledger: Ledger
    approvals: Approvals

    def look(self, turn_id: str, due: Mapping[int, float]) -> Standing:
        """Look at open calls of a turn; a round trip for each 200 of them.

        Where some wait for calls of other turns, and nothing else goes on, a few more.

        Args:
            turn_id: The turn.
            due: By the position of each open call, the seconds until the model may be told that
                it goes on; infinite when it may not. After that nobody waits for it.

        Raises:
            LedgerUnavailable: The server does not answer.
        """
        keys = [call_key(turn_id, position) for position in sorted(due)]
        batches = (keys[at : at + _BATCH] for at in range(0, len(keys), _BATCH))
        calls = [one for batch in batches for one in self.ledger.inspect_calls(batch)]
        asked = tuple(found for one in calls for found in self.approvals.ask(one))
        busy = [one.call_key for one in calls if one.state in _BUSY]
        due_in = max((due[split_call_key(key)[1]] for key in busy), default=0.0)
        if not asked or due_in > 0:
            return Standing(asked, is_still=False, due_in=due_in if asked else math.inf)
        goes_on = self._goes_on_elsewhere(turn_id, calls)
        return Standing(asked, is_still=not goes_on, waits_elsewhere=goes_on)

    def _goes_on_elsewhere(self, turn_id: str, calls: Sequence[Suspect]) -> bool:
        """Tell whether a call waits for one of another turn that goes on without a person."""
        line = calls
        for _ in range(_LINE):
            before = {one.waits_for for one in line if one.state is CallState.WAITING}
            others = {key for key in before if key and split_call_key(key)[0] != turn_id}
            if not others:
                return False
            line = self.ledger.inspect_calls(sorted(others)[:_BATCH])
            if any(one.state in _BUSY for one in line):
                return True
        return False
