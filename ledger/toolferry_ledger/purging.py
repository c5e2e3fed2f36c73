"""Purging: everything that is kept of a tenant or a conversation is erased.

1. All turns and calls are looked through, and those that are meant are noted.
2. Calls that have not ended are cancelled. One that runs is told to stop and is left for the next
   purge; so is its turn, into which its result is written.
3. What speaks of them is erased: events, entries of inboxes, lists of late results, what budgets
   and the loop guard have counted, when calls of a rate started, what people have approved in
   advance. A dispatcher that loses an entry reads the turn instead.
4. Then the calls with their histories, and last their turns, by which a purge that was interrupted
   finds its work again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, Protocol

from toolferry import OPEN_STATES, SCHEMA_VERSION, call_key, split_call_key
from toolferry_ledger.cancelling import Canceller, Withdrawal
from toolferry_ledger.connection import server_errors
from toolferry_ledger.counts import CONVERSATION, Counted, counts_of
from toolferry_ledger.erasing import Erased, erase
from toolferry_ledger.forgetting import erase_allowances
from toolferry_ledger.json_text import read_json
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.starts import erase_starts

#: Keys that are read together.
_BATCH: Final = 500
#: Why calls of a purge are cancelled.
_REASON: Final = "its data is being erased"


class Whose(Protocol):
    """Whose data is to be erased."""

    def has_turn(self, meta: Any) -> bool:
        """Tell by what is kept with a turn."""

    def has_call(self, tenant: str, spec: bytes) -> bool:
        """Tell by the record of a call."""

    def has_count(self, counted: Counted) -> bool:
        """Tell by whom a count is of."""


@dataclass(frozen=True, slots=True)
class Tenant:
    """Everything of one tenant."""

    name: str

    def __post_init__(self) -> None:
        _require_name(self.name)

    @property
    def words(self) -> str:
        """Name it in a sentence."""
        return f"all of tenant {self.name}"

    def has_turn(self, meta: Any) -> bool:
        """Tell by what is kept with a turn."""
        return bool(meta.get("tenant") == self.name)

    def has_call(self, tenant: str, spec: bytes) -> bool:
        """Tell by the record of a call."""
        return tenant == self.name

    def has_count(self, counted: Counted) -> bool:
        """Tell by whom a count is of."""
        return counted.tenant == self.name


@dataclass(frozen=True, slots=True)
class Conversation:
    """Everything of one conversation."""

    conversation_id: str

    def __post_init__(self) -> None:
        _require_name(self.conversation_id)

    @property
    def words(self) -> str:
        """Name it in a sentence."""
        return f"all of conversation {self.conversation_id}"

    def has_turn(self, meta: Any) -> bool:
        """Tell by what is kept with a turn."""
        return bool(meta.get("conversation_id") == self.conversation_id)

    def has_call(self, tenant: str, spec: bytes) -> bool:
        """Tell by the record of a call."""
        return _read(spec).get("conversation_id") == self.conversation_id

    def has_count(self, counted: Counted) -> bool:
        """Tell by whom a count is of."""
        return (counted.scope, counted.name) == (CONVERSATION, self.conversation_id)


def _require_name(name: str) -> None:
    """Require a name: calls of no conversation would all be meant by an empty one.

    Raises:
        ValueError: It is empty.
    """
    if not name:
        raise ValueError("what is to be purged has an empty name")


@dataclass(frozen=True, slots=True, kw_only=True)
class Purged:
    """What a purge did."""

    #: Turns and calls that are gone.
    turns: int
    calls: int
    #: Calls that it cancelled.
    cancelled: int
    #: Calls that still run, and were told to stop: nothing of them is erased yet.
    running: int
    #: Calls without data that keep their places before others until those may pass.
    held: int

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to be erased."""
        return self.running == 0

    def followed_by(self, other: Purged) -> Purged:
        """Add up two purges, one after the other."""
        return Purged(
            turns=self.turns + other.turns,
            calls=self.calls + other.calls,
            cancelled=self.cancelled + other.cancelled,
            running=other.running,
            held=other.held,
        )

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "schema_version": SCHEMA_VERSION,
            "turns": self.turns,
            "calls": self.calls,
            "cancelled": self.cancelled,
            "running": self.running,
            "held": self.held,
        }


@dataclass(slots=True)
class _Found:
    """What a search came upon."""

    turns: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    #: Those of the calls that had not ended.
    open: set[str] = field(default_factory=set)
    conversations: set[str] = field(default_factory=set)


