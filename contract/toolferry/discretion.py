"""Which arguments are secret: their values are never repeated to anybody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from toolferry.marks import Marks
from toolferry.wording import kind_of, value_text

#: Where in the arguments something stands.
_Path: TypeAlias = Iterable[str | int]


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
    #: Names of maps of what holds such members, None for the arguments as a whole.
    maps: frozenset[str | None] = frozenset()
    #: Names of all members that the schema names: any other may be a misspelt one, or a secret.
    declared: frozenset[str] = frozenset()
    #: The schemas that tell what values a secret, or what holds one, may have; by their ids.
    schemas: frozenset[int] = frozenset()

    def hides(self, path: _Path) -> bool:
        """Say whether what stands at a path of the arguments is secret."""
        return self.everything or not self.names.isdisjoint(path)

    def guards(self, path: _Path, value: Any) -> bool:
        """Say whether a value at a path of the arguments is, or may well be, secret."""
        places = tuple(path)
        return self.hides(places) or (not _is_container(value) and self._is_around(places))

    def show(self, path: _Path, value: Any, *, known: bool = True) -> str:
        """Write a value that came, or only its kind where the value or a part may be secret.

        Args:
            path: Where in the arguments it stands.
            value: What came.
            known: Whether the schema has a place for it: what stands at no known place, or below
                a name that the schema does not have, may be a secret under a misspelt name.
        """
        places = tuple(path)
        if self.guards(places, value):
            return f"{kind_of(value)}, not shown"
        known = known and self.declared.issuperset(_names(places))
        if self.names and (not known or _is_container(value)):
            return kind_of(value)
        return value_text(value)

    def told(self, path: _Path) -> tuple[str | int, ...]:
        """Give as much of a path as may be told.

        Inside of a secret, a name that the schema does not have is a part of the secret.

        >>> Discretion(frozenset({"login"}), declared=frozenset({"key"})).told(["login", "hunter2"])
        ('login',)
        """
        return tuple(self._told(path))

    def _told(self, path: _Path) -> Iterator[str | int]:
        inside = self.everything
        for step in path:
            if inside and isinstance(step, str) and step not in self.declared:
                return
            inside = inside or step in self.names
            yield step

    def secrets(self, arguments: Mapping[str, Any]) -> tuple[str, ...]:
        """List the secret texts and numbers in some arguments, each as a text.

        >>> Discretion(frozenset({"pin"})).secrets({"who": "ann", "pin": [1234]})
        ('1234',)
        """
        if not (self.names or self.everything):
            return ()
        return tuple(self._secrets(arguments, (), hidden=self.everything))

    def _secrets(self, value: Any, path: tuple[str, ...], *, hidden: bool) -> Iterator[str]:
        if isinstance(value, Mapping):
            for name, child in value.items():
                inside = hidden or name in self.names
                yield from self._secrets(child, (*path, name), hidden=inside)
        elif isinstance(value, list):
            for child in value:
                yield from self._secrets(child, path, hidden=hidden)
        elif _is_text_or_number(value) and (hidden or self._is_around(path)):
            yield str(value)

    def _is_around(self, path: _Path) -> bool:
        """Say whether something with a secret is wanted at a path, or, in a map, may be."""
        above, name = (None, None, *_names(path))[-2:]
        return name in self.around or (name is not None and above in self.maps)


def discretion_of(schema: Mapping[str, Any]) -> Discretion:
    """Find the members that are marked `writeOnly` or have the format `password`.

    A mark counts for the nearest named member around it, so that it holds behind references,
    in alternatives and in lists.

    >>> discretion_of({"properties": {"token": {"type": "string", "writeOnly": True}}}).names
    frozenset({'token'})
    """
    marks = Marks(schema)
    if not (marks.names or marks.has_all):
        return Discretion()
    return Discretion(
        names=marks.names,
        everything=marks.has_all,
        around=marks.around,
        maps=marks.maps,
        declared=marks.declared,
        schemas=marks.schemas,
    )


def _names(path: _Path) -> tuple[str, ...]:
    return tuple(step for step in path if isinstance(step, str))


def _is_text_or_number(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _is_container(value: Any) -> bool:
    return isinstance(value, dict | list)
