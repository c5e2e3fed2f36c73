"""Wire ids: what a call is called where its own id is too long to go back.

A call keeps the provider's id everywhere inside; only in a request does it go by its wire id. As
with names, the wire id depends on the id alone: both sides of a pair become the same, in every
process and every turn, and the id of a wire id is found again among those that are known.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from toolferry_dispatcher.providers.given import settle_ids

#: Hex digits of the hash that tells apart what was cut to the same: 80 bits.
_HASH_LENGTH: Final = 20


def wire_id(call_id: str, limit: int) -> str:
    """Give the id that goes over the wire: the id itself, or its beginning and its hash.

    Args:
        call_id: The id of a call.
        limit: The most characters that the provider takes; 22 or more.

    >>> wire_id("call_1", 64)
    'call_1'
    >>> wire_id("call_" + "0" * 64, 40)
    'call_00000000000000_157b707b469a3597b3ea'
    """
    if len(call_id) <= limit:
        return call_id
    digest = hashlib.sha256(call_id.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]
    return f"{call_id[: limit - _HASH_LENGTH - 1]}_{digest}"


def find_id(written: str, known: Iterable[str], limit: int) -> str | None:
    """Give the id of a wire id, from those that are known; None when it is none of theirs."""
    return next((one for one in known if wire_id(one, limit) == written), None)


def settle_wire_ids(
    given: Sequence[object], seed: Callable[[], str], limit: int
) -> tuple[str, ...]:
    """Give every call of one response an id whose wire id no other one has; see `settle_ids`."""
    short = [wire_id(one, limit) if isinstance(one, str) else one for one in given]
    settled = settle_ids(short, seed)
    return tuple(
        one if isinstance(one, str) and kept == cut else kept
        for one, cut, kept in zip(given, short, settled, strict=True)
    )
