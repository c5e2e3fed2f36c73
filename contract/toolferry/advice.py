"""Advice: what a model needs, beside what is wrong, to mend its call in one try.

It is made of the tool's schema and examples alone, and never of values that came, so that it can
hold no secret of a call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Final
from weakref import WeakKeyDictionary

from toolferry.findings import Findings
from toolferry.hint import Hint
from toolferry.judging import Misfit
from toolferry.kinds import members_of
from toolferry.sample import sample_of
from toolferry.tool import Tool
from toolferry.wording import json_text

#: Bytes of the values or names that are listed.
MAX_LISTED: Final = 200
_MOST_CLOSE: Final = 3
#: Characters of a name that are compared; comparing takes the product of both lengths.
_MAX_COMPARED: Final = 80
#: Names among which close ones are looked for.
_MOST_COMPARED: Final = 500

#: The values that schemas of a tool list, by the schema, which lives as long as its tool: a model
#: may break one schema with each of its calls.
_MEMBERS: Final[WeakKeyDictionary[Tool, dict[int, list[Any] | None]]] = WeakKeyDictionary()


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


def close_to(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """Give up to three names that look like another one, the likeliest first.

    >>> close_to("qurey", ["query", "limit"])
    ('query',)
    """
    few = [one[:_MAX_COMPARED] for one, _ in zip(names, range(_MOST_COMPARED), strict=False)]
    return tuple(get_close_matches(name[:_MAX_COMPARED], few, n=_MOST_CLOSE))


def _known_to(tool: Tool, misfit: Misfit) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """Give the values or names that a schema knows, or the close ones among many."""
    if misfit.unknown:
        return _of_names(tool, misfit)
    members = _members(tool, misfit.schema)
    if not members:
        return (), ()
    listed = _listed(members)
    if len(listed) == len(members) or not isinstance(misfit.value, str):
        return listed, ()
    close = close_to(misfit.value, [one for one in members if isinstance(one, str)])
    return ((), close) if close else (listed, ())


def _members(tool: Tool, schema: Any) -> list[Any] | None:
    known = _MEMBERS.setdefault(tool, {})
    if id(schema) not in known:
        known[id(schema)] = members_of(tool.parameters, schema)
    return known[id(schema)]


def _of_names(tool: Tool, misfit: Misfit) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    known = tool.validator.known_names(misfit)
    close = close_to(misfit.unknown[0], known)
    return ((), close) if close else (_listed(known), ())


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
