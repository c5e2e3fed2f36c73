"""The judge: jsonschema's validator, with five keywords that take it long made quick.

- `$ref`, `$dynamicRef`: jsonschema looks up what it points to for every value, which takes as long
  as to judge a small one. Here each reference knows its target, and its target's validator is made
  once. What it finds of a value is found once in a pass, see `toolferry.once`.
- `uniqueItems`: jsonschema compares all elements with each other where they cannot be sorted.
- `required`, `dependentRequired`: jsonschema makes an error of each missing member. Here one stands
  for all of a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend
from referencing import Registry

from toolferry.formats import FORMAT_CHECKER
from toolferry.integers import ExactValidator
from toolferry.linked import Link, linked
from toolferry.once import Pass
from toolferry.repeated import again, each_once

_PASS: Final = Pass()


class Judge:
    """Judges values by a checked schema; nothing is ever fetched. Threads may share it.

    Args:
        schema: The whole document.
        validator: jsonschema's class, whose types hold.

    >>> judge = Judge({"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}})
    >>> judge.errors({}), judge.first(7).message
    ((), "7 is not of type 'object'")
    """

    def __init__(self, schema: Mapping[str, Any], validator: Any = ExactValidator) -> None:
        self._validator: Validator = _quick(validator)(
            linked(schema), registry=Registry(), format_checker=FORMAT_CHECKER
        )

    def errors(self, instance: Any) -> tuple[ValidationError, ...]:
        """Give all that is wrong with a value.

        Raises:
            RecursionError: The schema makes many steps of each of its levels.
        """
        with _PASS:
            return tuple(self._validator.iter_errors(instance))

    def first(self, instance: Any) -> ValidationError | None:
        """Give something that is wrong with a value; None when it fits.

        Raises:
            RecursionError: As above.
        """
        with _PASS:
            return next(self._validator.iter_errors(instance), None)


@cache
def _quick(validator: Any) -> Any:
    return extend(validator, _KEYWORDS)  # type: ignore[no-untyped-call]  # jsonschema types it nowhere


def _follow(
    validator: Validator, link: str, instance: Any, schema: Mapping[str, Any]
) -> Iterator[ValidationError]:
    if not isinstance(link, Link):  # it stands where no schema is known to stand
        yield from _LOOKED_UP(validator, link, instance, schema)
        return
    if link.judge is None:
        link.judge = validator.evolve(schema=link.target)
    known = (id(link.target), id(instance))
    found = _PASS.found.get(known)
    if found is None:
        found = _PASS.found[known] = each_once(link.judge.iter_errors(instance))
    yield from map(again, found)


def _be_there(
    validator: Validator, wanted: list[str], instance: Any, schema: Mapping[str, Any]
) -> Iterator[ValidationError]:
    yield from islice(_REQUIRED(validator, wanted, instance, schema), 1)


def _depend(
    validator: Validator, wanted: dict[str, list[str]], instance: Any, schema: Mapping[str, Any]
) -> Iterator[ValidationError]:
    yield from islice(_DEPENDENT(validator, wanted, instance, schema), 1)


def _differ(
    validator: Validator, wanted: Any, instance: Any, schema: Mapping[str, Any]
) -> Iterator[ValidationError]:
    try:
        differ = not isinstance(instance, list) or len(set(map(_key, instance))) == len(instance)
    except TypeError:  # it holds what is no JSON
        yield from _UNLIKE(validator, wanted, instance, schema)
        return
    if wanted and not differ:
        yield ValidationError(f"{instance!r} has non-unique elements")


def _key(value: Any) -> Any:
    """Give what is the same for values that JSON Schema takes for equal: 1 is 1.0, but not true."""
    if isinstance(value, dict):
        return dict, frozenset((name, _key(child)) for name, child in value.items())
    if isinstance(value, list):
        return list, tuple(map(_key, value))
    return (bool, value) if isinstance(value, bool) else value


_LOOKED_UP: Final = Draft202012Validator.VALIDATORS["$ref"]
_REQUIRED: Final = Draft202012Validator.VALIDATORS["required"]
_DEPENDENT: Final = Draft202012Validator.VALIDATORS["dependentRequired"]
_UNLIKE: Final = Draft202012Validator.VALIDATORS["uniqueItems"]
_KEYWORDS: Final = {
    "$dynamicRef": _follow,
    "$ref": _follow,
    "dependentRequired": _depend,
    "required": _be_there,
    "uniqueItems": _differ,
}
