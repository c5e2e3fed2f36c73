"""The applicators of JSON Schema: keywords that judge a value, or parts of it, by other schemas.

Each is compiled to a function that says whether a value fits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from toolferry.judging.assertions import Fits, always
from toolferry.judging.choices import FEWEST, Choice
from toolferry.judging.evaluated import evaluated_elements, evaluated_members
from toolferry.judging.patterns import Alike

if TYPE_CHECKING:
    from toolferry.judging.compiled import Compiled

_Schema: TypeAlias = Mapping[str, Any]

#: Keywords that are compiled together, as most objects have all of them.
OF_OBJECTS: Final = frozenset(
    {"properties", "patternProperties", "additionalProperties", "required"}
)


#: Checks that are asked one inside of the other, which is quicker; of more it would go deep.
_FEW: Final = 4
_NONE: Final = object()


def conjunction(checks: list[Fits]) -> Fits:
    """Give what says whether a value fits all of them."""
    if len(checks) <= 1:
        return checks[0] if checks else always
    if len(checks) > _FEW:
        return partial(_fits_each, checks)
    first, *rest = checks
    second = conjunction(rest)
    return lambda value: first(value) and second(value)


def _fits_each(checks: list[Fits], value: Any) -> bool:
    for check in checks:  # noqa: SIM110 -- quicker than `all` by a third
        if not check(value):
            return False
    return True


def _fits_any(checks: list[Fits], value: Any) -> bool:
    for check in checks:  # noqa: SIM110 -- quicker than `any` by half, and asked at each level
        if check(value):
            return True
    return False


def of_object(compiled: Compiled, schema: _Schema) -> Fits:
    """Compile the keywords of `OF_OBJECTS` that a schema has."""
    members = {name: compiled.fits(one) for name, one in schema.get("properties", {}).items()}
    required = frozenset(schema.get("required", ()))
    other = compiled.fits(schema.get("additionalProperties", True))
    if "patternProperties" in schema:
        child_fits = _by_name(compiled, schema, members, other)
        return lambda value: (
            not isinstance(value, dict)
            or (value.keys() >= required and all(child_fits(*child) for child in value.items()))
        )

    def fits(value: Any) -> bool:
        if not isinstance(value, dict):
            return True
        if not value.keys() >= required:
            return False
        for name, child in value.items():  # noqa: SIM110 -- as above
            if not members.get(name, other)(child):
                return False
        return True

    return fits


def _by_name(
    compiled: Compiled, schema: _Schema, members: Mapping[str, Fits], other: Fits
) -> Callable[[str, Any], bool]:
    alike = compiled.known(Alike, schema)
    for one in schema["patternProperties"].values():
        compiled.fits(one)

    def fits(name: str, child: Any) -> bool:
        judges = [compiled.fits(one) for one in alike.of(name)]
        if name in members:
            judges.append(members[name])
        return all(judge(child) for judge in judges or [other])

    return fits


def _any_of(compiled: Compiled, schema: _Schema) -> Fits:
    if len(schema["anyOf"]) < FEWEST:
        return partial(_fits_any, [compiled.fits(one) for one in schema["anyOf"]])
    choice = compiled.known(Choice, schema["anyOf"])

    def fits(value: Any) -> bool:
        for one in choice.among(value):  # noqa: SIM110 -- as above
            if one.fits(value):
                return True
        return False

    return fits


def _one_of(compiled: Compiled, schema: _Schema) -> Fits:
    choice = compiled.known(Choice, schema["oneOf"])

    def fits(value: Any) -> bool:
        fitting = (one for one in choice.among(value) if one.fits(value))
        return next(fitting, _NONE) is not _NONE and next(fitting, _NONE) is _NONE

    return fits


def _not(compiled: Compiled, schema: _Schema) -> Fits:
    check = compiled.fits(schema["not"])
    return lambda value: not check(value)


def _if(compiled: Compiled, schema: _Schema) -> Fits:
    condition = compiled.fits(schema["if"])
    then, otherwise = (compiled.fits(schema.get(word, True)) for word in ("then", "else"))
    if otherwise is always:
        return lambda value: not condition(value) or then(value)
    return lambda value: then(value) if condition(value) else otherwise(value)


def _dependent(compiled: Compiled, schema: _Schema) -> Fits:
    checks = {name: compiled.fits(one) for name, one in schema["dependentSchemas"].items()}
    return lambda value: (
        not isinstance(value, dict) or all(checks[name](value) for name in checks if name in value)
    )


def _names(compiled: Compiled, schema: _Schema) -> Fits:
    check = compiled.fits(schema["propertyNames"])
    return lambda value: not isinstance(value, dict) or all(map(check, value))


def _items(compiled: Compiled, schema: _Schema) -> Fits:
    check = compiled.fits(schema["items"])
    before = len(schema.get("prefixItems", ()))
    if not before:
        return lambda value: not isinstance(value, list) or all(map(check, value))
    return lambda value: not isinstance(value, list) or all(map(check, value[before:]))


def _prefix(compiled: Compiled, schema: _Schema) -> Fits:
    checks = [compiled.fits(one) for one in schema["prefixItems"]]
    return lambda value: (
        not isinstance(value, list)
        or all(check(child) for check, child in zip(checks, value, strict=False))
    )


def _contains(compiled: Compiled, schema: _Schema) -> Fits:
    check = compiled.fits(schema["contains"])
    least, most = schema.get("minContains", 1), schema.get("maxContains")

    def fits(value: Any) -> bool:
        if not isinstance(value, list):
            return True
        count = sum(map(check, value))
        return count >= least and (most is None or count <= most)

    return fits


def _unevaluated_members(compiled: Compiled, schema: _Schema) -> Fits:
    check = compiled.fits(schema["unevaluatedProperties"])

    def fits(value: Any) -> bool:
        if not isinstance(value, dict) or not value:
            return True
        # Asked for when it is needed: schemas that refer to each other are not compiled before.
        seen = set(compiled.known(evaluated_members, schema)(value))
        return all(check(child) for name, child in value.items() if name not in seen)

    return fits


def _unevaluated_elements(compiled: Compiled, schema: _Schema) -> Fits:
    check = compiled.fits(schema["unevaluatedItems"])

    def fits(value: Any) -> bool:
        if not isinstance(value, list):
            return True
        seen = set(compiled.known(evaluated_elements, schema)(value))
        return all(check(child) for at, child in enumerate(value) if at not in seen)

    return fits


#: By keyword; each is compiled from the schema that holds it. For others see `of_object`.
APPLICATORS: Final[Mapping[str, Callable[[Compiled, _Schema], Fits]]] = MappingProxyType(
    {
        "$dynamicRef": lambda compiled, schema: compiled.reference(schema["$dynamicRef"]),
        "$ref": lambda compiled, schema: compiled.reference(schema["$ref"]),
        "allOf": lambda compiled, schema: conjunction(
            [compiled.fits(one) for one in schema["allOf"]]
        ),
        "anyOf": _any_of,
        "contains": _contains,
        "dependentSchemas": _dependent,
        "if": _if,
        "items": _items,
        "not": _not,
        "oneOf": _one_of,
        "prefixItems": _prefix,
        "propertyNames": _names,
        "unevaluatedItems": _unevaluated_elements,
        "unevaluatedProperties": _unevaluated_members,
    }
)
