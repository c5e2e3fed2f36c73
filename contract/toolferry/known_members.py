"""The members that an object may have where a schema allows no others: named, or like a pattern."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from toolferry.references import resolve
from toolferry.subschemas import IN_PLACE, children


@dataclass(frozen=True, slots=True)
class KnownMembers:
    """What a schema says of them."""

    names: tuple[str, ...] = ()
    #: Regular expressions that the names of others match.
    patterns: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Write them as a list.

        >>> str(KnownMembers(("a", "b"), ("^x-",)))
        'a, b, any that matches ^x-'
        """
        return ", ".join([*self.names, *(f"any that matches {one}" for one in self.patterns)])


def known_members(
    root: Mapping[str, Any], schema: Mapping[str, Any], keyword: str
) -> KnownMembers | None:
    """Give the members that are known to a keyword that allows no others.

    Args:
        root: The document in which references are looked up.
        schema: The schema that holds the keyword.
        keyword: `additionalProperties`, which knows those of its own schema, or
            `unevaluatedProperties`, which knows those of the schemas beside it too.

    Returns:
        None when it depends on the object which ones are known.

    >>> known_members({}, {"allOf": [{"properties": {"a": {}}}]}, "unevaluatedProperties")
    KnownMembers(names=('a',), patterns=())
    """
    if keyword == "additionalProperties":
        return _of([schema])
    always, sometimes = [schema], list[Mapping[str, Any]]()
    seen = {id(schema)}
    for one in always:  # grows as it goes
        certain, others = _beside(root, one)
        always += _new(certain, seen)
        sometimes += others
    for one in sometimes:
        sometimes += _new([part for group in _beside(root, one) for part in group], seen)
    return None if _of(sometimes) != KnownMembers() else _of(always)


def _of(schemas: list[Mapping[str, Any]]) -> KnownMembers:
    names = (name for one in schemas for name in one.get("properties", ()))
    patterns = (pattern for one in schemas for pattern in one.get("patternProperties", ()))
    return KnownMembers(tuple(dict.fromkeys(names)), tuple(dict.fromkeys(patterns)))


def _new(schemas: list[Mapping[str, Any]], seen: set[int]) -> Iterator[Mapping[str, Any]]:
    for one in schemas:
        if id(one) not in seen:
            seen.add(id(one))
            yield one


def _beside(
    root: Mapping[str, Any], schema: Mapping[str, Any]
) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    """Give the schemas that judge the same object: those that always count, and the others."""
    always = [resolve(root, schema[word]) for word in ("$ref", "$dynamicRef") if word in schema]
    beside = [(place[0], child) for place, child in children(schema) if place[0] in IN_PLACE]
    always += [child for word, child in beside if word == "allOf"]
    sometimes = [child for word, child in beside if word not in {"allOf", "not"}]
    return _objects(always), _objects(sometimes)


def _objects(schemas: list[Any]) -> list[Mapping[str, Any]]:
    return [one for one in schemas if isinstance(one, Mapping)]
