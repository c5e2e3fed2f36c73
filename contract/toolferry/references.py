"""References inside a schema: `$ref` may point into its own document and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from toolferry.subschemas import IN_PLACE, Place, children, pointer, walk


def resolve(root: Mapping[str, Any], reference: str) -> Any:
    """Give the schema that a local reference points to.

    Args:
        root: The whole schema document.
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
    if isinstance(value, list) and key.isdecimal():
        return value[int(key)]
    if isinstance(value, Mapping):
        return value[key]
    raise LookupError(key)


def _anchored(root: Mapping[str, Any], anchor: str) -> Any:
    for _, schema in walk(root):
        if anchor in (schema.get("$anchor"), schema.get("$dynamicAnchor")):
            return schema
    raise LookupError(f"#{anchor}")


def endless(root: Mapping[str, Any]) -> str | None:
    """Name a schema that leads back to itself without looking into the value; None without one.

    Such a schema can never be decided: `{"$ref": "#"}`, or two that refer to each other. A schema
    that refers to itself for a member or an element is fine: every value ends.

    >>> endless({"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}})
    '#/$defs/A'
    >>> endless({"properties": {"child": {"$ref": "#"}}}) is None
    True
    """
    done: set[int] = set()
    for place, schema in walk(root):
        if _returns(root, schema, done, set()):
            return pointer(place)
    return None


def _returns(root: Mapping[str, Any], schema: Any, done: set[int], above: set[int]) -> bool:
    if id(schema) in above:
        return True
    if id(schema) in done or not isinstance(schema, Mapping):
        return False
    above.add(id(schema))
    found = any(_returns(root, other, done, above) for other in _beside(root, schema))
    above.discard(id(schema))
    done.add(id(schema))
    return found


def _beside(root: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[Any]:
    """Give the schemas that judge the same value as this one."""
    for key in ("$ref", "$dynamicRef"):
        if key in schema:
            yield resolve(root, schema[key])
    yield from (child for place, child in children(schema) if place[0] in IN_PLACE)


def references(root: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Give every reference of a schema document, with the place where it stands."""
    for place, schema in walk(root):
        for key in ("$ref", "$dynamicRef"):
            if isinstance(schema.get(key), str):
                yield (*place, key), schema[key]
