"""Wire names: what a tool is called where its own name would be refused.

A tool keeps its name everywhere inside; only in a request and in the echo of a model's message
does it go by its wire name. The wire name depends on the name alone, so that it is the same in
every process and every turn, whatever other tools are on offer.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Final

#: The longest name that OpenAI takes. Source: shared_params/function_definition.py of `openai`.
MAX_LENGTH: Final = 64
#: Hex digits of the hash that tells apart what became alike: 40 bits.
_HASH_LENGTH: Final = 10
_LEGAL: Final = re.compile(rf"[A-Za-z0-9_-]{{1,{MAX_LENGTH}}}")
_ILLEGAL_RUN: Final = re.compile(r"[^A-Za-z0-9_-]+")


@lru_cache(maxsize=4096)
def wire_name(name: str) -> str:
    """Give the name that goes over the wire: ASCII letters, digits, `_` and `-`, 1 to 64.

    A legal name stays as it is. Another one is made legal and gets a hash of the whole name, so
    that two names do not become one.

    >>> wire_name("read_file")
    'read_file'
    >>> wire_name("calendar.update_event")
    'calendar_update_event_6f1970830e'
    """
    return fitted_name(name, _LEGAL, _ILLEGAL_RUN)


def fitted_name(name: str, legal: re.Pattern[str], illegal_run: re.Pattern[str]) -> str:
    """Give a name as it is when it is legal, else one made of it, with a hash of the whole name.

    Args:
        name: A tool's name.
        legal: Fits a whole legal name, of up to 64 characters.
        illegal_run: Fits what becomes one `_`.
    """
    if legal.fullmatch(name):
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]
    stem = illegal_run.sub("_", name).strip("_") or "tool"
    stem = stem if legal.match(stem) else f"_{stem}"
    return f"{stem[: MAX_LENGTH - _HASH_LENGTH - 1]}_{digest}"


def find_name(
    written: str, known: Collection[str], wire: Callable[[str], str] = wire_name
) -> str | None:
    """Give the tool's own name for what the model wrote: that name itself or its wire name.

    A tool that is really called so wins over one that only goes by that name on the wire.

    Args:
        written: The name in the model's call.
        known: The names of the tools.
        wire: How the provider's wire names are made.

    Returns:
        One of `known`; None when there is no such tool.
    """
    if written in known:
        return written
    return _by_wire_name(frozenset(known), wire).get(written)


@lru_cache(maxsize=64)
def _by_wire_name(known: frozenset[str], wire: Callable[[str], str]) -> dict[str, str]:
    # Made once for a set of tools: a model may make up a thousand names in one response.
    return {wire(name): name for name in known}
