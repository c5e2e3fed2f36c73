"""Advice: what a model needs, beside what is wrong, to mend its call in one try.

It is made of the tool's schema and examples alone, and never of values that came, so that it can
hold no secret of a call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from toolferry.closeness import NearNames
from toolferry.findings import Findings
from toolferry.hint import Hint
from toolferry.judging import Misfit
from toolferry.kinds import members_of
from toolferry.once_each import once_per_part
from toolferry.sample import sample_of
from toolferry.tool import Tool
from toolferry.wording import json_text

#: Bytes of the values or names that are listed.
MAX_LISTED: Final = 200
#: Characters of a name or text that is compared with others, and how many of those there are.
_MAX_COMPARED: Final = 80
_MOST_COMPARED: Final = 500


def hint_of(tool: Tool, findings: Findings) -> Hint:
    """Give what helps to mend arguments, as to the first thing that is wrong with them.

    Args:
        tool: Whose arguments they are.
        findings: What is wrong with them.

    >>> schema = {"type": "object", "properties": {"unit": {"enum": ["C", "F"]}}}
    >>> weather = Tool(name="weather", parameters=schema)
    >>> hint_of(weather, weather.validator.findings({"unit": "K"})).allowed
    ('C', 'F')
    """
    example = sample_of(tool)
    if not findings.misfits:
        return Hint(example=example)
    first = min(findings.misfits, key=lambda one: one.path)
    if tool.validator.discretion.hides(first.path) and not first.unknown:
        return Hint(example=example)
    allowed, closest = _known_to(tool, first)
    return Hint(allowed, closest, example)


def name_hint(names: Sequence[str], closest: Sequence[str]) -> Hint:
    """Give what helps to mend an unknown name.

    Args:
        names: Those it could have written.
        closest: Those that look like it.
    """
    return Hint(closest=tuple(closest)) if closest else Hint(allowed=_listed_names(tuple(names)))


def _known_to(tool: Tool, misfit: Misfit) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """Give the values or names that a schema knows, or the close ones among many."""
    if misfit.unknown:
        known = tool.validator.known_names(misfit)
        close = _near_names(tool, known).to(misfit.unknown[0][:_MAX_COMPARED])
        return ((), close) if close else (_names(tool, known), ())
    listed = _values(tool, misfit.held_to)
    members = members_of(tool, misfit.held_to) or ()
    if len(listed) == len(members) or not isinstance(misfit.value, str):
        return listed, ()
    close = _near_values(tool, misfit.held_to).to(misfit.value[:_MAX_COMPARED])
    return ((), close) if close else (listed, ())


@once_per_part
def _names(_tool: Tool, known: Iterable[str]) -> tuple[Any, ...]:
    return _listed(list(known))


@once_per_part
def _values(tool: Tool, schema: Any) -> tuple[Any, ...]:
    return _listed(members_of(tool, schema) or ())


@once_per_part
def _near_names(_tool: Tool, known: Iterable[str]) -> NearNames:
    return _near(known)


@once_per_part
def _near_values(tool: Tool, schema: Any) -> NearNames:
    return _near(one for one in members_of(tool, schema) or () if isinstance(one, str))


def _near(names: Iterable[str]) -> NearNames:
    short = (name for name in names if len(name) <= _MAX_COMPARED)
    return NearNames(list(islice(short, _MOST_COMPARED)))


@lru_cache(maxsize=64)
def _listed_names(names: tuple[str, ...]) -> tuple[str, ...]:
    # The same for every name of a response that no tool has.
    return _listed(names)


def _listed(values: Sequence[Any]) -> tuple[Any, ...]:
    """Give as many values as fit, from the first."""
    listed: list[Any] = []
    room = MAX_LISTED
    for value in values:
        room -= len(json_text(value).encode(errors="replace")) + 1
        if room < 0:
            break
        listed.append(value)
    return tuple(listed)
