"""A sample of a tool's arguments: its author's, or the smallest that its schema lets be made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from toolferry.errors import SchemaInvalid
from toolferry.formats import FORMAT_EXAMPLES
from toolferry.once_each import once_each
from toolferry.references import resolve
from toolferry.tool import Tool

#: Bytes of a sample as JSON text; a larger one costs a model more than it helps.
MAX_SAMPLE: Final = 240
#: How far objects, arrays and references are followed.
_MAX_LEVELS: Final = 6
#: Elements of an array that are made; they hold each other.
_MOST_ELEMENTS: Final = 8
_BY_KIND: Final[Mapping[str, Any]] = MappingProxyType(
    {"string": "text", "boolean": True, "null": None, "array": [], "object": {}}
)
#: Writes them piece by piece.
_PIECES: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).iterencode


def sample_of(tool: Tool) -> dict[str, Any] | None:
    """Give arguments that fit a tool and are small; None when there are none at hand.

    They are made once for a tool, and must not be changed.

    >>> sample_of(Tool(name="get", parameters={"properties": {"id": {"type": "integer"}},
    ...                                        "required": ["id"]}))
    {'id': 1}
    """
    return _made_for(tool)


@once_each
def _made_for(tool: Tool) -> dict[str, Any] | None:
    for one in tool.examples:
        if _is_small(one):
            return dict(one)
    try:
        maker = _Maker(tool.parameters, tool.validator.discretion.schemas)
        made = maker.value({"type": "object", **tool.parameters})
        fits = isinstance(made, dict) and _is_small(made) and not tool.validator.faults(made)
    except (SchemaInvalid, LookupError, TypeError, ValueError):  # it asks for what is hard to make
        return None
    return made if fits else None


def _is_small(sample: Any) -> bool:
    """Look at no more of it than may be there: its elements may hold each other many times."""
    room = MAX_SAMPLE
    for piece in _PIECES(sample):
        room -= len(piece.encode(errors="replace"))
        if room < 0:
            return False
    return True


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes values for the schemas of one document; what it makes still has to be judged."""

    root: Mapping[str, Any]
    #: The schemas that tell what values a secret may have, by their ids.
    secret: frozenset[int]
    level: int = 0
    #: What was made, by schema and level: members may lead to one schema many times.
    made: dict[tuple[int, int], Any] = field(default_factory=dict)

    def value(self, schema: Any) -> Any:
        if not isinstance(schema, Mapping) or self.level > _MAX_LEVELS:
            return "text"
        if id(schema) not in self.secret:
            told = [schema[word] for word in ("const", "default") if word in schema]
            told += [schema[word][0] for word in ("enum", "examples") if schema.get(word)]
            if told:
                return told[0]
        return self.composed(schema) if "type" not in schema else self.of_kind(schema)

    def composed(self, schema: Mapping[str, Any]) -> Any:
        for keyword in ("$ref", "$dynamicRef"):
            if keyword in schema:
                return self.deeper(resolve(self.root, schema[keyword]))
        for keyword in ("anyOf", "oneOf", "allOf"):
            if schema.get(keyword):
                return self.deeper(schema[keyword][0])
        return self.of_kind({"type": "object" if "properties" in schema else "string", **schema})

    def deeper(self, schema: Any) -> Any:
        known = (id(schema), self.level + 1)
        if known not in self.made:
            self.made[known] = _Maker(self.root, self.secret, self.level + 1, self.made).value(
                schema
            )
        return self.made[known]

    def of_kind(self, schema: Mapping[str, Any]) -> Any:
        kind = schema["type"] if isinstance(schema["type"], str) else schema["type"][0]
        if kind == "object":
            wanted = schema.get("properties", {})
            return {name: self.deeper(wanted.get(name)) for name in schema.get("required", ())}
        if kind == "array":
            count = min(schema.get("minItems", 1), _MOST_ELEMENTS)
            return [self.deeper(schema.get("items"))] * count
        if kind in {"integer", "number"}:
            return _number(schema)
        return _text(schema) if kind == "string" else _BY_KIND[kind]


def _number(schema: Mapping[str, Any]) -> Any:
    above = schema.get("exclusiveMinimum")
    low = schema.get("minimum", 1 if above is None else above + 1)
    return min(low, schema["maximum"]) if "maximum" in schema else low


def _text(schema: Mapping[str, Any]) -> str:
    text = FORMAT_EXAMPLES.get(schema.get("format", ""), "text")
    text = text.ljust(min(schema.get("minLength", 0), MAX_SAMPLE), "x")
    return text[: schema["maxLength"]] if "maxLength" in schema else text
