"""What of a value the keywords of a schema have looked at: the rest is left to `unevaluated…`.

Source: JSON Schema 2020-12, Core, section 11. What fits an alternative counts; what is said inside
of a `not` never does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from toolferry.judging.assertions import Fits, always
from toolferry.judging.patterns import Alike

if TYPE_CHECKING:
    from toolferry.judging.compiled import Compiled

_Schema: TypeAlias = Mapping[str, Any]
#: Gives the names, or the positions, in a value that were looked at.
Looked: TypeAlias = Callable[[Any], Iterable[Any]]
_Looks: TypeAlias = Mapping[str, Callable[["Compiled", _Schema], Looked]]
_Inside: TypeAlias = Callable[["Compiled", Any], Looked]


def evaluated_members(compiled: Compiled, schema: _Schema) -> Looked:
    """Give what names the members of an object that a schema's other keywords look at."""
    return _looked(compiled, schema, _OF_MEMBERS, _members_in)


def evaluated_elements(compiled: Compiled, schema: _Schema) -> Looked:
    """Give what tells the positions in an array that a schema's other keywords look at."""
    return _looked(compiled, schema, _OF_ELEMENTS, _elements_in)


def _members_in(compiled: Compiled, schema: _Schema) -> Looked:
    looks = {**_OF_MEMBERS, "unevaluatedProperties": _every_name}
    return _once(compiled, schema, _looked(compiled, schema, looks, _members_in))


def _elements_in(compiled: Compiled, schema: _Schema) -> Looked:
    looks = {**_OF_ELEMENTS, "unevaluatedItems": _every_position}
    return _once(compiled, schema, _looked(compiled, schema, looks, _elements_in))


def _looked(compiled: Compiled, schema: _Schema, looks: _Looks, inside: _Inside) -> Looked:
    own = [look(compiled, schema) for word, look in looks.items() if word in schema]
    beside = [
        (counts, compiled.known(inside, one))
        for counts, one in _beside(compiled, schema)
        if isinstance(one, Mapping)
    ]

    def looked(value: Any) -> set[Any]:
        found = set().union(*(look(value) for look in own))
        return found.union(*(look(value) for counts, look in beside if counts(value)))

    return looked


def _once(compiled: Compiled, schema: _Schema, looked: Looked) -> Looked:
    """Look at each value of a pass once by a schema that many ways may lead to."""
    if not compiled.is_led_to_twice(schema):
        return looked

    def once(value: Any) -> Iterable[Any]:
        found, asked = compiled.judging.found, (id(looked), id(value))
        if asked not in found:
            found[asked] = looked(value)
        known: Iterable[Any] = found[asked]
        return known

    return once


def _beside(compiled: Compiled, schema: _Schema) -> Iterator[tuple[Fits, Any]]:
    """Give the schemas that judge the same value, each with what says whether it counts."""
    for word in ("$ref", "$dynamicRef"):
        if word in schema:
            yield always, compiled.target(schema[word])
    for one in schema.get("allOf", ()):
        yield always, one  # a value that does not fit it, does not fit at all
    for word in ("anyOf", "oneOf"):
        for one in schema.get(word, ()):
            yield compiled.fits(one), one
    if "if" in schema:
        holds = compiled.fits(schema["if"])
        yield holds, schema["if"]
        yield holds, schema.get("then")
        yield (lambda value: not holds(value)), schema.get("else")
    for name, one in schema.get("dependentSchemas", {}).items():
        yield partial(_has, name), one


def _has(name: str, value: Any) -> bool:
    return isinstance(value, dict) and name in value


def _every_name(_compiled: Compiled, _schema: _Schema) -> Looked:
    return lambda value: value


def _named(_compiled: Compiled, schema: _Schema) -> Looked:
    names = schema["properties"].keys()
    return lambda value: names & value.keys()


def _like_a_pattern(compiled: Compiled, schema: _Schema) -> Looked:
    alike = compiled.known(Alike, schema)
    return lambda value: (name for name in value if alike.of(name))


def _every_position(_compiled: Compiled, _schema: _Schema) -> Looked:
    return lambda value: range(len(value))


def _first_positions(_compiled: Compiled, schema: _Schema) -> Looked:
    count = len(schema["prefixItems"])
    return lambda _value: range(count)


def _contained(compiled: Compiled, schema: _Schema) -> Looked:
    fits = compiled.fits(schema["contains"])
    return lambda value: (at for at, child in enumerate(value) if fits(child))


_OF_MEMBERS: Final[_Looks] = MappingProxyType(
    {
        "additionalProperties": _every_name,
        "patternProperties": _like_a_pattern,
        "properties": _named,
    }
)
_OF_ELEMENTS: Final[_Looks] = MappingProxyType(
    {
        "contains": _contained,
        "items": _every_position,
        "prefixItems": _first_positions,
    }
)
