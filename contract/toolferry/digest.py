"""The digest of a tool: equal in two processes when one can run what the other asks for.

It covers what decides whether a call can be run as it was judged: name, version, lane, effect
class, whether it may be repeated, whether it can be verified, and the schema without its words. It
does not cover what may differ without harm while a new release rolls out: descriptions, limits,
retries, permissions, examples.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from toolferry.states import EffectClass, Lane
from toolferry.subschemas import without

#: Keywords of a schema that tell people and models something, and refuse no argument.
WORDS: Final = frozenset({"title", "description", "$comment", "examples", "deprecated"})
#: Hex digits of a digest: 64 bits, short enough to read out, never equal by chance.
LENGTH: Final = 16


def tool_digest(  # noqa: PLR0913 -- each is one of the facts above
    *,
    name: str,
    parameters: Mapping[str, Any],
    version: str,
    lane: Lane,
    effect: EffectClass,
    repeatable: bool,
    verifiable: bool = False,
) -> str:
    """Give the digest of a tool as 16 hex digits.

    >>> facts = dict(name="t", version="1", effect=EffectClass.READ, repeatable=True)
    >>> first = tool_digest(parameters={"title": "A"}, lane=Lane.ASYNC, **facts)
    >>> first == tool_digest(parameters={"title": "B"}, lane=Lane.ASYNC, **facts)
    True
    >>> first == tool_digest(parameters={}, lane=Lane.PROCESS, **facts)
    False
    """
    facts = [name, without(parameters, WORDS), version, lane.value, effect.value, repeatable]
    # Not told of others, whose digest stays what it was before there was such a thing.
    facts += ["verifiable"] if verifiable else []
    text = json.dumps(facts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:LENGTH]
