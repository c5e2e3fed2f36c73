"""Where inside of a value something is wrong: for each keyword that judges by other schemas.

Each is asked of a value of the type that its keyword is about. Of a keyword that is not here, the
value as a whole is what does not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from toolferry.judging.evaluated import evaluated_members
from toolferry.judging.meant import meant
from toolferry.judging.misfit import Misfit
from toolferry.judging.patterns import Alike

if TYPE_CHECKING:
    from toolferry.judging.explanation import Explanation

_Path: TypeAlias = tuple[str | int, ...]
_Schema: TypeAlias = Mapping[str, Any]
_Misfits: TypeAlias = Iterable[Misfit]


def _reference(looking: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    return looking.look(looking.compiled.target(schema["$ref"]), value, path)


def _dynamic_reference(looking: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    return looking.look(looking.compiled.target(schema["$dynamicRef"]), value, path)


def _all_of(looking: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    for one in schema["allOf"]:
        if not looking.compiled.fits(one)(value):
            yield from looking.look(one, value, path)


def _any_of(looking: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    one = meant(looking.compiled, schema["anyOf"], value)
    return looking.look(one, value, path) if one else (Misfit(path, "anyOf", schema, value),)


def _one_of(looking: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    if any(looking.compiled.fits(one)(value) for one in schema["oneOf"]):
        return (Misfit(path, "oneOf", schema, value, is_ambiguous=True),)
    one = meant(looking.compiled, schema["oneOf"], value)
    return looking.look(one, value, path) if one else (Misfit(path, "oneOf", schema, value),)


def _if(looking: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    branch = "then" if looking.compiled.fits(schema["if"])(value) else "else"
    return looking.look(schema[branch], value, path)


def _dependent(looking: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    for name, one in schema["dependentSchemas"].items():
        if name in value and not looking.compiled.fits(one)(value):
            yield from looking.look(one, value, path)


def _members(looking: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    for name, one in schema["properties"].items():
        if name in value and not looking.compiled.fits(one)(value[name]):
            yield from looking.look(one, value[name], (*path, name))


def _like_patterns(looking: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    alike = looking.compiled.known(Alike, schema)
    for name in value:
        for one in alike.of(name):
            yield from looking.look_into(one, value, (name,), path)


def _others(looking: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    known = schema.get("properties", ())
    alike = looking.compiled.known(Alike, schema)
    names = [name for name in value if name not in known and not alike.of(name)]
    return _rest(looking, "additionalProperties", schema, value, names, path)


def _unevaluated(looking: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    seen = set(looking.compiled.known(evaluated_members, schema)(value))
    names = [name for name in value if name not in seen]
    return _rest(looking, "unevaluatedProperties", schema, value, names, path)


def _rest(
    looking: Explanation,
    keyword: str,
    schema: _Schema,
    value: Any,
    names: list[str],
    path: _Path,
) -> _Misfits:
    if schema[keyword] is not False:
        return looking.look_into(schema[keyword], value, names, path)
    unknown = tuple(names)
    return (Misfit(path, keyword, schema, value, unknown=unknown),) if unknown else ()


def _names(looking: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    fits = looking.compiled.fits(schema["propertyNames"])
    for name in value:
        if not fits(name):
            yield Misfit(path, "propertyNames", schema, name)


def _elements(looking: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    if schema["items"] is False:
        return (Misfit(path, "items", schema, value),)
    rest = range(len(schema.get("prefixItems", ())), len(value))
    return looking.look_into(schema["items"], value, rest, path)


def _first_elements(looking: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    for at, (one, child) in enumerate(zip(schema["prefixItems"], value, strict=False)):
        if not looking.compiled.fits(one)(child):
            yield from looking.look(one, child, (*path, at))


#: Keywords that what is wrong may be found inside of; of all others, the value itself is wrong.
INSIDE: Final[Mapping[str, Callable[[Explanation, _Schema, Any, _Path], _Misfits]]] = (
    MappingProxyType(
        {
            "$dynamicRef": _dynamic_reference,
            "$ref": _reference,
            "additionalProperties": _others,
            "allOf": _all_of,
            "anyOf": _any_of,
            "dependentSchemas": _dependent,
            "if": _if,
            "items": _elements,
            "oneOf": _one_of,
            "patternProperties": _like_patterns,
            "prefixItems": _first_elements,
            "properties": _members,
            "propertyNames": _names,
            "unevaluatedProperties": _unevaluated,
        }
    )
)
