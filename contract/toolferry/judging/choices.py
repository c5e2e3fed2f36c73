"""Which of several alternatives a value can fit, told by one look at it.

It is told by the type of the value, and then by a constant: the value itself, where alternatives
list their values, or a member that they want to be one, as the tag in a union of models.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from toolferry.judging.assertions import Fits, key_of

if TYPE_CHECKING:
    from toolferry.judging.compiled import Compiled

#: Fewer alternatives are as quickly looked at one by one.
FEWEST: Final = 3

#: What an alternative wants somewhere, as it lists it; None where it wants nothing in particular.
_Listed: TypeAlias = frozenset[Hashable] | None


class Alternative(NamedTuple):
    """One of several schemas."""

    schema: Any
    fits: Fits


_Alternatives: TypeAlias = tuple[Alternative, ...]


class Choice:
    """The alternatives of one keyword.

    Args:
        compiled: The document.
        schemas: The alternatives.
    """

    def __init__(self, compiled: Compiled, schemas: Sequence[Any]) -> None:
        self._compiled = compiled
        self._all = tuple(Alternative(one, compiled.fits(one)) for one in schemas)
        self._of_types: dict[type, _OfOneType] = {}

    def among(self, value: Any) -> _Alternatives:
        """Give the alternatives that a value can fit, in their order: perhaps more of them."""
        of_its_type = self._of(type(value))
        return self._all if of_its_type is None else of_its_type.among(value)

    def likely(self, value: Any) -> _Alternatives:
        """Give those that a value may have been meant for that fits none of them."""
        of_its_type = self._of(type(value))
        if of_its_type is None:
            return self._all
        return of_its_type.among(value) or of_its_type.only

    def _of(self, kind: type) -> _OfOneType | None:
        """Give those for one type, put in order when the first value of it comes."""
        known = self._of_types.get(kind)
        if known is None and kind in _NAMES:
            known = self._of_types[kind] = _OfOneType(self._compiled, self._all, _NAMES[kind])
        return known


class _OfOneType:
    """The alternatives that take values of one type."""

    def __init__(
        self, compiled: Compiled, alternatives: _Alternatives, names: frozenset[str]
    ) -> None:
        followed = [(one, followed_in(compiled, one.schema)) for one in alternatives]
        its = [(one, schema) for one, schema in followed if _takes(schema, names)]
        self._all = tuple(one for one, _ in its)
        self._tag, listed = _told_apart(compiled, [schema for _, schema in its])
        by_key: defaultdict[Hashable, list[int]] = defaultdict(list)
        for at, keys in enumerate(listed):
            for key in keys or ():
                by_key[key].append(at)
        open_ = [at for at, keys in enumerate(listed) if keys is None]
        self._rest = self._at(open_)
        self._by_key = {key: self._at([*places, *open_]) for key, places in by_key.items()}

    @property
    def only(self) -> _Alternatives:
        return self._all if len(self._all) == 1 else ()

    def among(self, value: Any) -> _Alternatives:
        if not self._by_key:
            return self._all
        if self._tag is not None:
            if not isinstance(value, dict) or self._tag not in value:
                return self._all
            value = value[self._tag]
        if isinstance(value, dict | list):
            return self._rest
        try:
            return self._by_key.get(key_of(value), self._rest)
        except TypeError:  # no JSON
            return self._all

    def _at(self, places: list[int]) -> _Alternatives:
        return tuple(self._all[at] for at in sorted(places))


def followed_in(compiled: Compiled, schema: Any) -> Mapping[str, Any]:
    """Give what the references of a schema lead to in the end; of a boolean one, an empty one."""
    while isinstance(schema, Mapping) and "$ref" in schema:
        schema = compiled.target(schema["$ref"])
    return schema if isinstance(schema, Mapping) else {}


def _takes(schema: Mapping[str, Any], names: frozenset[str]) -> bool:
    own = schema.get("type", [*names])
    return not names.isdisjoint([own] if isinstance(own, str) else own)


def _told_apart(
    compiled: Compiled, schemas: Sequence[Mapping[str, Any]]
) -> tuple[str | None, list[_Listed]]:
    """Give the member that tells most alternatives apart, or None for the value itself."""
    by_value = [_listed(one) for one in schemas]
    members = [_tags(compiled, one) for one in schemas]
    names = Counter(name for one in members for name in one).most_common(1)
    if names and names[0][1] > len(by_value) - by_value.count(None):
        return names[0][0], [one.get(names[0][0]) for one in members]
    return None, by_value


def _tags(compiled: Compiled, schema: Mapping[str, Any]) -> dict[str, _Listed]:
    """Give the members that want to be one constant."""
    members = schema.get("properties", {}).items()
    listed = {name: _listed(followed_in(compiled, one)) for name, one in members}
    return {name: keys for name, keys in listed.items() if keys is not None and len(keys) == 1}


def _listed(schema: Mapping[str, Any]) -> _Listed:
    values = [schema["const"]] if "const" in schema else schema.get("enum", [{}])
    if any(isinstance(one, dict | list) for one in values):
        return None
    return frozenset(map(key_of, values))


#: The names that a schema may call each type of Python by.
_NAMES: Final[Mapping[type, frozenset[str]]] = MappingProxyType(
    {
        bool: frozenset({"boolean"}),
        dict: frozenset({"object"}),
        float: frozenset({"integer", "number"}),
        int: frozenset({"integer", "number"}),
        list: frozenset({"array"}),
        NoneType: frozenset({"null"}),
        str: frozenset({"string"}),
    }
)
