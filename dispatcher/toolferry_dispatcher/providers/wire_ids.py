"""Wire ids: what a call's id becomes in a request where the id as given would be refused.

A call keeps the provider's id everywhere inside. Like a wire name, the wire id depends on the id
alone: the model's message and the result that answers it agree, in every process and every turn,
and `find_name` finds the id of a wire id among those that are known.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from typing import Final

from toolferry_dispatcher.providers.given import IdForm, settle_ids
from toolferry_dispatcher.providers.json_data import fold

#: The most characters of an id that was made legal; Bedrock takes no more.
_MAX_LENGTH: Final = 64
#: Hex digits of the hash that tells apart what became alike: 80 bits.
_HASH_LENGTH: Final = 20
_ILLEGAL_RUN: Final = re.compile(r"[^A-Za-z0-9_-]+")


def wire_id(call_id: str, form: IdForm) -> str:
    """Give the id that goes over the wire: as it is, or a legal one with a hash of the whole.

    Args:
        call_id: The id of a call.
        form: What the provider takes; letters, digits, `_` and `-`, 64 of them, are of that form.

    >>> tight = IdForm("[a-z]+")
    >>> wire_id("abc", tight), wire_id("functions.look_up:0", tight)
    ('abc', 'functions_look_up_0_5223f977c407b75b4f14')
    """
    if form.takes(call_id):
        return call_id
    digest = hashlib.sha256(call_id.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]
    stem = _ILLEGAL_RUN.sub("_", call_id).strip("_") or "call"
    return f"{stem[: _MAX_LENGTH - _HASH_LENGTH - 1]}_{digest}"


def settle_wire_ids(
    given: Sequence[object], seed: Callable[[], str], form: IdForm
) -> tuple[str, ...]:
    """Give every call of one response an id whose wire id no other one has; see `settle_ids`."""
    legal = [wire_id(one, form) if isinstance(one, str) and one.strip() else one for one in given]
    settled = settle_ids(legal, seed, form)
    return tuple(
        one if isinstance(one, str) and kept == wired and fold(one) == one else kept
        for one, wired, kept in zip(given, legal, settled, strict=True)
    )
