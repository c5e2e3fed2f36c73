"""The rules of a provider's schemas, as data: the rewritings of a schema, and limits."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from toolferry_dispatcher.providers.schemas.spot import Spot

#: A schema of which this package may change the first level: what is deeper is never touched.
Schema: TypeAlias = dict[str, Any]
#: One rewriting of one schema, its children not yet rewritten; it tells the spot what got lost.
Rewriting: TypeAlias = "Callable[[Schema, Spot], Schema]"


@dataclass(frozen=True, slots=True)
class SchemaRules:
    """What one form of one provider makes of a schema."""

    #: What every schema goes through, in this order, from the root inwards.
    rewritings: tuple[Rewriting, ...]
    #: What every schema goes through when its children are done, in this order.
    finishings: tuple[Rewriting, ...] = ()
    #: The keywords that are understood. None: all of them.
    keywords: frozenset[str] | None = None
    #: The values of `format` that are understood. None: all of them.
    formats: frozenset[str] | None = None
    #: What the name of a member has to match. None: any name does.
    members: re.Pattern[str] | None = None
    #: Whether a schema may refer to itself.
    recursion: bool = True
    #: How often a reference is written out inside of itself, where none are understood.
    unrolled: int = 1
    #: Objects inside of each other, at most. None: no limit is known.
    depth: int | None = None
    #: Members of one schema at all depths, at most.
    properties: int | None = None
    #: Values of all enums of one schema, at most.
    enum_values: int | None = None
    #: Whether a tool without a required member is refused.
    needs_required: bool = False


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """What all strict tools of one request may have together; None: no limit is known."""

    #: Tools.
    tools: int | None = None
    #: Members that are not required.
    optional: int | None = None
    #: Members of several types.
    unions: int | None = None
    #: Members.
    properties: int | None = None
    #: Whether strict is asked of the request as a whole, so that all its tools are strict or none.
    all_or_none: bool = False


@dataclass(frozen=True, slots=True)
class Spelling:
    """How one provider wants schemas: what they may say, and in which words."""

    #: What always works.
    plain: SchemaRules
    #: What its strict mode takes. None: it has none.
    strict: SchemaRules | None = None
    limits: RequestLimits = field(default_factory=RequestLimits)
    #: What a request needs beside its tools for them to be strict.
    request: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
