"""Wire ids: what a call's id becomes where the id as given would be refused.

Like a wire name, it depends on the id alone: the model's message and the result that answers it
agree, in every process and every turn. `find_name` finds the id of which it was made, too.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

from toolferry_dispatcher.providers.given import IdForm

#: The most characters of an id that was made legal; Bedrock takes no more.
_MAX_LENGTH: Final = 64
#: Hex digits of the hash that tells apart what became alike: 64 bits.
_HASH_LENGTH: Final = 16
_ILLEGAL_RUN: Final = re.compile(r"[^A-Za-z0-9_-]+")


def wire_id(given_id: str, form: IdForm) -> str:
    """Give an id in the form that a provider takes: as it is, or made of ASCII and a hash.

    >>> tight = IdForm("[a-z]+")
    >>> wire_id("abc", tight), wire_id("functions.look_up:0", tight)
    ('abc', 'functions_look_up_0_bb27e067bc1b1b06')
    """
    if form.takes(given_id):
        return given_id
    digest = hashlib.sha256(given_id.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]
    stem = _ILLEGAL_RUN.sub("_", given_id).strip("_") or "call"
    return f"{stem[: _MAX_LENGTH - _HASH_LENGTH - 1]}_{digest}"


def wire_ids(given: list[object], form: IdForm) -> list[object]:
    """Make the ids of one response legal; what is no id, or has no ink, is left as it came."""
    return [wire_id(one, form) if isinstance(one, str) and one.strip() else one for one in given]
