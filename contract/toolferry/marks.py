"""The marks of secrets in a schema (`writeOnly`, `format: password`): what they make secret.

A mark counts for the nearest named member around it, so that it holds behind references, in
alternatives, in lists and in maps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from toolferry.references import resolve
from toolferry.subschemas import Place, children

#: Keywords whose schemas judge members by any name.
_OF_MAPS: Final = frozenset({"additionalProperties", "patternProperties", "unevaluatedProperties"})


@dataclass(frozen=True, slots=True)
class _Step:
    """A step from one schema to another, which judges the same value or a part of it."""

    start: int
    end: int
    #: The name of the member that it leads to; None of one that a schema does not name.
    name: str | None
    #: Whether it leads to the members of a map.
    is_of_map: bool


class Marks:
    """The marked schemas of one document, and the ways to them; schemas are known by identity.

    Each way is walked once, however many members lead there.

    Args:
        root: The document.
    """

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = id(root)
        schemas: dict[int, Mapping[str, Any]] = {id(root): root}
        self._steps: list[_Step] = []
        todo = [root]
        while todo:
            for step, schema in _steps(root, todo.pop()):
                self._steps.append(step)
                if step.end not in schemas:
                    schemas[step.end] = schema
                    todo.append(schema)
        self._marked = {known for known, schema in schemas.items() if _is_marked(schema)}

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the members that are secret."""
        return self._names(self._secret)

    @property
    def has_all(self) -> bool:
        """Whether a mark stands below no name, and so counts for the whole value."""
        return self._root in self._secret

    @property
    def around(self) -> frozenset[str]:
        """The names of the members that have secret ones somewhere inside."""
        return self._names(self._holders)

    @property
    def maps(self) -> frozenset[str | None]:
        """The names of maps of what has secret members; None stands for the whole value."""
        of_holders = {step.start for step in self._steps if step.is_of_map and self._holds(step)}
        maps = _spread(of_holders, _backwards(self._unnamed))
        return self._names(maps) | ({None} if self._root in maps else set())

    @property
    def schemas(self) -> frozenset[int]:
        """The schemas that tell what values a secret, or what holds one, may have; by their ids."""
        named = {step.end for step in self._named if step.name in self.names}
        told = _spread(self._marked | named, _forwards(self._unnamed))
        return frozenset(told | self._holders)

    @property
    def declared(self) -> frozenset[str]:
        """The names of all members that a schema names."""
        return frozenset(step.name for step in self._named if step.name is not None)

    @cached_property
    def _named(self) -> list[_Step]:
        return [step for step in self._steps if step.name is not None]

    @cached_property
    def _unnamed(self) -> list[_Step]:
        return [step for step in self._steps if step.name is None]

    @cached_property
    def _secret(self) -> set[int]:
        """The schemas of values that are marked, or have a marked part that has no name."""
        return _spread(self._marked, _backwards(self._unnamed))

    @cached_property
    def _holders(self) -> set[int]:
        """The schemas of values that have secret members, however deep."""
        direct = {step.start for step in self._named if step.end in self._secret}
        return _spread(direct, _backwards(self._steps))

    def _holds(self, step: _Step) -> bool:
        return step.end in self._holders

    def _names(self, ends: set[int]) -> frozenset[str]:
        return frozenset(
            step.name for step in self._named if step.name is not None and step.end in ends
        )


def _is_marked(schema: Mapping[str, Any]) -> bool:
    return schema.get("writeOnly") is True or schema.get("format") == "password"


def _steps(
    root: Mapping[str, Any], schema: Mapping[str, Any]
) -> Iterator[tuple[_Step, Mapping[str, Any]]]:
    """Give the steps from a schema to those that it judges by."""
    for place, child in _inside(root, schema):
        if isinstance(child, Mapping):
            name = str(place[1]) if place[0] == "properties" else None
            yield _Step(id(schema), id(child), name, place[0] in _OF_MAPS), child


def _inside(root: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[tuple[Place, Any]]:
    for place, child in children(schema):
        if place[0] not in ("$defs", "definitions"):
            yield place, child
    for key in ("$ref", "$dynamicRef"):
        if key in schema:
            yield (key,), resolve(root, schema[key])


def _forwards(steps: Iterable[_Step]) -> Iterator[tuple[int, int]]:
    return ((step.start, step.end) for step in steps)


def _backwards(steps: Iterable[_Step]) -> Iterator[tuple[int, int]]:
    return ((step.end, step.start) for step in steps)


def _spread(starts: set[int], links: Iterable[tuple[int, int]]) -> set[int]:
    """Give what links lead to from some schemas, with these."""
    following: defaultdict[int, list[int]] = defaultdict(list)
    for start, end in links:
        following[start].append(end)
    reached, todo = set(starts), list(starts)
    while todo:
        new = [end for end in following[todo.pop()] if end not in reached]
        reached.update(new)
        todo += new
    return reached