class Purger:
    """Erases data of a system. Idempotent: a purge that was interrupted is made again.

    It looks through every record there is, in batches, and never holds the server up. Calls that
    come while it works may be missed.

    Args:
        ledger: The records.
        canceller: Ends the calls that are open.
    """

    def __init__(self, ledger: Ledger, canceller: Canceller) -> None:
        self._ledger = ledger
        self._canceller = canceller
        self._prefix = ledger.settings.key_prefix

    @property
    def _client(self) -> Any:
        return self._ledger.client

    def purge(self, whose: Whose) -> Purged:
        """Erase all that is meant and has ended; cancel the rest.

        Raises:
            LedgerUnavailable: The server does not answer; purge again.
        """
        found = self._search(whose)
        keys = sorted(found.calls)
        become = self._canceller.cancel(sorted(found.open), _REASON)
        with server_errors(self._ledger.settings):
            self._hush(found)
            erase_allowances(self._ledger, whose.has_call)
            for part in _parts(counts_of(self._client, _escaped(self._prefix), whose.has_count)):
                self._client.delete(*part)
        erased = erase(self._ledger, keys)
        with server_errors(self._ledger.settings):
            turns = self._erase_turns(sorted(found.turns))
        words = list(erased.values())
        return Purged(
            turns=turns,
            calls=words.count(Erased.GONE),
            cancelled=list(become.values()).count(Withdrawal.CANCELLED),
            running=words.count(Erased.OPEN),
            held=words.count(Erased.HELD),
        )

    def _search(self, whose: Whose) -> _Found:
        found = _Found()
        with server_errors(self._ledger.settings):
            for turn_id, (meta_text, size) in self._scan("turn", ("meta", "size")):
                meta = _read(meta_text)
                if whose.has_turn(meta):
                    found.turns.add(turn_id)
                    found.calls |= {call_key(turn_id, at) for at in range(int(size or 0))}
                    found.conversations.add(str(meta.get("conversation_id", "")))
            for key, (tenant, spec, state) in self._scan("call", ("tenant", "spec", "state")):
                if spec is None:  # what an earlier purge had to leave; it has no data any more
                    found.calls.add(key)
                elif whose.has_call((tenant or b"").decode(), spec):
                    _note_call(found, key, spec, (state or b"").decode())
        return found

    def _scan(self, kind: str, fields: Sequence[str]) -> Iterator[tuple[str, list[bytes | None]]]:
        """Read some fields of all records of a kind, each with its name."""
        start = f"{self._prefix}{kind}:"
        keys = self._client.scan_iter(match=f"{_escaped(start)}*", count=_BATCH)
        for part in _parts(keys):
            with self._client.pipeline(transaction=False) as pipe:
                for key in part:
                    pipe.hmget(key, fields)
                rows = pipe.execute()
            names = (key.decode().removeprefix(start) for key in part)
            yield from zip(names, rows, strict=True)

    def _hush(self, found: _Found) -> None:
        """Erase what speaks of calls outside of their records."""
        client = self._client
        self._cut_stream(f"{self._prefix}events", found.calls)
        for inbox in client.scan_iter(match=f"{_escaped(self._prefix)}inbox:*", count=_BATCH):
            self._cut_stream(inbox, found.calls)
        for late in client.scan_iter(match=f"{_escaped(self._prefix)}late:*", count=_BATCH):
            for key in client.lrange(late, 0, -1):
                if key.decode() in found.calls:
                    client.lrem(late, 0, key)
        erase_starts(client, _escaped(self._prefix), found.calls)

    def _cut_stream(self, stream: bytes | str, calls: Collection[str]) -> None:
        """Erase the entries of a stream that name a call, as a field or as a value."""
        after = "-"
        while rows := self._client.xrange(stream, min=after, count=_BATCH):
            named = [(position, [*entry, *entry.values()]) for position, entry in rows]
            gone = [at for at, words in named if any(_text(word) in calls for word in words)]
            if gone:
                self._client.xdel(stream, *gone)
            after = f"({rows[-1][0].decode()}"

    def _erase_turns(self, turn_ids: Sequence[str]) -> int:
        """Erase the turns whose calls have all ended: no result is written into them any more."""
        erased = 0
        for part in _parts(iter(turn_ids)):
            keys = [f"{self._prefix}turn:{turn_id}" for turn_id in part]
            with self._client.pipeline(transaction=False) as pipe:
                for key in keys:
                    pipe.hget(key, "open")
                left = pipe.execute()
            over = [key for key, count in zip(keys, left, strict=True) if int(count or 0) == 0]
            erased += int(self._client.delete(*over)) if over else 0
        return erased


def _note_call(found: _Found, key: str, spec: bytes, state: str) -> None:
    found.calls.add(key)
    # All calls of a turn are of one tenant and one conversation.
    found.turns.add(split_call_key(key)[0])
    found.conversations.add(str(_read(spec).get("conversation_id", "")))
    if state in OPEN_STATES:
        found.open.add(key)


def _parts(items: Iterable[Any]) -> Iterator[list[Any]]:
    it = iter(items)
    while part := list(islice(it, _BATCH)):
        yield part


def _read(text: bytes | None) -> dict[str, Any]:
    """Read a JSON object; what is none says nothing."""
    try:
        data = read_json(text or b"{}")
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _text(word: bytes) -> str:
    return word.decode(errors="replace")


def _escaped(start: str) -> str:
    """Write a text so that a pattern of the server takes it as it is."""
    return "".join(f"\\{char}" if char in "*?[]\\" else char for char in start)
