"""Building what the scripts take; shared by the sync and the asyncio client."""

from __future__ import annotations

import json
from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from toolferry import SCHEMA_VERSION
from toolferry_ledger.keys import queue_prefix
from toolferry_ledger.records import Allowed, Approved, Settlement, Submission
from toolferry_ledger.settings import Settings

#: What may be said of a settlement in one word.
_FLAGS: Final = ("uncounted", "holding", "verify", "fault", "dead", "late", "decided")
_READ_FLAGS: Final = attrgetter(*_FLAGS)
#: What redis-py takes as an argument of a script.
Argument = bytes | str | int


def script_keys(settings: Settings) -> list[str]:
    """List the keys of every script: what the keys start with, and what the queues start with.

    The latter is empty when the queues are on another server, which no script can reach.
    """
    return [
        settings.key_prefix,
        queue_prefix(settings.namespace) if settings.broker_is_own else "",
    ]


def milliseconds(seconds: float) -> int:
    """Turn seconds into the server's whole milliseconds, at least 1."""
    return max(1, round(seconds * 1000))


def submit_arguments(
    turn_id: str,
    meta: bytes,
    digest: str,
    inbox: str,
    calls: Sequence[Submission],
    charges: bytes = b"",
) -> list[Argument]:
    """List what `submit` takes."""
    arguments: list[Argument] = [turn_id, meta, digest, inbox]
    for call in calls:
        arguments += (
            call.spec,
            call.signature,
            str(call.route),
            call.tool,
            call.tenant,
            milliseconds(call.timeout),
            milliseconds(call.deadline),
            "" if call.outcome is None else call.outcome.value,
            b"" if call.result is None else call.result,
            _plan(call),
            _resource(call),
            _limit(call),
            _rate(call),
            call.replay_of,
            _asks(call),
        )
    return [*arguments, charges] if charges else arguments


def _plan(call: Submission) -> str:
    """List whom a call waits for; behind `!` stands who has to succeed, too."""
    planned = ",".join(map(str, call.after))
    return planned if call.link is None else f"{planned}!{call.link}"


def _asks(call: Submission) -> int | str:
    """Give the milliseconds in which a person has to decide; empty when none has to."""
    return milliseconds(min(call.decide_within, call.deadline)) if call.awaits_approval else ""


def _resource(call: Submission) -> str:
    return f"{'w' if call.writes else 'r'}:{call.resource}" if call.resource is not None else ""


def _limit(call: Submission) -> str:
    return f"{call.concurrency.limit}:{call.concurrency.key}" if call.concurrency else ""


def _rate(call: Submission) -> str:
    rate = call.rate
    return f"{rate.limit}/{milliseconds(rate.per)}:{rate.key}" if rate else ""


def claim_arguments(
    owner: str, claim_id: str, room: int, notices: Sequence[tuple[str, int]]
) -> list[Argument]:
    """List what `claim` takes."""
    arguments: list[Argument] = [owner, claim_id, room]
    for key, fence in notices:
        arguments += (key, fence)
    return arguments


def settle_arguments(settlements: Sequence[Settlement], owner: str = "") -> list[Argument]:
    """List what `settle` takes."""
    arguments: list[Argument] = [owner]
    for one in settlements:
        arguments += (
            one.call_key,
            one.fence,
            one.state.value,
            (one.result or b"") + one.artifact,
            round(one.delay * 1000),
            one.note,
            _flags(one),
        )
    return arguments


def _flags(one: Settlement) -> str:
    flags = _READ_FLAGS(one)
    words = [word for word, is_set in zip(_FLAGS, flags, strict=True) if is_set]
    if one.seen is not None:
        words.append(f"seen:{one.seen.value}")
    if one.idle is not None:
        words.append(f"idle:{one.idle}")
    if one.artifact:
        words.append(f"artifact:{len(one.result or b'')}")
    return " ".join(words)


def approve_arguments(approved: Approved) -> list[Argument]:
    """List what `approve` takes."""
    return [
        approved.call_key,
        approved.seen_signature,
        approved.seen_grants,
        approved.spec,
        approved.signature,
        approved.grants,
        approved.decision,
        approved.more,
        *([approved.standing] if approved.standing else ()),
    ]


def allow_arguments(allowed: Allowed, most: int) -> list[Argument]:
    """List what `allow` takes."""
    return [
        allowed.id,
        allowed.whose,
        allowed.text,
        allowed.signature,
        allowed.uses,
        round(allowed.until * 1000),
        allowed.tool,
        most,
    ]


def progress_arguments(
    call_key: str, fence: int, fraction: float | None, message: str | None
) -> list[Argument]:
    """List what `progress` takes."""
    report = {"schema_version": SCHEMA_VERSION, "fraction": fraction, "message": message}
    return [call_key, fence, json.dumps(report)]
