"""What jsonschema finds wrong with a value, in our words: what the judge is held to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema._utils import equal
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from toolferry.formats import FORMAT_CHECKER
from toolferry.integers import is_integer
from toolferry.judging.misfit import FALSE, Misfit


def _unlike(_validator: Any, wanted: Any, value: Any, _schema: Any) -> Iterator[ValidationError]:
    # jsonschema compares neighbours alone where it can sort, and misses [[1], [true], [1]].
    if wanted and isinstance(value, list) and any(equal(*two) for two in combinations(value, 2)):
        yield ValidationError("alike")


_VALIDATOR = extend(  # type: ignore[no-untyped-call]  # jsonschema says no types there
    Draft202012Validator,
    {"uniqueItems": _unlike},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _checker, value: is_integer(value)
    ),
)


def by_jsonschema(schema: Any) -> Any:
    """Give jsonschema's validator, with our formats and our integers."""
    return _VALIDATOR(schema, format_checker=FORMAT_CHECKER)


def misfits_of_jsonschema(schema: Mapping[str, Any], value: Any) -> list[Misfit]:
    """Give what jsonschema finds wrong; of alternatives, by the one that was meant."""
    errors = by_jsonschema(schema).iter_errors(value)
    return [misfit for error in errors for misfit in _misfits(error)]


def _misfits(error: ValidationError) -> Iterator[Misfit]:
    meant = _meant(error)
    if not meant:
        yield _misfit(error)
    for inner in meant:
        yield from _misfits(inner)


def _meant(error: ValidationError) -> list[ValidationError]:
    """Give the errors of the alternative that is of the value's kind and wants no other tag."""
    branches: dict[object, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.relative_schema_path[0], []).append(inner)
    of_its_kind = [one for one in branches.values() if not any(map(_is_of_another_kind, one))]
    likely = [one for one in of_its_kind if not any(map(_has_another_tag, one))] or of_its_kind
    return likely[0] if len(likely) == 1 else []


def _is_of_another_kind(error: ValidationError) -> bool:
    of_a_kind = error.validator in {"type", "enum", "const", None}
    return of_a_kind and not error.relative_path


def _has_another_tag(error: ValidationError) -> bool:
    wanted: Any = error.validator_value
    single = error.validator == "enum" and len(wanted) == 1
    return (single or error.validator == "const") and len(error.relative_path) == 1


def _misfit(error: ValidationError) -> Misfit:
    schema: Any = error.schema
    known = schema.get("properties", {}) if isinstance(schema, dict) else {}
    is_of_names = error.validator in ("additionalProperties", "unevaluatedProperties")
    named = error.instance if is_of_names and isinstance(error.instance, dict) else ()
    return Misfit(
        tuple(error.absolute_path),
        str(error.validator or FALSE),
        schema,
        error.instance,
        tuple(one for one in named if one not in known and repr(one) in error.message),
        error.validator == "oneOf" and not error.context,
    )
