"""Events: what programs that listen shall hear of, in one stream of the system.

An event says that something happened to a call, and never what came of it: its result is read where
it is kept. The stream holds the last ten thousand or so; a listener that was away reads on from
where it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import redis

from toolferry import SCHEMA_VERSION, CallState, split_call_key

#: The position after the newest event: to hear only of what comes.
NEWEST: Final = "$"
#: The position before the oldest event that is kept.
OLDEST: Final = "0-0"
#: Events that one read gives at the most.
_BATCH: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEvent:
    """Something that happened to a call."""

    #: Where it stands in the stream; whoever reads on after it misses nothing.
    position: str
    #: `late`: a call ended whose conversation had gone on without it. `dead`: a call became a dead
    #: letter. `replayed`: a replay ended. A newer release may tell of more.
    kind: str
    call_key: str
    #: Its tool; empty when its record is not kept any more.
    tool: str
    #: How it stands now; None when its record is not kept any more.
    state: CallState | None
    #: With `replayed`: the call that was repeated.
    replay_of: str = ""

    @property
    def turn_id(self) -> str:
        """The turn of the call."""
        return split_call_key(self.call_key)[0]

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "schema_version": SCHEMA_VERSION,
            "position": self.position,
            "kind": self.kind,
            "call": self.call_key,
            "turn_id": self.turn_id,
            "tool": self.tool or None,
            "outcome": None if self.state is None else self.state.value,
            "replay_of": self.replay_of or None,
        }


def read_events(
    client: redis.Redis, prefix: str, after: str, patience: float
) -> tuple[str, list[LedgerEvent]]:
    """Wait for events that come after a position.

    Args:
        client: Of the server.
        prefix: What the system's keys start with.
        after: The position that the last read gave; `NEWEST` or `OLDEST` at first.
        patience: Seconds to wait at the most, under 2; 0 does not wait.

    Returns:
        The position to read after next, and the events in their order, perhaps none.
    """
    stream = f"{prefix}events"
    if after == NEWEST:
        after = _newest(client, stream)
    block = max(1, int(patience * 1000))
    reply: Any = client.xread({stream: after}, count=_BATCH, block=block)
    if not reply:
        return after, []
    rows = reply[stream.encode()][0] if isinstance(reply, dict) else reply[0][1]
    return rows[-1][0].decode(), _complete(client, prefix, rows)


def _newest(client: redis.Redis, stream: str) -> str:
    last: Any = client.xrevrange(stream, count=1)
    return last[0][0].decode() if last else OLDEST


def _complete(
    client: redis.Redis, prefix: str, rows: Sequence[tuple[bytes, dict[bytes, bytes]]]
) -> list[LedgerEvent]:
    """Add to events what the records of their calls say now."""
    keys = [row[b"call"].decode() for _, row in rows]
    with client.pipeline(transaction=False) as pipe:
        for key in keys:
            pipe.hmget(f"{prefix}call:{key}", "tool", "state", "replay_of")
        records = pipe.execute()
    return [
        LedgerEvent(
            position=position.decode(),
            kind=row[b"kind"].decode(),
            call_key=key,
            tool=(tool or b"").decode(),
            state=CallState(state.decode()) if state else None,
            replay_of=(replay_of or b"").decode(),
        )
        for (position, row), key, (tool, state, replay_of) in zip(rows, keys, records, strict=True)
    ]
