"""Sabotage: faults planted in the system itself, which a chaos run must then find.

Nothing of the product knows of this: the modules that workers and dispatchers load replace parts of
it when the environment asks for that. One in some calls is hit, chosen by its key, so that it makes
no difference which process meets it.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, Final

import toolferry_dispatcher.admission
import toolferry_worker.slots
from toolferry import OPEN_STATES
from toolferry_dispatcher.plan import Need
from toolferry_ledger import AsyncLedger, ClaimReply, Ledger, Settlement, SettleReply

#: The variable that names the sabotage.
VARIABLE: Final = "CHAOS_BREAK"
#: One in so many calls is hit.
ONE_IN: Final = 15


class Sabotage(StrEnum):
    """What is planted."""

    #: The ends of some calls are never written, whoever tries.
    LOSE = "lose"
    #: Some calls are given to a worker twice.
    DOUBLE = "double"
    #: Nothing is known of what calls fight for.
    REORDER = "reorder"
    #: Some slots of async workers are never given back.
    LEAK = "leak"


def plant() -> None:
    """Plant what the environment asks for in this process; nothing when it asks for nothing."""
    wanted = os.environ.get(VARIABLE)
    if wanted:
        _PLANTERS[Sabotage(wanted)]()


def _is_hit(key: str) -> bool:
    return zlib.crc32(key.encode()) % ONE_IN == 0


def _lose() -> None:
    settle, settle_async = Ledger.settle, AsyncLedger.settle

    def forgetful(self: Ledger, settlements: Sequence[Settlement], *rest: Any) -> SettleReply:
        return _as_if_all(settlements, settle(self, _kept(settlements), *rest))

    async def forgetful_async(
        self: AsyncLedger, settlements: Sequence[Settlement], *rest: Any
    ) -> SettleReply:
        return _as_if_all(settlements, await settle_async(self, _kept(settlements), *rest))

    _replace(Ledger, "settle", forgetful)
    _replace(AsyncLedger, "settle", forgetful_async)


def _kept(settlements: Sequence[Settlement]) -> list[Settlement]:
    return [one for one in settlements if one.state in OPEN_STATES or not _is_hit(one.call_key)]


def _as_if_all(settlements: Sequence[Settlement], reply: SettleReply) -> SettleReply:
    accepted = iter(reply.accepted)
    kept = {id(one) for one in _kept(settlements)}
    told = [next(accepted) if id(one) in kept else True for one in settlements]
    return replace(reply, accepted=told)


def _double() -> None:
    claim = Ledger.claim

    def generous(self: Ledger, *given: Any, **named: Any) -> ClaimReply:
        reply = claim(self, *given, **named)
        again = [one for one in reply.claims if _is_hit(one.call_key)]
        return replace(reply, claims=[*reply.claims, *again])

    _replace(Ledger, "claim", generous)


def _reorder() -> None:
    def careless(calls: Sequence[tuple[Any, Any]]) -> list[Need | None]:
        return [None if tool is None else Need() for _, tool in calls]

    _replace(toolferry_dispatcher.admission, "needs_of", careless)


def _leak() -> None:
    give = toolferry_worker.slots.Slots.give
    given = 0

    def forgetful(self: toolferry_worker.slots.Slots) -> None:
        nonlocal given
        given += 1
        if given % ONE_IN:
            give(self)

    _replace(toolferry_worker.slots.Slots, "give", forgetful)


def _replace(holder: Any, name: str, by: Callable[..., Any]) -> None:
    if not hasattr(holder, name):
        raise AttributeError(f"{holder!r} has no {name}: the sabotage no longer fits the product")
    setattr(holder, name, by)


_PLANTERS: Final[dict[Sabotage, Callable[[], None]]] = {
    Sabotage.LOSE: _lose,
    Sabotage.DOUBLE: _double,
    Sabotage.REORDER: _reorder,
    Sabotage.LEAK: _leak,
}
