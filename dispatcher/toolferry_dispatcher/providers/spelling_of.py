"""How a server wants schemas that speaks the format of another one."""

from __future__ import annotations

from dataclasses import replace

from toolferry_dispatcher.providers.dialect import StrictTools
from toolferry_dispatcher.providers.schemas import SPELLINGS, Spelling


def spelling_of(name: str, base: str, strict: StrictTools = StrictTools.EACH) -> Spelling:
    """Give how a server wants schemas: in its own way, or else in that of its base format.

    Args:
        name: The server's name.
        base: The name of the provider whose format it speaks.
        strict: Whether it holds the model to the schemas of strict tools.

    >>> spelling_of("some-server", "openai-chat", StrictTools.NONE).strict is None
    True
    """
    known = SPELLINGS.get(name, SPELLINGS[base])
    if strict is StrictTools.NONE:
        return replace(known, strict=None)
    if strict is StrictTools.ALL:
        return replace(known, limits=replace(known.limits, all_or_none=True))
    return known
