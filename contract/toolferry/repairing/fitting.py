"""Fitting: arguments that do not fit their tool are put right field by field, all or nothing.

1. Arguments that fit are left alone, also where a repair could be made.
2. A null that stands for a field that was left out goes, see `toolferry.restoring`.
3. Each value that does not fit its place is asked about. Where alternatives are allowed, it is
   judged by the one that it was meant for, if that is clear.
4. What was put right has to fit as a whole. Else nothing is: the model is told the faults of what
   it sent. So it is where more is wrong than is looked for, see `toolferry.judging`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import field
from typing import Any, TypeAlias

from toolferry.findings import Findings
from toolferry.judging import Misfit
from toolferry.record import record
from toolferry.repairing.fields import OF_FIELDS, UNCHANGED
from toolferry.repairing.repair import Repair, Repairs
from toolferry.restoring import drop_forced_nulls
from toolferry.tool import Tool

_Change: TypeAlias = tuple[tuple[str | int, ...], Repair, object]


@record(frozen=True, slots=True)
class Fitted:
    """Arguments that fit their tool, or that cannot be put right."""

    arguments: Mapping[str, Any]
    #: What was put right, each name once.
    repairs: tuple[str, ...] = ()
    #: What is wrong with them, for all that ask it after.
    findings: Findings | None = field(default=None, compare=False, repr=False)


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
    return fit_found(tool, tool.validator.findings(arguments), repairs)


def fit_found(tool: Tool, found: Findings, repairs: Repairs) -> Fitted:
    """Put right what does not fit a tool, once it is known what that is, as `fit_arguments` does.

    Args:
        tool: Whose arguments they are.
        found: What is wrong with them.
        repairs: Which repairs are made.
    """
    as_read = Fitted(found.arguments, (), found)
    if not repairs.names or not found.misfits:
        return as_read
    try:
        made, mended = _mended(tool, found, repairs.names)
    except RecursionError:  # a schema can make many steps of each level
        return as_read
    return Fitted(mended.arguments, made, mended) if made and not mended.faults else as_read


def _mended(
    tool: Tool, found: Findings, names: frozenset[Repair]
) -> tuple[tuple[str, ...], Findings]:
    """Put right what can be; give what that was, and what is still wrong."""
    made: dict[str, None] = {}
    if Repair.NULL_DROPPED in names:
        arguments, dropped = drop_forced_nulls(tool, found.arguments)
        if dropped:
            found = tool.validator.findings(arguments)
            made[Repair.NULL_DROPPED.value] = None
    changes = _changes(tool, found.misfits, [repair for repair in OF_FIELDS if repair in names])
    if not changes:
        return tuple(made), found
    mended = deepcopy(dict(found.arguments))
    for path, repair, value in changes:
        _put(mended, path, value)
        made[repair.value] = None
    return tuple(made), tool.validator.findings(mended)


def _changes(tool: Tool, found: Iterable[Misfit], leaves: list[Repair]) -> list[_Change]:
    """Give what is to be put where; nothing when one of the values cannot be put right."""
    changes: list[_Change] = []
    for misfit in _one_a_place(found):
        repair, value = _asked(tool, leaves, misfit)
        if repair is None:
            return []
        changes.append((misfit.path, repair, value))
    return changes


def _one_a_place(found: Iterable[Misfit]) -> Iterator[Misfit]:
    """Give each value that does not fit, once."""
    seen: set[tuple[str | int, ...]] = set()
    for misfit in found:
        if misfit.path not in seen:
            seen.add(misfit.path)
            yield misfit


def _asked(tool: Tool, leaves: list[Repair], misfit: Misfit) -> tuple[Repair | None, object]:
    """Give the first repair that knows what was meant, with that."""
    for repair in leaves:
        value = OF_FIELDS[repair](tool, misfit)
        if value is not UNCHANGED:
            return repair, value
    return None, UNCHANGED


def _put(arguments: Any, path: tuple[str | int, ...], value: object) -> None:
    *way, last = path
    for step in way:
        arguments = arguments[step]
    arguments[last] = value
