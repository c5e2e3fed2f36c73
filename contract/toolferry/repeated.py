"""Errors of jsonschema that are told more than once: in several alternatives, of one value.

An error knows its parent, and its path grows on the way there: each time it is told takes a copy.
What is inside of one is copied when it is looked at, as most of it never is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass

from jsonschema.exceptions import ValidationError


def again(error: ValidationError, parent: ValidationError | None = None) -> ValidationError:
    """Give an error once more.

    Args:
        error: As it was found.
        parent: Inside of which it is told.
    """
    copy = ValidationError(
        error.message,
        validator=error.validator,
        path=error.relative_path,
        cause=error.cause,
        validator_value=error.validator_value,
        instance=error.instance,
        schema=error.schema,
        schema_path=error.relative_schema_path,
        parent=parent,
    )
    if error.context:
        inner = error.context
        found = inner.found if isinstance(inner, _Inside) else inner
        copy.context = _Inside(copy, found)  # type: ignore[assignment]  # it is only read from here on
    return copy


def each_once(errors: Iterable[ValidationError]) -> tuple[ValidationError, ...]:
    """Give errors without those that say the same of the same value."""
    found: dict[object, ValidationError] = {}
    for error in errors:
        said = (*error.relative_path, id(error.instance)), id(error.schema), error.validator
        found.setdefault(said, error)
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class _Inside(Iterable[ValidationError], Sized):
    """What is inside of an error that is told again."""

    owner: ValidationError
    found: list[ValidationError]

    def __iter__(self) -> Iterator[ValidationError]:
        return (again(one, self.owner) for one in self.found)

    def __len__(self) -> int:
        return len(self.found)
