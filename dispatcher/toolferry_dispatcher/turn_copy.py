"""The copy of a turn: what its dispatcher remembers of it, should the server lose it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from toolferry import Registry, Tool
from toolferry_dispatcher.meta import TurnMeta
from toolferry_dispatcher.prepare import Prepared
from toolferry_ledger import Submission


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCopy:
    """A turn as it was written, or as it was found."""

    meta: TurnMeta
    #: The tool of each call; None where it is not known.
    tools: tuple[Tool | None, ...]
    #: About when it was written: server time, and the same moment of the monotonic clock.
    requested_at: float
    written_at: float
    #: The digest of its calls; None when another process has dispatched it.
    digest: str | None = None
    #: Its calls as they were written, where those that may shall run again; else empty.
    submissions: tuple[Submission, ...] = ()


def copy_written(
    prepared: Prepared, digest: str, calls: Sequence[Submission], now: float
) -> TurnCopy:
    """Remember a turn that was just written.

    Args:
        prepared: The turn.
        digest: The digest under which it was written.
        calls: Its calls, as they were written.
        now: The server's time.
    """
    return TurnCopy(
        meta=prepared.meta,
        tools=tuple(one.tool for one in prepared.admitted),
        requested_at=now,
        written_at=time.monotonic(),
        digest=digest,
        submissions=tuple(calls) if prepared.resubmit else (),
    )


def copy_found(meta: TurnMeta, registry: Registry) -> TurnCopy:
    """Remember a turn that another process has dispatched, as far as it can be known here."""
    return TurnCopy(
        meta=meta,
        tools=tuple(registry.get(call.name) for call in meta.calls),
        requested_at=time.time(),
        written_at=time.monotonic(),
    )
