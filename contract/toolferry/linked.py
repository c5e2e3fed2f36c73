"""The copy of a schema that the judge works with: it means the same, and is quicker and clearer.

1. Each reference knows what it leads to.
2. No part says `$schema`: jsonschema would judge it by the keywords of that draft, and not by ours.
3. What admits nothing is spelled out: of the schema `false`, jsonschema tells neither where in the
   arguments nor in which alternative it stood.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from jsonschema.protocols import Validator

from toolferry.references import resolve
from toolferry.subschemas import children, walk

_REFERENCES: Final = ("$ref", "$dynamicRef")
#: Keywords that have words of their own for what `false` refuses.
_SPEAKING: Final = frozenset(
    {"additionalProperties", "items", "unevaluatedItems", "unevaluatedProperties"}
)


class Link(str):
    """The text of a reference, which knows where it leads."""

    __slots__ = ("judge", "target")

    #: What it points to, in the same document.
    target: Any
    #: Judges by that; made when it is first asked for.
    judge: Validator | None


def linked(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Give the copy of a checked schema.

    >>> linked({"$schema": "any", "properties": {"a": False}})
    {'properties': {'a': {'enum': []}}}
    """
    copied: dict[str, Any] = _copy(schema)
    for _, part in walk(copied):
        part.pop("$schema", None)
        _spell_out(part)
    for _, part in walk(copied):
        _link(copied, part)
    return copied


def _copy(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {key: _copy(value) for key, value in data.items()}
    return [_copy(value) for value in data] if isinstance(data, list) else data


def _spell_out(part: dict[str, Any]) -> None:
    for way, child in children(part):
        if child is False and way[0] not in _SPEAKING:
            holder: Any = part
            for step in way[:-1]:
                holder = holder[step]
            holder[way[-1]] = {"enum": []}


def _link(root: Mapping[str, Any], part: dict[str, Any]) -> None:
    for keyword in _REFERENCES:
        if isinstance(part.get(keyword), str):
            link = part[keyword] = Link(part[keyword])
            link.target, link.judge = resolve(root, link), None
