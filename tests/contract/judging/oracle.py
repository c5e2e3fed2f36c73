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
    """Give what jsonschema finds wrong."""
    return [_misfit(error) for error in by_jsonschema(schema).iter_errors(value)]


def _misfit(error: ValidationError) -> Misfit:
    branches: dict[object, list[Misfit]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.relative_schema_path[0], []).append(_misfit(inner))
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
        tuple(map(tuple, branches.values())),
    )
