"""Keywords that a provider does not know: said in another way, told in words, or left out."""

from __future__ import annotations

import math
import re
from typing import Any, Final

from toolferry.wording import json_text, shortened
from toolferry_dispatcher.providers.schemas.kinds import ABOUT, types_of
from toolferry_dispatcher.providers.schemas.loss import Change
from toolferry_dispatcher.providers.schemas.rules import Schema
from toolferry_dispatcher.providers.schemas.spot import Spot

#: Keywords that a model understands as words behind a description, as `minLength 3`.
_TELLING: Final = frozenset(
    {
        "const",
        "default",
        "examples",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "multipleOf",
        "pattern",
        "uniqueItems",
    }
)
#: Characters of one value that goes into a description.
_MOST_TOLD: Final = 120
#: Keywords that say something of a value where no type is named.
_SPEAKING: Final = frozenset({"type", "$ref", "anyOf", "enum", "const"})
_LOOKAROUND: Final = re.compile(r"(?<!\\)(?:\\\\)*\(\?<?[=!]")


def whole_bounds(schema: Schema, spot: Spot) -> Schema:
    """Write bounds that a value must not reach as bounds that it may reach."""
    schema = _bound(schema, spot, "exclusiveMinimum", "minimum")
    return _bound(schema, spot, "exclusiveMaximum", "maximum")


def known_keywords(schema: Schema, spot: Spot) -> Schema:
    """Keep the keywords and formats that are understood; tell the others in words, or drop them."""
    told = []
    kept: Schema = {}
    for keyword, value in schema.items():
        if _is_known(keyword, value, spot):
            kept[keyword] = value
        elif keyword in _TELLING and value is not None:
            told.append(f"{keyword} {shortened(json_text(value), _MOST_TOLD)}")
            spot.lost(keyword, Change.MOVED, "into the description")
        else:
            spot.lost(keyword, Change.DROPPED, "it is not understood")
    if told:
        words = (schema.get("description"), f"({', '.join(told)})")
        kept["description"] = " ".join(word for word in words if isinstance(word, str) and word)
    return kept


def simple_patterns(schema: Schema, spot: Spot) -> Schema:
    """Tell a pattern that looks around in words: no strict mode takes one."""
    pattern = schema.get("pattern")
    if not isinstance(pattern, str) or not _LOOKAROUND.search(pattern):
        return schema
    others = {keyword: value for keyword, value in schema.items() if keyword != "pattern"}
    words = (schema.get("description"), f"(pattern {shortened(json_text(pattern), _MOST_TOLD)})")
    spot.lost("pattern", Change.MOVED, "into the description: it looks around")
    return {**others, "description": " ".join(word for word in words if isinstance(word, str))}


def one_example(schema: Schema, spot: Spot) -> Schema:
    """Give the first of several examples, where there is a place for one."""
    examples = schema.get("examples")
    if not isinstance(examples, list) or not examples:
        return schema
    others = {keyword: value for keyword, value in schema.items() if keyword != "examples"}
    spot.lost("examples", Change.REWRITTEN, "the first as the example")
    return {**others, "example": examples[0]}


def inferred_type(schema: Schema, spot: Spot) -> Schema:
    """Name the type that the keywords of a schema are about, when it names none."""
    if _SPEAKING & schema.keys():
        return schema
    about = {ABOUT[keyword] for keyword in schema if keyword in ABOUT}
    if len(about) != 1:
        return schema
    kind = about.pop()
    spot.lost("type", Change.REWRITTEN, f"{kind}, which its keywords are about")
    return {"type": kind, **schema}


def typed(schema: Schema, spot: Spot) -> Schema:
    """Say that strict cannot be where a value may be anything."""
    if not _SPEAKING & schema.keys():
        spot.narrowed("type", "none is named: the value may be anything")
    return schema


def text_where_untyped(schema: Schema, spot: Spot) -> Schema:
    """Ask for a text where a value may be anything."""
    if _SPEAKING & schema.keys():
        return schema
    spot.narrowed("type", "none is named: the value is asked for as a text")
    return {"type": "string", **schema}


def about_its_type(schema: Schema, spot: Spot) -> Schema:
    """Leave out the keywords that are about values of another type: they say nothing of its own."""
    declared = schema.get("type")
    if not isinstance(declared, str):
        return schema
    kind = {"integer": "number"}.get(declared, declared)
    # A format may also be one of numbers.
    others = [key for key in schema if key != "format" and ABOUT.get(key, kind) != kind]
    for keyword in others:
        spot.lost(keyword, Change.DROPPED, f"it says nothing about a value of type {declared}")
    return {keyword: value for keyword, value in schema.items() if keyword not in others}


def _is_known(keyword: str, value: Any, spot: Spot) -> bool:
    rules = spot.rules
    known = rules.keywords is None or keyword in rules.keywords
    return known and (keyword != "format" or rules.formats is None or value in rules.formats)


def _bound(schema: Schema, spot: Spot, exclusive: str, inclusive: str) -> Schema:
    value = schema.get(exclusive)
    if value is None or not {"integer", "number"} & set(types_of(schema)):
        return schema
    lower = inclusive == "minimum"
    if "number" not in types_of(schema):
        value = math.floor(value) + 1 if lower else math.ceil(value) - 1
        spot.lost(exclusive, Change.REWRITTEN, f"{inclusive} {value}")
    else:
        spot.lost(exclusive, Change.REWRITTEN, f"{inclusive}, which the value may reach")
    tightest = max if lower else min
    others = {keyword: one for keyword, one in schema.items() if keyword != exclusive}
    return {**others, inclusive: tightest(value, schema.get(inclusive, value))}
