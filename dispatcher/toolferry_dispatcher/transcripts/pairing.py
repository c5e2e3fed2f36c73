"""Which result of a conversation is whose: ids come again in later turns, and twice in one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from toolferry_dispatcher.transcripts.parts import Entry, Key, Part, WireRule

#: Where a call stands: which entry, which of its calls.
Place = tuple[int, int]


@dataclass(slots=True)
class Pairs:
    """Calls and their results."""

    owner: dict[Place, Part] = field(default_factory=dict)
    #: What is wrong with the results that are no call's.
    strays: dict[Part, WireRule] = field(default_factory=dict)


def pair(entries: Sequence[Entry]) -> Pairs:
    """Give each result to a call: the last before it that has none yet, else the next behind it."""
    calls = _Calls(entries)
    pairs = Pairs()
    placed = [(at, part) for at, entry in enumerate(entries) for part in entry.results]
    early = [(at, part) for at, part in placed if not calls.give(part, pairs, _last_before(at))]
    for at, part in early:
        if not calls.give(part, pairs, _next_behind(at)):
            is_known = calls.has(part.key)
            twice, lost = WireRule.RESULT_TWICE, WireRule.RESULT_WITHOUT_CALL
            pairs.strays[part] = twice if is_known else lost
    return pairs


#: Chooses among the calls that could be meant.
_Choice = Callable[[Sequence[Place]], Place | None]


class _Calls:
    """Where calls stand, by their ids, and by their names for results that name no id."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._by_id: dict[str, list[Place]] = defaultdict(list)
        self._by_name: dict[str, list[Place]] = defaultdict(list)
        for at, entry in enumerate(entries):
            for position, key in enumerate(entry.calls):
                self._by_id[key.id].append((at, position))
                self._by_name[key.name].append((at, position))

    def has(self, key: Key) -> bool:
        """Tell whether there is such a call, answered or not."""
        return bool(self._places(key))

    def give(self, part: Part, pairs: Pairs, choose: _Choice) -> bool:
        """Give a result to one of the calls that have none; tells whether there was one."""
        place = choose([one for one in self._places(part.key) if one not in pairs.owner])
        if place is not None:
            pairs.owner[place] = part
        return place is not None

    def _places(self, key: Key) -> list[Place]:
        by_id = self._by_id.get(key.id, []) if key.id or not key.name else []
        return by_id or (self._by_name.get(key.name, []) if key.name else [])


def _last_before(at: int) -> _Choice:
    """Choose the first call of the last turn before an entry."""

    def choose(places: Sequence[Place]) -> Place | None:
        before = [place for place in places if place[0] < at]
        return min((one for one in before if one[0] == before[-1][0]), default=None)

    return choose


def _next_behind(at: int) -> _Choice:
    """Choose the first call behind an entry."""
    return lambda places: next((place for place in places if place[0] > at), None)
