"""Sharing: which calls a concurrency limit or a rate counts together.

Its key is a template over the arguments. Two places in it are about who asks, and no model can fill
them: `{context.tenant}` and `{context.principal}`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from toolferry.context import Context
from toolferry.errors import ToolInvalid
from toolferry.placement import Concurrency, Rate
from toolferry.template import places

#: The places that are about who asks.
CALLER_PLACES: Final = frozenset({"context.tenant", "context.principal"})
_CONTEXT: Final = "context"


def with_caller(key: str, arguments: Mapping[str, Any], context: Context) -> Mapping[str, Any]:
    """Give what the places of a key are filled from: the arguments, and who asks where it says so.

    >>> with_caller("{context.tenant}", {"context": "the model's"}, Context(tenant="acme"))
    {'context': {'tenant': 'acme', 'principal': 'anonymous'}}
    """
    if CALLER_PLACES.isdisjoint(places(key)):
        return arguments
    return {**arguments, _CONTEXT: {"tenant": context.tenant, "principal": context.principal}}


def check_sharing(
    tool: str, word: str, limit: Concurrency | Rate | None, properties: Collection[str]
) -> None:
    """Require that every place of a limit's key can be filled, and in one way only.

    Args:
        tool: The tool's name.
        word: The field that the limit stands in.
        limit: The limit; None is fine.
        properties: The names of the parameters.

    Raises:
        ToolInvalid: A place is no parameter, or could be one as well as who asks.
    """
    for place in places(limit.key if limit else ""):
        if place in CALLER_PLACES and _CONTEXT in properties:
            raise ToolInvalid(
                tool, f"{word} names {{{place}}}, and a parameter is called context: rename that"
            )
        if place not in CALLER_PLACES and place.partition(".")[0] not in properties:
            raise ToolInvalid(tool, f"{word} names {{{place}}}, which is no parameter")
