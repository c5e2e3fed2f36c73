"""Reading what is known of one call: its record, its history, its result, its replays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from toolferry import CallState, Outcome, ToolResult, split_call_key
from toolferry_ledger.connection import server_errors
from toolferry_ledger.endings import read_result
from toolferry_ledger.json_text import read_json
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.letters import CallStory, CallUnknown, PastAttempt, Replay
from toolferry_ledger.records import Suspect
from toolferry_ledger.signing import Signer, Untrusted
from toolferry_ledger.spec import Spec, open_spec


def read_story(ledger: Ledger, signer: Signer, call_key: str) -> CallStory:
    """Read all that is known of a call, open or ended; three round trips.

    Args:
        ledger: The records.
        signer: Tells whether the record is genuine.
        call_key: The call.

    Raises:
        CallUnknown: The ledger does not have it.
        LedgerUnavailable: The server does not answer.
    """
    if not is_call_key(call_key):
        raise CallUnknown(call_key)
    suspect = ledger.inspect_call(call_key)
    if suspect is None:
        raise CallUnknown(call_key)
    fields, history, result = _read(ledger, call_key)
    return CallStory(
        call_key=call_key,
        tool=fields["tool"],
        tenant=fields["tenant"],
        state=suspect.state,
        requested_at=suspect.requested_at,
        spec=_spec_of(signer, suspect),
        attempts=tuple(read_history(history)),
        result=None if result is None else read_result(result),
        replays=tuple(_read_replays(ledger, fields.get("replays", "").splitlines())),
        route=fields["route"],
        resource=fields.get("resource", ""),
        cap=fields.get("cap", ""),
        rate=fields.get("rate", ""),
        replay_of=fields.get("replay_of", ""),
        settled_by=fields.get("settled_by", ""),
        dead="ended" in fields,
    )


def read_history(lines: Iterable[bytes]) -> Iterator[PastAttempt]:
    """Read the lines of a call's history, as `settle` writes them."""
    for line in lines:
        worker, when, note = line.split(b" ", 2)
        told = read_json(note)
        yield PastAttempt(
            worker=worker.decode(),
            attempt=told["attempt"],
            started_at=told["started_at"],
            ended_at=told["ended_at"],
            outcome=Outcome(told["outcome"]),
            code=told["code"] or "",
            message=told["message"] or "",
            late=when == b"late",
        )


def is_call_key(text: str) -> bool:
    """Tell whether a text can be a call's key.

    >>> is_call_key("t:0"), is_call_key("t")
    (True, False)
    """
    turn_id, _, position = text.rpartition(":")
    return bool(turn_id) and position.isdecimal()


def _read(ledger: Ledger, call_key: str) -> tuple[dict[str, str], list[bytes], bytes | None]:
    """Read a call's record but for its long texts, its history and its result."""
    prefix = ledger.settings.key_prefix
    turn_id, position = split_call_key(call_key)
    with server_errors(ledger.settings), ledger.client.pipeline(transaction=True) as pipe:
        pipe.hmget(f"{prefix}call:{call_key}", _FIELDS)
        pipe.lrange(f"{prefix}history:{call_key}", 0, -1)
        pipe.hget(f"{prefix}call:{call_key}", "result")
        pipe.hget(f"{prefix}turn:{turn_id}", f"r:{position}")
        values, history, kept, result = pipe.execute()
    found = zip(_FIELDS, values, strict=True)
    fields = {name: value.decode() for name, value in found if value is not None}
    if not fields.keys() >= {"tool", "tenant", "route"}:
        raise CallUnknown(call_key)
    return fields, history, result or kept


#: What a story tells of a record, besides its spec and its result.
_FIELDS: Final = (
    *("tool", "tenant", "route", "resource", "cap", "rate"),
    *("replays", "replay_of", "settled_by", "ended"),
)


def _spec_of(signer: Signer, suspect: Suspect) -> Spec | None:
    try:
        return open_spec(signer, suspect)
    except Untrusted:
        return None


def _read_replays(ledger: Ledger, keys: list[str]) -> Iterator[Replay]:
    if not keys:
        return
    prefix = ledger.settings.key_prefix
    with server_errors(ledger.settings), ledger.client.pipeline(transaction=False) as pipe:
        for key in keys:
            turn_id, position = split_call_key(key)
            pipe.hget(f"{prefix}call:{key}", "state")
            pipe.hget(f"{prefix}turn:{turn_id}", f"r:{position}")
        found = pipe.execute()
    for key, state, text in zip(keys, found[::2], found[1::2], strict=True):
        result: ToolResult | None = read_result(text) if text else None
        known = None if state is None else CallState(state.decode())
        yield Replay(call_key=key, state=known, result=result)
