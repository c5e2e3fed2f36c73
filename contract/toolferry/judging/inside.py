"""Where inside of a value something is wrong: for each keyword that judges by other schemas.

Of a keyword that is not here, the value as a whole is what does not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from toolferry.judging.applicators import any_of, named_alike, one_of
from toolferry.judging.evaluated import evaluated_members
from toolferry.judging.misfit import Misfit

if TYPE_CHECKING:
    from toolferry.judging.explanation import Explanation

_Path: TypeAlias = tuple[str | int, ...]
_Schema: TypeAlias = Mapping[str, Any]
_Misfits: TypeAlias = Iterable[Misfit]


def _reference(seeker: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    return seeker.look_once(schema["$ref"], value, path)


def _dynamic_reference(seeker: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    return seeker.look_once(schema["$dynamicRef"], value, path)


def _all_of(seeker: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    for one in schema["allOf"]:
        yield from seeker.look(one, value, path)


def _any_of(seeker: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    if seeker.compiled.known(any_of, schema)(value):
        return ()
    alternatives = seeker.alternatives(schema["anyOf"], value, path)
    return (Misfit(path, "anyOf", schema, value, alternatives=alternatives),)


def _one_of(seeker: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    if seeker.compiled.known(one_of, schema)(value):
        return ()
    if any(seeker.compiled.fits(one)(value) for one in schema["oneOf"]):
        return (Misfit(path, "oneOf", schema, value, is_ambiguous=True),)
    alternatives = seeker.alternatives(schema["oneOf"], value, path)
    return (Misfit(path, "oneOf", schema, value, alternatives=alternatives),)


def _if(seeker: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    branch = "then" if seeker.compiled.fits(schema["if"])(value) else "else"
    return seeker.look(schema.get(branch, True), value, path)


def _dependent(seeker: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    if isinstance(value, dict):
        for name, one in schema["dependentSchemas"].items():
            if name in value:
                yield from seeker.look(one, value, path)


def _members(seeker: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    if isinstance(value, dict):
        for name, one in schema["properties"].items():
            if name in value:
                yield from seeker.look(one, value[name], (*path, name))


def _like_patterns(seeker: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    if isinstance(value, dict):
        for is_found, one in seeker.compiled.known(named_alike, schema):
            names = [name for name in value if is_found(name)]
            if names:
                yield from seeker.look_into(one, value, names, path)


def _others(seeker: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    if not isinstance(value, dict):
        return ()
    known = schema.get("properties", ())
    alike = seeker.compiled.known(named_alike, schema)
    names = [
        name for name in value if name not in known and not any(found(name) for found, _ in alike)
    ]
    return _rest(seeker, "additionalProperties", schema, value, names, path)


def _unevaluated(seeker: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    if not isinstance(value, dict):
        return ()
    seen = set(seeker.compiled.known(evaluated_members, schema)(value))
    names = [name for name in value if name not in seen]
    return _rest(seeker, "unevaluatedProperties", schema, value, names, path)


def _rest(
    seeker: Explanation, keyword: str, schema: _Schema, value: Any, names: list[str], path: _Path
) -> _Misfits:
    if schema[keyword] is not False:
        return seeker.look_into(schema[keyword], value, names, path)
    unknown = tuple(names)
    return (Misfit(path, keyword, schema, value, unknown=unknown),) if unknown else ()


def _names(seeker: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    if isinstance(value, dict):
        fits = seeker.compiled.fits(schema["propertyNames"])
        for name in value:
            if not fits(name):
                yield Misfit(path, "propertyNames", schema, name)


def _elements(seeker: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    if not isinstance(value, list):
        return ()
    rest = range(len(schema.get("prefixItems", ())), len(value))
    if schema["items"] is not False:
        return seeker.look_into(schema["items"], value, rest, path)
    return (Misfit(path, "items", schema, value),) if rest else ()


def _first_elements(seeker: Explanation, schema: _Schema, value: Any, path: _Path) -> _Misfits:
    if isinstance(value, list):
        for at, (one, child) in enumerate(zip(schema["prefixItems"], value, strict=False)):
            yield from seeker.look(one, child, (*path, at))


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
