"""Reading what the scripts answer; shared by the sync and the asyncio client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolferry import CallState
from toolferry_ledger.records import (
    Claim,
    ClaimReply,
    DueReply,
    Ring,
    SettleReply,
    SubmitReply,
    Suspect,
    SweepReply,
    TurnRecord,
)
from toolferry_ledger.route import Route

#: What an inbox is told when nothing ended; no call has this key.
WAKE: Final = "wake"
_UNMARKED: Final[frozenset[str]] = frozenset()
#: Where a claim has its grants, if it needs any.
_GRANT: Final = 12


def seconds(milliseconds: bytes | int) -> float:
    """Turn the server's milliseconds into seconds."""
    return int(milliseconds) / 1000


def read_clock(reply: tuple[int, int]) -> int:
    """Turn what TIME answers into whole milliseconds since the epoch."""
    return int(reply[0]) * 1000 + int(reply[1]) // 1000


def read_order(text: bytes) -> tuple[str, int]:
    """Read one order to stop an attempt: a call's key and the attempt's fence."""
    key, _, fence = text.decode().rpartition(" ")
    return key, int(fence)


def read_inbox(reply: Any, after: str) -> tuple[str, dict[str, bytes | None]]:
    """Read what XREAD answers about an inbox: the position to go on after, and the ends.

    Args:
        reply: In either protocol: a map or a list of pairs; nothing when the time was up.
        after: The position that was read after.
    """
    if not reply:
        return after, {}
    rows = next(iter(reply.values())) if isinstance(reply, dict) else reply[0][1]
    ends: dict[str, bytes | None] = {}
    for _position, fields in rows:
        names = map(bytes.decode, fields[::2])
        ends.update(zip(names, (text or None for text in fields[1::2]), strict=True))
    ends.pop(WAKE, None)
    return rows[-1][0].decode(), ends


def read_rings(flat: Sequence[Any]) -> list[Ring]:
    """Read the flat list of notices that every transition may return."""
    return [
        Ring(
            call_key=flat[at].decode(),
            fence=int(flat[at + 1]),
            route=Route.read(flat[at + 2].decode()),
            tool=flat[at + 3].decode(),
            notice=int(flat[at + 4]),
        )
        for at in range(0, len(flat), 5)
    ]


def read_submitted(reply: Sequence[Any]) -> SubmitReply | None:
    """Read the answer of `submit`; None for a conflict."""
    status, now, rings, refused = reply
    if status == b"conflict":
        return None
    texts = dict(zip(map(int, refused[::2]), refused[1::2], strict=True))
    return SubmitReply(status == b"created", seconds(now), read_rings(rings), texts)


def read_claims(reply: Sequence[Any]) -> ClaimReply:
    """Read the answer of `claim`."""
    claims = [
        Claim(
            call_key=row[0].decode(),
            fence=int(row[1]),
            spec=row[2],
            signature=row[3].decode(),
            attempt=int(row[4]),
            requested_at=seconds(row[5]),
            started_at=seconds(row[6]),
            deadline_at=seconds(row[7]),
            limit=seconds(row[8]),
            checkpoint=row[9],
            marks=frozenset(row[10].decode().split()) if row[10] else _UNMARKED,
            doubt=row[11],
            grant=row[12] if len(row) > _GRANT else b"",
        )
        for row in reply[0]
    ]
    return ClaimReply(claims, read_rings(reply[1]), None if reply[2] < 0 else reply[2] / 1000)


def read_settled(reply: Sequence[Any]) -> SettleReply:
    """Read the answer of `settle`."""
    return SettleReply([bool(flag) for flag in reply[0]], read_rings(reply[1]))


def read_suspect(row: Sequence[Any]) -> Suspect:
    """Read one call on which someone must act."""
    return Suspect(
        call_key=row[0].decode(),
        fence=int(row[1]),
        state=CallState(row[2].decode()),
        spec=row[3],
        signature=row[4].decode(),
        attempt=int(row[5]),
        requested_at=seconds(row[6]),
        started_at=seconds(row[7]) if row[7] else None,
        deadline_at=seconds(row[8]),
        now=seconds(row[9]),
        abandoned=bool(row[10]),
        waits_for=row[11].decode(),
        cancelled=None if row[12] is None else row[12].decode(),
        doubt=row[13] or b"",
    )


def read_due(reply: Sequence[Any]) -> DueReply:
    """Read the answer of `due`."""
    suspects, rings, wait, elected, issued = reply
    return DueReply(
        suspects=[read_suspect(row) for row in suspects],
        rings=read_rings(rings),
        wait=None if wait < 0 else wait / 1000,
        elected=bool(elected),
        issued={
            Route.read(route.decode()): int(number)
            for route, number in zip(issued[::2], issued[1::2], strict=True)
        },
    )


def read_sweep(reply: Sequence[Any]) -> SweepReply:
    """Read the answer of `sweep`."""
    return SweepReply([read_suspect(row) for row in reply[0]], read_rings(reply[1]))


def read_turn(turn_id: str, flat: Sequence[bytes]) -> TurnRecord | None:
    """Read a turn's hash; None when there is no such turn."""
    fields = dict(zip(flat[::2], flat[1::2], strict=True))
    if not fields:
        return None
    return TurnRecord(
        turn_id,
        fields[b"meta"],
        int(fields[b"size"]),
        int(fields[b"open"]),
        results=_by_position(fields, b"r:"),
        answers=_by_position(fields, b"a:"),
    )


def _by_position(fields: Mapping[bytes, bytes], start: bytes) -> dict[int, bytes]:
    return {int(name[2:]): text for name, text in fields.items() if name.startswith(start)}
