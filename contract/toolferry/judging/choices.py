"""Which of several alternatives a value can fit, told by one look at it.

It is told by the type of the value, and then by a constant: the value itself, where alternatives
list their values, or a member that they want to be one, as the tag in a union of models.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from toolferry.judging.assertions import Fits, key_of

if TYPE_CHECKING:
    from toolferry.judging.compiled import Compiled

#: Fewer alternatives are as quickly looked at one by one.
FEWEST: Final = 3

#: No constant.
_NOTHING: Final = object()
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
        self._all = tuple(Alternative(one, compiled.fits(one)) for one in schemas)
        followed = [_followed(compiled, one) for one in schemas]
        self._of_types = {
            kind: _OfOneType(
                [
                    (one, schema)
                    for one, schema in zip(self._all, followed, strict=True)
                    if _takes(schema, names)
                ]
            )
            for kind, names in _NAMES.items()
        }

    def among(self, value: Any) -> _Alternatives:
        """Give the alternatives that a value can fit, in their order: perhaps more of them."""
        of_its_type = self._of_types.get(type(value))
        return self._all if of_its_type is None else of_its_type.among(value)

    def likely(self, value: Any) -> _Alternatives:
        """Give those that a value may have been meant for that fits none of them."""
        of_its_type = self._of_types.get(type(value))
        if of_its_type is None:
            return self._all
        return of_its_type.among(value) or of_its_type.only


class _OfOneType:
    """The alternatives that take values of one type, each with the schema that says so."""

    def __init__(self, alternatives: list[tuple[Alternative, Mapping[str, Any]]]) -> None:
        self._all = tuple(one for one, _ in alternatives)
        self._tag, listed = _told_apart([schema for _, schema in alternatives])
        self._rest = self._that_take(_NOTHING, listed)
        self._by_key = {key: self._that_take(key, listed) for one in listed for key in one or ()}

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

    def _that_take(self, key: Hashable, listed: Sequence[_Listed]) -> _Alternatives:
        both = zip(self._all, listed, strict=False)
        return tuple(one for one, keys in both if keys is None or key in keys)


def _followed(compiled: Compiled, schema: Any) -> Mapping[str, Any]:
    while isinstance(schema, Mapping) and "$ref" in schema:
        schema = compiled.target(schema["$ref"])
    return schema if isinstance(schema, Mapping) else {}


def _takes(schema: Mapping[str, Any], names: frozenset[str]) -> bool:
    own = schema.get("type", [*names])
    return not names.isdisjoint([own] if isinstance(own, str) else own)


def _told_apart(schemas: Sequence[Mapping[str, Any]]) -> tuple[str | None, list[_Listed]]:
    """Give the member that tells most alternatives apart, or None for the value itself."""
    by_value = [_listed(one) for one in schemas]
    members = [_tags(one) for one in schemas]
    names = Counter(name for one in members for name in one).most_common(1)
    if names and names[0][1] > len(by_value) - by_value.count(None):
        return names[0][0], [one.get(names[0][0]) for one in members]
    return None, by_value


def _tags(schema: Mapping[str, Any]) -> dict[str, _Listed]:
    """Give the members that want to be one constant."""
    members = schema.get("properties", {}).items()
    listed = {name: _listed(one) for name, one in members if isinstance(one, Mapping)}
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
