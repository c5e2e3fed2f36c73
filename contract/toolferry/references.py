"""References inside a schema: `$ref` may point into its own document and nowhere else."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any, Final
from urllib.parse import unquote

from toolferry.subschemas import IN_PLACE, Place, children, pointer, walk

#: Schemas that may judge the same value one after the other; real ones stay below ten.
MAX_CHAIN: Final = 100
#: Keywords whose value is a reference.
_REFERRING: Final = ("$ref", "$dynamicRef")
#: Documents whose anchors are remembered; without, each reference would walk through all of one.
_MOST_REMEMBERED: Final = 256
#: Digits of a place in a list; Python refuses to read numbers of thousands.
_MAX_DIGITS: Final = 9


def resolve(root: Mapping[str, Any], reference: str) -> Any:
    """Give the schema that a local reference points to.

    Args:
        root: The whole schema document; its anchors must never change.
        reference: `#`, a JSON pointer such as `#/$defs/Node`, or an anchor such as `#node`.

    Raises:
        LookupError: It points outside of the document, or to nothing in it.

    >>> resolve({"$defs": {"a/b": {"type": "string"}}}, "#/$defs/a~1b")
    {'type': 'string'}
    """
    base, _, fragment = reference.partition("#")
    if base:
        raise LookupError(reference)
    fragment = unquote(fragment)
    if fragment and not fragment.startswith("/"):
        return _anchored(root, fragment)
    found: Any = root
    for step in fragment.split("/")[1:]:
        found = _member(found, step.replace("~1", "/").replace("~0", "~"))
    return found


def _member(value: Any, key: str) -> Any:
    if isinstance(value, list) and key.isdecimal() and len(key) <= _MAX_DIGITS:
        return value[int(key)]
    if isinstance(value, Mapping):
        return value[key]
    raise LookupError(key)


class _Document:
    """A document that is known by its identity, which it keeps for as long as it is remembered."""

    __slots__ = ("root",)

    def __init__(self, root: Mapping[str, Any]) -> None:
        self.root = root

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Document) and self.root is other.root

    def __hash__(self) -> int:
        return id(self.root)


def _anchored(root: Mapping[str, Any], anchor: str) -> Any:
    return _anchors(_Document(root))[anchor]


@lru_cache(maxsize=_MOST_REMEMBERED)
def _anchors(document: _Document) -> Mapping[str, Any]:
    """Give the schemas of a document by their anchors; of one name, the first."""
    found: dict[str, Any] = {}
    for _, schema in walk(document.root):
        for key in ("$anchor", "$dynamicAnchor"):
            if isinstance(schema.get(key), str):
                found.setdefault(schema[key], schema)
    return found


def endless(root: Mapping[str, Any]) -> str | None:
    """Name a schema that leads on to others for ever without looking into the value; or None.

    Such a schema can never be decided: `{"$ref": "#"}`, or two that refer to each other. One that
    leads through more than a hundred others counts too. A schema that refers to itself for a
    member or an element is fine: every value ends.

    >>> endless({"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}})
    '#/$defs/A'
    >>> endless({"properties": {"child": {"$ref": "#"}}}) is None
    True
    """
    lengths: dict[int, float] = {}
    for place, schema in _everywhere(root):
        if _length(root, schema, lengths, set()) > MAX_CHAIN:
            return place
    return None


def _everywhere(root: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Give every schema that can judge a value, each with a reference to it."""
    for start, part in chain([("#", root)], strays(root)):
        for place, schema in walk(part):
            yield start + pointer(place).removeprefix("#"), schema


def _length(
    root: Mapping[str, Any], schema: Any, lengths: dict[int, float], above: set[int]
) -> float:
    """Count the schemas that one after the other judge the same value; infinite in a circle."""
    if id(schema) in above or len(above) > MAX_CHAIN:
        return math.inf
    if id(schema) not in lengths and isinstance(schema, Mapping):
        inner = above | {id(schema)}
        following = (_length(root, other, lengths, inner) for other in _beside(root, schema))
        lengths[id(schema)] = 1 + max(following, default=0)
    return lengths.get(id(schema), 0)


def _beside(root: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[Any]:
    """Give the schemas that judge the same value as this one."""
    for key in _REFERRING:
        if key in schema:
            yield resolve(root, schema[key])
    yield from (child for place, child in children(schema) if place[0] in IN_PLACE)


def references(root: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Give every reference of a schema document, with the place where it stands."""
    for place, schema in walk(root):
        for key in _REFERRING:
            if isinstance(schema.get(key), str):
                yield (*place, key), schema[key]


def strays(root: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Give the schemas that stand where none is known to stand, each with a reference to it.

    Of those that stand in each other it is the outermost.

    >>> list(strays({"$ref": "#/components/A", "components": {"A": {"type": "object"}}}))
    [('#/components/A', {'type': 'object'})]
    """
    known = {id(part) for _, part in walk(root)}
    found: dict[int, tuple[str, Mapping[str, Any]]] = {}
    todo = [reference for _, reference in references(root)]
    while todo:
        reference = todo.pop()
        try:
            target = resolve(root, reference)
        except LookupError:  # which whoever checks references says
            continue
        if isinstance(target, Mapping) and id(target) not in known:
            for part in _unknown_parts(target, known):
                found.pop(id(part), None)
                todo += _own_references(part)
            found[id(target)] = reference, target
    yield from found.values()


def _unknown_parts(schema: Mapping[str, Any], known: set[int]) -> Iterator[Mapping[str, Any]]:
    """Give a schema and those inside, each until it is known, and make them known."""
    todo: list[Any] = [schema]
    while todo:
        part = todo.pop()
        if not isinstance(part, dict):
            continue
        yield part
        if id(part) not in known:
            known.add(id(part))
            todo += (child for _, child in children(part))


def _own_references(schema: Mapping[str, Any]) -> list[str]:
    return [schema[key] for key in _REFERRING if isinstance(schema.get(key), str)]
