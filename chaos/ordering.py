"""The order: conflicting calls never overlap and run in the order in which they came. Pure.

Two calls conflict when they touch the same cell and one of them writes it, or when they are of the
same turn and one of them is exclusive. Which of two comes first is said by the model's order within
a turn. Between turns it is said by the dispatches, where these did not overlap: if one had returned
before the other began, its calls come first.

An attempt lasts from its start to its end, or to the kill of its process; an attempt of which
neither is known is taken to be over at once, so that nothing is called a breach that may be none. A
worker that was suspended for longer than its lease was taken for dead: what its handlers did when
it woke up overlaps nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from chaos.history import Attempt, Call, History, TurnHistory
from chaos.verdicts import Violation
from toolferry import EffectClass, Tool


@dataclass(frozen=True, slots=True)
class _Use:
    """One attempt's use of something that calls fight for."""

    attempt: Attempt
    call: Call
    turn: TurnHistory
    writes: bool

    def comes_before(self, other: _Use) -> bool:
        """Whether its call was asked for before the other's."""
        if self.turn is other.turn:
            return self.call.position < other.call.position
        return self.turn.promised is not None and self.turn.promised < other.turn.begun


@dataclass(slots=True)
class _SoFar:
    """The uses of one thing, in the order of their starts."""

    running: list[_Use] = field(default_factory=list)
    #: Of those that started: the one whose turn began last, of all and of the writes.
    newest: dict[bool, _Use] = field(default_factory=dict)
    #: The same within each turn, by position.
    last: dict[tuple[str, bool], _Use] = field(default_factory=dict)

    def start(self, use: _Use) -> Iterator[str]:
        """Take in the next start and tell the breaches that it makes."""
        self.running = [one for one in self.running if one.attempt.over > use.attempt.start]
        if not use.attempt.suspended:
            for other in self.running:
                if (other.writes or use.writes) and not other.attempt.suspended:
                    yield f"it overlaps {other.call.key}"
            for other in self._passed(use):
                if use.comes_before(other):
                    yield f"it came after {other.call.key}, which was asked for later"
        self.running.append(use)
        self._remember(use)

    def _passed(self, use: _Use) -> Iterator[_Use]:
        """Give those that started already and, if any do, were asked for later."""
        newest = self.newest.get(not use.writes)
        last = self.last.get((use.turn.turn_id, not use.writes))
        if newest is not None:
            yield newest
        if last is not None and last is not newest:
            yield last

    def _remember(self, use: _Use) -> None:
        # Under True: what a read conflicts with; under False: what a write does, which is all.
        for kind in {False, use.writes}:
            newest = self.newest.get(kind)
            if newest is None or newest.turn.begun < use.turn.begun:
                self.newest[kind] = use
            place = (use.turn.turn_id, kind)
            last = self.last.get(place)
            if last is None or last.call.position < use.call.position:
                self.last[place] = use


def misordered(history: History, tools: Mapping[str, Tool]) -> Iterator[Violation]:
    """Name the calls that overlapped a conflicting one, or were passed by it."""
    for uses in _uses(history, tools).values():
        so_far = _SoFar()
        for use in sorted(uses, key=lambda one: one.attempt.start):
            for breach in so_far.start(use):
                yield Violation("misordered", use.call.key, breach)


def _uses(history: History, tools: Mapping[str, Tool]) -> dict[str, list[_Use]]:
    """Give what each thing that calls fight for was used by."""
    uses: dict[str, list[_Use]] = {}
    for turn in history.promised:
        has_barrier = any(tools[call.tool].exclusive for call in turn.calls)
        for call in turn.calls:
            tool = tools[call.tool]
            writes = tool.effect is not EffectClass.READ
            for attempt in call.attempts:
                if call.cell is not None:
                    use = _Use(attempt, call, turn, writes)
                    uses.setdefault(f"cell {call.cell}", []).append(use)
                if has_barrier:
                    use = _Use(attempt, call, turn, tool.exclusive)
                    uses.setdefault(turn.turn_id, []).append(use)
    return uses
