"""What the calls of a dispatcher are counted against, all together. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from toolferry_policies.budgets import Budget
from toolferry_policies.loops import DEFAULT_GUARD, LoopGuard


@dataclass(frozen=True, slots=True)
class Limits:
    """Budgets and the loop guard."""

    #: What the calls of a turn, conversation or principal may come to; all of them hold.
    budgets: Sequence[Budget] = ()
    #: When the same call is told of, and denied. None guards conversations with `DEFAULT_GUARD`,
    #: and turns that name none not at all: what is no conversation may well ask the same many
    #: times. `NO_GUARD` guards nothing.
    guard: LoopGuard | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "budgets", tuple(self.budgets))

    def guard_of(self, conversation_id: str, calls: int) -> LoopGuard | None:
        """Give what guards a turn; None when nothing has to.

        Args:
            conversation_id: The turn's conversation; empty when it names none.
            calls: How many calls the turn has.

        >>> Limits().guard_of("", 100), Limits().guard_of("talk", 1) is DEFAULT_GUARD
        (None, True)
        """
        guard = self.guard or (DEFAULT_GUARD if conversation_id else None)
        # A call that is alone in what is counted repeats none.
        repeats = bool(conversation_id) or calls > 1
        return guard if guard is not None and guard.counts and repeats else None


#: Nothing but the guard that every conversation has.
NO_LIMITS: Final = Limits()
