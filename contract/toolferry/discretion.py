"""Which arguments are secret: their values are never repeated to anybody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from toolferry.references import resolve
from toolferry.subschemas import children
from toolferry.wording import kind_of, value_text


@dataclass(frozen=True, slots=True)
class Discretion:
    """What may be shown of the arguments of one tool."""

    #: Names of members that a schema marks as secret, wherever in the arguments they stand.
    names: frozenset[str] = frozenset()
    #: Whether the arguments as a whole are secret.
    everything: bool = False
    #: Names of members that hold such members, if they are what the schema wants: of one that is a
    #: plain value instead, nobody knows what it is.
    around: frozenset[str] = frozenset()

    def hides(self, path: Iterable[str | int]) -> bool:
        """Say whether what stands at a path of the arguments is secret."""
        return self.everything or not self.names.isdisjoint(path)

    def guards(self, path: Iterable[str | int], value: Any) -> bool:
        """Say whether a value at a path of the arguments is, or may well be, secret."""
        places = tuple(path)
        named = [place for place in places if isinstance(place, str)]
        misplaced = bool(named) and named[-1] in self.around and not _is_container(value)
        return self.hides(places) or misplaced

    def show(self, path: Iterable[str | int], value: Any, *, known: bool = True) -> str:
        """Write a value that came, or only its kind where the value or a part may be secret.

        Args:
            path: Where in the arguments it stands.
            value: What came.
            known: Whether the schema has a place for it: what stands at no known place may be a
                secret under a misspelt name.
        """
        if self.guards(path, value):
            return f"{kind_of(value)}, not shown"
        if self.names and (not known or _is_container(value)):
            return kind_of(value)
        return value_text(value)

    def secrets(self, arguments: Mapping[str, Any]) -> tuple[str, ...]:
        """List the secret texts and numbers in some arguments, each as a text.

        >>> Discretion(frozenset({"pin"})).secrets({"who": "ann", "pin": [1234]})
        ('1234',)
        """
        if not (self.names or self.everything):
            return ()
        return tuple(self._secrets(arguments, hidden=self.everything))

    def _secrets(self, value: Any, *, hidden: bool) -> Iterator[str]:
        if isinstance(value, Mapping):
            for name, child in value.items():
                misplaced = name in self.around and not _is_container(child)
                hides = hidden or misplaced or name in self.names
                yield from self._secrets(child, hidden=hides)
        elif isinstance(value, list):
            for child in value:
                yield from self._secrets(child, hidden=hidden)
        elif hidden and isinstance(value, str | int | float) and not isinstance(value, bool):
            yield str(value)


def discretion_of(schema: Mapping[str, Any]) -> Discretion:
    """Find the members that are marked `writeOnly` or have the format `password`.

    A mark counts for the nearest named member around it, so that it holds behind references,
    in alternatives and in lists.

    >>> discretion_of({"properties": {"token": {"type": "string", "writeOnly": True}}}).names
    frozenset({'token'})
    """
    marked, placed = _marked(schema, schema)
    names = frozenset(name for name in marked if name is not None)
    if not names:
        return Discretion(names, None in marked)
    around = (name for name, child in placed if name and _marked(schema, child)[0] - {None})
    return Discretion(names, None in marked, frozenset(around))


def _marked(
    root: Mapping[str, Any], schema: Any
) -> tuple[set[str | None], list[tuple[str | None, Any]]]:
    """Give the names that are marked in a schema, and all its schemas with their names."""
    names: set[str | None] = set()
    placed: list[tuple[str | None, Any]] = []
    seen: set[tuple[int, str | None]] = set()
    todo: list[tuple[str | None, Any]] = [(None, schema)]
    while todo:
        name, current = todo.pop()
        if not isinstance(current, Mapping) or (id(current), name) in seen:
            continue
        seen.add((id(current), name))
        placed.append((name, current))
        if current.get("writeOnly") is True or current.get("format") == "password":
            names.add(name)
        todo += _inside(root, name, current)
    return names, placed


def _is_container(value: Any) -> bool:
    return isinstance(value, dict | list)


def _inside(
    root: Mapping[str, Any], name: str | None, schema: Mapping[str, Any]
) -> list[tuple[str | None, Any]]:
    """Give the schemas inside a schema, each with the nearest name around it."""
    found = [
        (str(place[1]) if place[0] == "properties" else name, child)
        for place, child in children(schema)
        if place[0] not in ("$defs", "definitions")
    ]
    return found + ([(name, resolve(root, schema["$ref"]))] if "$ref" in schema else [])
