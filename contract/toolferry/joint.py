"""The schemas that may judge the same value, taken together: found once for all values alike.

An object of a list is judged by the same schemas as the next one, and there may be many of both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from toolferry.references import resolve

#: Joints of one document that are kept; alternatives of alternatives can make any number.
_MOST_KEPT: Final = 10_000
#: What holds the schemas of which some judge a value.
_SOME: Final = ("allOf", "anyOf", "oneOf")

_Schema: TypeAlias = Mapping[str, Any]


class Joints:
    """What may be judged together by the schemas of one document.

    Args:
        root: The document; never changed from now on.
    """

    def __init__(self, root: _Schema) -> None:
        self.root = root
        self._known: dict[tuple[int, ...], Joint] = {}

    @property
    def whole(self) -> Joint:
        """What judges the whole value."""
        return self.of([self.root])

    def of(self, parts: Iterable[Any]) -> Joint:
        """Give what judges a value that these parts of the document may judge."""
        first = {id(part): part for part in parts if isinstance(part, Mapping)}
        joint = self._known.get(tuple(first))
        if joint is None:
            self._make_room()
            joint = Joint(self, tuple(judging(self.root, first.values(), _SOME)))
            self._known[tuple(first)] = joint
        return joint

    def _make_room(self) -> None:
        if len(self._known) >= _MOST_KEPT:
            known, self._known = self._known, {}
            for joint in list(known.values()):  # another thread may still add one
                joint.forget()


class Joint:
    """Schemas that may judge the same value, and what judges the values inside of it.

    Args:
        joints: All of the document.
        schemas: Those of this value, each once.
    """

    def __init__(self, joints: Joints, schemas: tuple[_Schema, ...]) -> None:
        self.schemas = schemas
        #: The names of the members that they know.
        self.names = {name: None for one in schemas for name in one.get("properties", ())}
        self._joints = joints
        self._first = max((len(one.get("prefixItems", ())) for one in schemas), default=0)
        self._inside: dict[str | int | None, Joint] = {}

    @property
    def root(self) -> _Schema:
        """The document."""
        return self._joints.root

    def member(self, name: str) -> Joint:
        """Give what judges the member of a name."""
        key = name if name in self.names else None
        joint = self._inside.get(key)
        if joint is None:
            joint = self._inside[key] = self._joints.of(_of_member(self.schemas, name))
        return joint

    def element(self, index: int) -> Joint:
        """Give what judges the element at an index."""
        key = min(index, self._first)
        joint = self._inside.get(key)
        if joint is None:
            joint = self._inside[key] = self._joints.of(_of_element(self.schemas, key))
        return joint

    def forget(self) -> None:
        """Let go of what judges the values inside."""
        self._inside.clear()


def judging(root: _Schema, parts: Iterable[Any], keywords: Iterable[str]) -> Iterator[_Schema]:
    """Give the schemas that judge the same value, each once.

    Args:
        root: The document in which references are looked up.
        parts: Those that the others are reached from.
        keywords: Those that hold lists of others.
    """
    seen: set[int] = set()
    todo = list(parts)
    for schema in todo:  # which grows meanwhile
        if isinstance(schema, Mapping) and id(schema) not in seen:
            seen.add(id(schema))
            yield schema
            todo += [part for keyword in keywords for part in schema.get(keyword, ())]
            todo += targets(root, schema)


def targets(root: _Schema, schema: _Schema) -> list[Any]:
    """Give what the references of a schema point to.

    Args:
        root: The document in which they are looked up.
        schema: One of its schemas.

    >>> targets({"$defs": {"A": {"type": "string"}}}, {"$ref": "#/$defs/A"})
    [{'type': 'string'}]
    """
    words = (word for word in ("$ref", "$dynamicRef") if word in schema)
    return [resolve(root, schema[word]) for word in words]


def _of_member(schemas: Iterable[_Schema], name: str) -> Iterator[Any]:
    for schema in schemas:
        properties = schema.get("properties", {})
        if name in properties:
            yield properties[name]
        else:
            yield schema.get("additionalProperties")


def _of_element(schemas: Iterable[_Schema], index: int) -> Iterator[Any]:
    for schema in schemas:
        first = schema.get("prefixItems", ())
        yield first[index] if index < len(first) else schema.get("items")
