"""Late results: of calls that ended after the conversation had gone on without them.

They wait in the order of their ends until somebody confirms that they were taken. So a process that
dies between reading and storing loses none, and a confirmed one never comes again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from toolferry import split_call_key
from toolferry_ledger.connection import server_errors
from toolferry_ledger.ledger import Ledger


@dataclass(frozen=True, slots=True)
class LateRecord:
    """A call that ended late, as the ledger holds it."""

    call_key: str
    #: The JSON text of the dispatcher about its turn.
    meta: bytes
    #: The JSON text of its result.
    result: bytes


def read_late(ledger: Ledger, tenant: str, conversation_id: str) -> list[LateRecord]:
    """Read the late results of a conversation that nobody has confirmed, in order of their ends.

    Two round trips. What was not taken for as long as records are kept is passed over.

    Raises:
        LedgerUnavailable: The server does not answer.
    """
    prefix = ledger.settings.key_prefix
    with server_errors(ledger.settings):
        found: Any = ledger.client.lrange(_list_of(ledger, tenant, conversation_id), 0, -1)
        keys = [key.decode() for key in found]
        if not keys:
            return []
        with ledger.client.pipeline(transaction=False) as pipe:
            for turn_id, position in map(split_call_key, keys):
                pipe.hmget(f"{prefix}turn:{turn_id}", ["meta", f"r:{position}"])
            rows: Any = pipe.execute()
    read = {key: row for key, row in zip(keys, rows, strict=True) if None not in row}
    expired = [key for key in keys if key not in read]
    if expired:
        confirm_late(ledger, tenant, conversation_id, expired)
    return [LateRecord(key, meta, result) for key, (meta, result) in read.items()]


def confirm_late(
    ledger: Ledger, tenant: str, conversation_id: str, call_keys: Sequence[str]
) -> set[str]:
    """Say that late results were taken; they never come again. One round trip, repeatable.

    Returns:
        The keys of those that nobody had confirmed before: of several processes that confirm the
        same one, one gets it at the most: none, when its answer was lost on the way.

    Raises:
        LedgerUnavailable: The server does not answer.
    """
    keys = list(dict.fromkeys(call_keys))
    with server_errors(ledger.settings), ledger.client.pipeline(transaction=True) as pipe:
        for key in keys:
            pipe.lrem(_list_of(ledger, tenant, conversation_id), 0, key)
        removed: Any = pipe.execute()
    return {key for key, count in zip(keys, removed, strict=True) if count}


def read_answers(ledger: Ledger, turn_id: str, positions: Iterable[int]) -> dict[int, bytes]:
    """Read the first answers of a turn's calls, those that there are; one round trip.

    Raises:
        LedgerUnavailable: The server does not answer.
    """
    wanted = list(positions)
    if not wanted:
        return {}
    key = f"{ledger.settings.key_prefix}turn:{turn_id}"
    with server_errors(ledger.settings):
        found: Any = ledger.client.hmget(key, [f"a:{position}" for position in wanted])
    return {at: text for at, text in zip(wanted, found, strict=True) if text is not None}


def _list_of(ledger: Ledger, tenant: str, conversation_id: str) -> str:
    # The length keeps apart what names with colons could mix up: tenants' results are their own.
    return f"{ledger.settings.key_prefix}late:{len(tenant.encode())}:{tenant}:{conversation_id}"
