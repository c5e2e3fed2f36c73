"""Which of several alternatives a value can fit, told by one look at what tells them apart.

That is a constant: the value itself, where the alternatives list their values, or a member that
they want to be one, as the tag in a union of models.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from toolferry.judging.assertions import key_of

if TYPE_CHECKING:
    from toolferry.judging.compiled import Compiled

#: Fewer alternatives are as quickly looked at one by one.
FEWEST: Final = 3

#: No constant.
_NOTHING: Final = object()
#: What an alternative wants somewhere, as it lists it; None where it wants nothing in particular.
_Listed: TypeAlias = frozenset[Hashable] | None
_Alternatives: TypeAlias = tuple[Any, ...]


class Choice:
    """The alternatives of one keyword.

    Args:
        compiled: The document.
        schemas: The alternatives.
    """

    def __init__(self, compiled: Compiled, schemas: Sequence[Any]) -> None:
        self._all: _Alternatives = tuple(schemas)
        followed = [_followed(compiled, one) for one in schemas]
        self._tag, listed = _told_apart(followed)
        self._rest = self._that_take(_NOTHING, listed)
        self._by_key = {key: self._that_take(key, listed) for one in listed for key in one or ()}

    def among(self, value: Any) -> _Alternatives:
        """Give the alternatives that a value can fit, in their order: perhaps more of them."""
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


def _told_apart(schemas: Sequence[Mapping[str, Any]]) -> tuple[str | None, list[_Listed]]:
    """Give the member that tells most alternatives apart, or None for the value itself."""
    if len(schemas) < FEWEST:
        return None, []
    by_value = [_listed(one) for one in schemas]
    members = [_of_members(one) for one in schemas]
    (tag, count), *_ = *Counter(name for one in members for name in one).most_common(1), ("", 0)
    if count > len(by_value) - by_value.count(None):
        return tag, [one.get(tag) for one in members]
    return None, by_value


def _of_members(schema: Mapping[str, Any]) -> dict[str, _Listed]:
    members = schema.get("properties", {}).items()
    listed = {name: _listed(one) for name, one in members if isinstance(one, Mapping)}
    return {name: keys for name, keys in listed.items() if keys is not None}


def _listed(schema: Mapping[str, Any]) -> _Listed:
    values = [schema["const"]] if "const" in schema else schema.get("enum", [{}])
    if any(isinstance(one, dict | list) for one in values):
        return None
    return frozenset(map(key_of, values))
