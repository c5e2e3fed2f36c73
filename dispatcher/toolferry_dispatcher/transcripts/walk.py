"""Finding what a provider would refuse a transcript for, and mending it.

1. Each result belongs to the last call before it that has its id and no result yet; one that comes
   too early, to the first such call behind it.
2. Calls go on with the names, ids and arguments that their provider's adapter writes. An id that an
   earlier turn has used is replaced.
3. Right behind them come their results, one each, in their order. Where none is known, one says so;
   only that of a call that may wait comes later, where it stands, or not at all yet.
4. A result of no call, and a second one of a call, is told as a person's text: what was said is not
   lost, and nobody takes it for another call's.
5. What breaks no rule stays as it is; a mended conversation breaks none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from toolferry import CallError, Effect, ErrorCode, Outcome, ResponseMalformed, ToolResult, render
from toolferry.wording import json_text
from toolferry_dispatcher.providers import Dialect, IdForm, Provider, Told
from toolferry_dispatcher.providers.json_data import sendable
from toolferry_dispatcher.reply import ReadCall
from toolferry_dispatcher.transcripts.pairing import Pairs, pair
from toolferry_dispatcher.transcripts.parts import (
    Entry,
    Key,
    Message,
    Part,
    Shape,
    WireFault,
    WireRule,
)

#: What a model is told of a call of which no result is known.
UNKNOWN: Final = CallError.of(
    ErrorCode.RECORDS_LOST, "The conversation broke off before this call had a result."
).doubtful()


@dataclass(slots=True)
class Walk:
    """One walk through a conversation.

    Args:
        provider: Reads and writes calls.
        shape: Where they stand.
        known: What became of calls, by their ids, for those that have no result.
    """

    provider: Provider
    shape: Shape
    known: Mapping[str, ToolResult]
    #: What was found, in the order of the messages.
    faults: list[WireFault] = field(default_factory=list)
    _taken: set[str] = field(default_factory=set)
    #: The results that the walk has passed.
    _passed: set[Part] = field(default_factory=set)
    #: Those of calls that could wait, still to come, with what they name their call by.
    _later: dict[Part, Key] = field(default_factory=dict)
    #: Results that stay where they are, since the calls before them cannot be read.
    _left_alone: set[Part] = field(default_factory=set)

    def mend(self, messages: Sequence[Message]) -> list[Message]:
        """Give the conversation mended; the story is at the top of this file."""
        messages = self._sendable(messages)
        tidied = self.shape.tidy(list(messages))
        if tidied != messages:
            what = "messages of one role stand side by side"
            self.faults.append(
                WireFault(WireRule.ROLES_ALIKE, _first_change(messages, tidied), what)
            )
        entries = self.shape.split(messages)
        pairs = pair(entries)
        mended: list[Message] = []
        for at, entry in enumerate(entries):
            behind = entries[at + 1] if at + 1 < len(entries) else None
            if entry.calls:
                mended += self._answered(at, entry, behind, pairs)
            elif not entry.results:
                mended += entry.raw
            elif at == 0 or not entries[at - 1].calls:
                mended += entry.rest
            mended += self._awaited(entry)
            mended += self._strays(entry, pairs)
            self._passed.update(entry.results)
        return self.shape.tidy(mended)

    def _sendable(self, messages: Sequence[Message]) -> list[Message]:
        """Give messages that a request can carry, before anything compares them."""
        mended = [sendable(message) for message in messages]
        for at, (one, other) in enumerate(zip(messages, mended, strict=True)):
            if one != other:
                what = "it holds half a character, or a number that is none"
                self.faults.append(WireFault(WireRule.UNSENDABLE, at, what))
        return mended

    def _answered(self, at: int, entry: Entry, behind: Entry | None, pairs: Pairs) -> list[Message]:
        """Give calls with their results right behind them."""
        follows = behind if behind is not None and behind.results else None
        try:
            reply = self.provider.read(self.shape.said(entry))
        except ResponseMalformed as error:
            self._fault(WireRule.UNREADABLE, entry, str(error))
            return [*entry.raw, *self._left(at, follows, pairs)]
        said = self._legal(entry, self.shape.spoken(reply.message))
        keys = self._keys(said)
        owned = [pairs.owner.get((at, position)) for position in range(len(reply.calls))]
        answered = [
            (part, call, key)
            for part, call, key in zip(owned, reply.calls, keys, strict=True)
            if not self._waits(part, call, key, follows)
        ]
        results = [
            self.shape.answer(part or self._placeholder(entry, call), key)
            for part, call, key in answered
        ]
        self._check_places(entry, follows, [part for part, _, _ in answered if part is not None])
        return [*said, *self.shape.join(results, follows.rest if follows else ())]

    def _waits(self, part: Part | None, one: ReadCall, key: Key, follows: Entry | None) -> bool:
        """Tell whether a call is left open here; its result, if there is one, is still to come."""
        if not key.may_wait:
            return False
        if part is None:
            return one.call.call_id not in self.known
        if part in self._passed or (follows and part in follows.results):
            return False
        self._later[part] = key
        return True

    def _awaited(self, entry: Entry) -> list[Message]:
        """Give the results of calls that were left open, where they stand."""
        awaited = {part: self._later.get(part) for part in entry.results}
        return [
            dict(self.shape.answer(part, key))
            for part, key in awaited.items()
            if key is not None and part not in self._left_alone
        ]

    def _left(self, at: int, follows: Entry | None, pairs: Pairs) -> list[Message]:
        """Give what belongs behind calls that cannot be read, as it is: all results of theirs."""
        behind = follows.results if follows else ()
        self._left_alone.update(behind)
        places = sorted(place for place in pairs.owner if place[0] == at)
        theirs = [pairs.owner[place] for place in places if pairs.owner[place] not in behind]
        return self.shape.join([part.raw for part in theirs], list(follows.raw) if follows else [])

    def _legal(self, entry: Entry, said: list[Message]) -> list[Message]:
        """Give what the model said as it can be sent again, with ids that no earlier turn used."""
        if said != list(entry.raw):
            what = "the id, the name or the arguments of a call would be refused"
            self._fault(WireRule.CALL_ILLEGAL, entry, what)
        for at, key in enumerate(self._keys(said)):
            if key.id in self._taken:
                self._fault(WireRule.ID_TWICE, entry, f"an earlier call has the id {key.id}")
                said = self.shape.rename(said, at, self._free(key.id))
        self._taken |= {key.id for key in self._keys(said) if key.id}
        return said

    def _keys(self, said: list[Message]) -> tuple[Key, ...]:
        return tuple(key for entry in self.shape.split(said) for key in entry.calls)

    def _free(self, call_id: str) -> str:
        """Give an id like another that nobody has, and that is no longer than it may be."""
        form = getattr(self.provider, "dialect", Dialect()).call_id
        count = 2
        while (free := _like(call_id, count, form)) in self._taken:
            count += 1
        self._taken.add(free)
        return free

    def _placeholder(self, entry: Entry, one: ReadCall) -> Part:
        call = one.call
        what = f"call {json_text(call.call_id)} of {json_text(call.name)} has no result"
        self._fault(WireRule.CALL_WITHOUT_RESULT, entry, what)
        known = self.known.get(call.call_id) or ToolResult(
            call_id=call.call_id,
            name=call.name,
            outcome=Outcome.LOST,
            effect=Effect.POSSIBLE,
            error=UNKNOWN,
        )
        told = Told(call.call_id, call.name, render(known), is_error=known.is_error)
        [written] = self.shape.split(self.provider.results({}, [told]))
        return written.results[0]

    def _check_places(self, entry: Entry, follows: Entry | None, owned: Sequence[Part]) -> None:
        """Say when results do not stand where they have to."""
        behind = follows.results if follows else ()
        in_place = [part for part in behind if part in owned]
        is_first = follows is None or (
            self.shape.join([part.raw for part in behind], follows.rest) == list(follows.raw)
        )
        if in_place != list(owned) or not is_first:
            what = "results have to stand right behind their calls, in the same order"
            self._fault(WireRule.RESULT_MISPLACED, entry, what)

    def _strays(self, entry: Entry, pairs: Pairs) -> list[Message]:
        """Give the results that are nobody's as what a person says."""
        told = []
        for part in entry.results:
            rule = pairs.strays.get(part)
            if rule is not None and part not in self._left_alone:
                self._fault(
                    rule, entry, f"a result names {json_text(part.key.id or part.key.name)}"
                )
                told.append(self.shape.note(f"A tool result that belongs to no call: {part.text}"))
        return told

    def _fault(self, rule: WireRule, entry: Entry, detail: str) -> None:
        self.faults.append(WireFault(rule, entry.place, detail))


def _like(call_id: str, count: int, form: IdForm) -> str:
    free = f"{call_id[:32]}_{count}"
    return free if form.takes(free) else form.made_of(free)


def _first_change(before: Sequence[Message], after: Sequence[Message]) -> int:
    pairs = zip(before, after, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), len(after))
