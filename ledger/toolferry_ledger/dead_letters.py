"""Dead letters: calls that ended without success are kept for people, to be seen and repeated."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, TypeAlias

from toolferry_ledger.bell import Bell
from toolferry_ledger.connection import server_errors
from toolferry_ledger.editing import EditRefused, Jury, check_again
from toolferry_ledger.endings import read_result
from toolferry_ledger.erasing import Erased, erase
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.letters import CallStory, CallUnknown, DeadLetter, LetterFilter
from toolferry_ledger.replaying import (
    Replayed,
    key_of,
    may_happen_twice,
    refuse_letter,
    refuse_replay,
    replay_meta,
    replay_spec,
    replay_submission,
)
from toolferry_ledger.replies import seconds
from toolferry_ledger.signing import Signer
from toolferry_ledger.spec import Spec
from toolferry_ledger.stories import read_story
from toolferry_ledger.untrusted import Untrusted

#: Letters that are read together.
_BATCH: Final = 200
_FIELDS: Final = ("tool", "tenant", "ended", "result", "replays", "settled_by")
_ALL: Final = LetterFilter()
#: Knows no tool, and no policy.
_NO_JURY: Final = Jury()
#: Says why a call cannot be repeated; empty when it can.
Rule: TypeAlias = Callable[[CallStory], str]


class DeadLetters:
    """The dead letters of a system; works also when every worker is dead.

    All methods raise `LedgerUnavailable` when the server does not answer.

    Args:
        ledger: The records.
        signer: Tells genuine records, and signs replays.
        bell: Publishes the notices of replays.
        jury: Judges what is repeated once more, when operators have changed their policy since;
            without one only what was judged by no policy of theirs is repeated.
    """

    def __init__(self, ledger: Ledger, signer: Signer, bell: Bell, jury: Jury = _NO_JURY) -> None:
        self._ledger = ledger
        self._signer = signer
        self._bell = bell
        self._jury = jury

    def list(self, which: LetterFilter = _ALL, limit: int = 100) -> Sequence[DeadLetter]:
        """Give dead letters, the newest first.

        Args:
            which: Of which tool, code and age.
            limit: How many at the most, 1 or more.
        """
        return tuple(islice(self._matching(which), limit))

    def show(self, call_key: str) -> CallStory:
        """Give all that is known of a call, dead or not: its attempts, its result, its replays.

        Raises:
            CallUnknown: The ledger does not have it, or not any more.
        """
        return read_story(self._ledger, self._signer, call_key)

    def replay(
        self, call_keys: Iterable[str], confirmed: Collection[str] = ()
    ) -> Sequence[Replayed]:
        """Repeat dead letters; a replay that succeeds settles its letter.

        Args:
            call_keys: The letters.
            confirmed: Those of them that may happen twice, by somebody's word.
        """
        return [
            self._replay(key, confirmed, (refuse_letter, refuse_replay))
            for key in dict.fromkeys(call_keys)
        ]

    def retry(
        self, call_keys: Iterable[str], confirmed: Collection[str] = ()
    ) -> Sequence[Replayed]:
        """Repeat calls that have ended, however they did.

        Args:
            call_keys: The calls.
            confirmed: Those of them that may happen twice, by somebody's word.
        """
        return [self._replay(key, confirmed, (refuse_replay,)) for key in dict.fromkeys(call_keys)]

    def discard(self, call_keys: Iterable[str]) -> dict[str, bool]:
        """Erase dead letters with their histories; tells of each whether it was one.

        What their turns hold, the answers that the model was given, stays as long as it would.
        """
        keys = list(dict.fromkeys(call_keys))
        letters = [
            key for key, is_letter in zip(keys, self._are_dead(keys), strict=True) if is_letter
        ]
        erased = erase(self._ledger, letters)
        return {key: erased.get(key) in {Erased.GONE, Erased.HELD} for key in keys}

    def _replay(self, key: str, confirmed: Collection[str], rules: Sequence[Rule]) -> Replayed:
        try:
            story = self._first(self.show(key))
        except CallUnknown as error:
            return Replayed(key, refusal=error.reason)
        refusal = next(filter(None, (rule(story) for rule in rules)), "")
        if refusal or story.spec is None:
            return Replayed(key, refusal=refusal)
        if key not in confirmed and may_happen_twice(story):
            return Replayed(key, refusal=_doubt(story), unconfirmed=True)
        try:
            check_again(self._jury, story.spec, self._signer)
        except (EditRefused, Untrusted) as error:
            return Replayed(key, refusal=str(error))
        return self._submit(key, story, story.spec)

    def _first(self, story: CallStory) -> CallStory:
        """Give the call that a replay repeats, whose replay the next one is too, if it is there."""
        try:
            return self.show(story.replay_of) if story.replay_of else story
        except CallUnknown:
            return story

    def _submit(self, key: str, story: CallStory, first: Spec) -> Replayed:
        spec = replay_spec(story, first, self._ledger.now())
        call = replay_submission(story, spec, self._signer)
        # A turn that is there already is the same replay, made by somebody else at the same time.
        reply = self._ledger.submit(spec.turn_id, replay_meta(spec), spec.turn_id, "", [call])
        if reply is None:
            return Replayed(key, refusal=f"turn {spec.turn_id} is another one already")
        self._bell.ring(reply.rings)
        return Replayed(key, key_of(spec))

    def _are_dead(self, keys: Sequence[str]) -> Sequence[bool]:
        with server_errors(self._ledger.settings), self._ledger.client.pipeline() as pipe:
            for key in keys:
                pipe.hexists(self._call(key), "ended")
            return [bool(flag) for flag in pipe.execute()]

    def _matching(self, which: LetterFilter) -> Iterator[DeadLetter]:
        for letter in self._letters(which):
            if which.tool in {None, letter.tool} and which.code in {None, letter.code}:
                yield letter

    def _letters(self, which: LetterFilter) -> Iterator[DeadLetter]:
        """Read letters of an age, the newest first; those that have just expired are left out."""
        keys = self._keys(which)
        for at in range(0, len(keys), _BATCH):
            part = keys[at : at + _BATCH]
            rows = zip(part, self._rows(part), strict=True)
            yield from (_letter(key, row) for key, row in rows if row[3])

    def _rows(self, keys: Sequence[str]) -> Sequence[Sequence[bytes | None]]:
        with server_errors(self._ledger.settings), self._ledger.client.pipeline() as pipe:
            for key in keys:
                pipe.hmget(self._call(key), _FIELDS)
            return pipe.execute()

    def _keys(self, which: LetterFilter) -> Sequence[str]:
        now = self._ledger.now() * 1000
        until = "+inf" if which.older_than is None else now - which.older_than * 1000
        since = "-inf" if which.newer_than is None else now - which.newer_than * 1000
        prefix, found = self._ledger.settings.key_prefix, dict[bytes, float]()
        with server_errors(self._ledger.settings):
            for index in ("dead", "settled") if which.settled else ("dead",):
                rows: Any = self._ledger.client.zrangebyscore(
                    f"{prefix}{index}", since, until, withscores=True
                )
                found |= dict(rows)
        # Those of one millisecond by their names, so that a limit always cuts off the same ones.
        newest_first = sorted(found, key=lambda key: (found[key], key), reverse=True)
        return [key.decode() for key in newest_first]

    def _call(self, key: str) -> str:
        return f"{self._ledger.settings.key_prefix}call:{key}"


def _letter(key: str, row: Sequence[bytes | None]) -> DeadLetter:
    tool, tenant, ended, result, replays, settled_by = (value or b"" for value in row)
    return DeadLetter(
        call_key=key,
        tool=tool.decode(),
        tenant=tenant.decode(),
        ended_at=seconds(ended),
        result=read_result(result),
        replays=tuple(replays.decode().splitlines()),
        settled_by=settled_by.decode(),
    )


def _doubt(story: CallStory) -> str:
    return f"it may have happened already, and {story.tool} must not happen twice; find out first"
