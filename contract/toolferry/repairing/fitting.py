"""Fitting: arguments that do not fit their tool are put right field by field, all or nothing.

1. Arguments that fit are left alone, also where a repair could be made.
2. Each value that does not fit its place is asked about. Where alternatives are allowed, it is
   judged by the one that it was meant for, if that is clear.
3. What was put right has to fit as a whole. Else nothing is: the model is told every fault of what
   it sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, Final, TypeAlias

from toolferry.faults import meant
from toolferry.record import record
from toolferry.repairing.fields import DROPPED, OF_FIELDS, UNCHANGED, Misfit
from toolferry.repairing.repair import Repair, Repairs
from toolferry.restoring import drop_forced_nulls, restore_members
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
    if tool.validator.has_odd_members and Repair.MEMBER_RENAMED in repairs.names:
        return _with_own_names(tool, arguments, repairs)
    return _fitted(tool, arguments, repairs)


def _with_own_names(tool: Tool, arguments: Mapping[str, Any], repairs: Repairs) -> Fitted:
    """Give members their own names back before anything is judged by them."""
    restored, names = restore_members(tool.parameters, arguments)
    if not names:
        return _fitted(tool, arguments, repairs)
    fitted = _fitted(tool, restored, repairs)
    return Fitted(fitted.arguments, (Repair.MEMBER_RENAMED.value, *fitted.repairs))


def _fitted(tool: Tool, arguments: Mapping[str, Any], repairs: Repairs) -> Fitted:
    leaves = [repair for repair in OF_FIELDS if repair in repairs.names]
    if not leaves or tool.validator.surely_fit(arguments):
        return Fitted(arguments)
    try:
        changes = _changes(tool, arguments, leaves)
    except RecursionError:  # a schema can make many steps of each level
        return Fitted(arguments)
    if not changes:
        return _without_nulls(tool, arguments, repairs)
    mended = deepcopy(dict(arguments))
    for path, _, value in changes:
        _put(mended, path, value)
    if tool.validator.faults(mended):
        return _without_nulls(tool, arguments, repairs)
    return Fitted(mended, tuple(dict.fromkeys(repair.value for _, repair, _ in changes)))


def _without_nulls(tool: Tool, arguments: Mapping[str, Any], repairs: Repairs) -> Fitted:
    """Leave out every null that stands for nothing, where no field alone tells which are wrong.

    So it is where a strict mode had alternatives made one object: each gets the others' members.
    """
    if Repair.NULL_DROPPED not in repairs.names:
        return Fitted(arguments)
    mended, dropped = drop_forced_nulls(tool.parameters, arguments)
    if not dropped or tool.validator.faults(mended):
        return Fitted(arguments)
    return Fitted(mended, (Repair.NULL_DROPPED.value,))


def _changes(tool: Tool, arguments: Mapping[str, Any], leaves: list[Repair]) -> list[_Change]:
    """Give what is to be put where; nothing when one of the values cannot be put right."""
    changes: list[_Change] = []
    for misfit in _misfits(tool, arguments):
        repair, value = _asked(leaves, misfit)
        if repair is None or len(changes) == MAX_MISFITS:
            return []
        changes.append((misfit.path, repair, value))
    return changes


def _misfits(tool: Tool, arguments: Mapping[str, Any]) -> Iterator[Misfit]:
    """Give each value that does not fit, once."""
    seen: set[tuple[str | int, ...]] = set()
    for error in tool.validator.errors(arguments):
        for one in meant(error):
            path = tuple(one.absolute_path)
            if path in seen:
                continue
            seen.add(path)
            place = tuple(one.absolute_schema_path)
            yield Misfit(path, one.instance, one.schema, place, tool.parameters)


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
    if value is DROPPED:
        del arguments[last]
    else:
        arguments[last] = value
