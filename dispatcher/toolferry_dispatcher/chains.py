"""Chains: calls of one response of which each runs only if the one before it has succeeded.

A provider says which calls belong together: the model planned them as a sequence, such as the
clicks on one screen, and a later one makes no sense once an earlier one did not happen. They run in
order; after the first that does not succeed, however it ends, the rest is answered as not executed.
What can be known before anything runs is decided here, the rest by the ledger, which marks whoever
follows on a call that did not succeed. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from toolferry import NOT_EXECUTED, ErrorCode
from toolferry_policies import Deny, refusal

if TYPE_CHECKING:
    from toolferry_dispatcher.admission import Admitted


def broken_off(admitted: Sequence[Admitted], now: float) -> tuple[Admitted, ...]:
    """Refuse the calls of chains of which an earlier one was refused.

    Args:
        admitted: The calls of a response with what was decided about each.
        now: Server time, seconds since the epoch.
    """
    if not any(one.chain for one in admitted):
        return tuple(admitted)
    broken: set[str] = set()
    kept = []
    for one in admitted:
        if one.chain in broken and one.refused is None:
            one = _not_executed(one, now)  # noqa: PLW2901 -- what is kept of it
        if one.chain and one.refused is not None:
            broken.add(one.chain)
        kept.append(one)
    return tuple(kept)


def links_of(admitted: Sequence[Admitted]) -> list[int | None]:
    """Give for each call the position of the one that has to succeed before it; None for nobody."""
    last: dict[str, int] = {}
    links: list[int | None] = []
    for position, one in enumerate(admitted):
        links.append(last.get(one.chain) if one.refused is None else None)
        if one.chain and one.refused is None:
            last[one.chain] = position
    return links


def _not_executed(one: Admitted, now: float) -> Admitted:
    denied = Deny(ErrorCode.NOT_EXECUTED, NOT_EXECUTED)
    return replace(one, refused=refusal(one.call, denied, now), approval="", rule="chain")
