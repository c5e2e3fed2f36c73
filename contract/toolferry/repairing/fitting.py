"""Fitting: arguments that do not fit their tool are put right field by field, all or nothing.

1. Arguments that fit are left alone, also where a repair could be made.
2. A null that stands for a field that was left out goes, see `toolferry.restoring`.
3. Each value that does not fit its place is asked about. Where alternatives are allowed, it is
   judged by the one that it was meant for, if that is clear.
4. What was put right has to fit as a whole. Else nothing is: the model is told every fault of what
   it sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from itertools import chain
from typing import Any, Final, TypeAlias

from jsonschema.exceptions import ValidationError

from toolferry.faults import meant
from toolferry.record import record
from toolferry.repairing.fields import OF_FIELDS, UNCHANGED, Misfit
from toolferry.repairing.repair import Repair, Repairs
from toolferry.restoring import drop_forced_nulls
from toolferry.tool import Tool

#: Values that are put right in one call; a model that gets more wrong is told so.
MAX_MISFITS: Final = 200

_Change: TypeAlias = tuple[tuple[str | int, ...], Repair, object]


@record(frozen=True, slots=True)
class Fitted:
    """Arguments that fit their tool, or that cannot be put right."""

    arguments: Mapping[str, Any]
    #: What was put right, each name once.
    repairs: tuple[str, ...] = ()


def fit_arguments(tool: Tool, arguments: Mapping[str, Any], repairs: Repairs) -> Fitted:
    """Put right what does not fit a tool, if that makes all of it fit.

    Args:
        tool: Whose arguments they are.
        arguments: As they were read; never changed.
        repairs: Which repairs are made.

    Raises:
        SchemaInvalid: The tool's schema cannot be enforced.

    >>> schema = {"type": "object", "properties": {"id": {"type": "integer"}}}
    >>> fit_arguments(Tool(name="get", parameters=schema), {"id": "17"}, Repairs.ALL)
    Fitted(arguments={'id': 17}, repairs=('coerced',))
    """
    if not repairs.names or tool.validator.surely_fit(arguments):
        return Fitted(arguments)
    try:
        mended = _mended(tool, arguments, repairs.names)
    except RecursionError:  # a schema can make many steps of each level
        return Fitted(arguments)
    fits = mended.repairs and not tool.validator.faults(mended.arguments)
    return mended if fits else Fitted(arguments)


def _mended(tool: Tool, arguments: Mapping[str, Any], names: frozenset[Repair]) -> Fitted:
    """Put right what can be; it still has to fit."""
    dropped: tuple[str, ...] = ()
    errors = tool.validator.errors(arguments)
    first = next(errors, None)
    if first is None:  # it fits, though not surely
        return Fitted(arguments)
    errors = chain((first,), errors)
    if Repair.NULL_DROPPED in names:
        arguments, dropped = drop_forced_nulls(tool.parameters, arguments)
        errors = tool.validator.errors(arguments) if dropped else errors
    changes = _changes(tool, errors, [repair for repair in OF_FIELDS if repair in names])
    made = dict.fromkeys([Repair.NULL_DROPPED.value] if dropped else [])
    if not changes:
        return Fitted(arguments, tuple(made))
    mended = deepcopy(dict(arguments))
    for path, repair, value in changes:
        _put(mended, path, value)
        made[repair.value] = None
    return Fitted(mended, tuple(made))


def _changes(tool: Tool, errors: Iterable[ValidationError], leaves: list[Repair]) -> list[_Change]:
    """Give what is to be put where; nothing when one of the values cannot be put right."""
    changes: list[_Change] = []
    for misfit in _misfits(tool, errors):
        repair, value = _asked(leaves, misfit)
        if repair is None or len(changes) == MAX_MISFITS:
            return []
        changes.append((misfit.path, repair, value))
    return changes


def _misfits(tool: Tool, errors: Iterable[ValidationError]) -> Iterator[Misfit]:
    """Give each value that does not fit, once."""
    seen: set[tuple[str | int, ...]] = set()
    for error in errors:
        for one in meant(error):
            path = tuple(one.absolute_path)
            if path in seen:
                continue
            seen.add(path)
            yield Misfit(path, one.instance, one.schema, tool.parameters)


def _asked(leaves: list[Repair], misfit: Misfit) -> tuple[Repair | None, object]:
    """Give the first repair that knows what was meant, with that."""
    for repair in leaves:
        value = OF_FIELDS[repair](misfit)
        if value is not UNCHANGED:
            return repair, value
    return None, UNCHANGED


def _put(arguments: Any, path: tuple[str | int, ...], value: object) -> None:
    *way, last = path
    for step in way:
        arguments = arguments[step]
    arguments[last] = value
