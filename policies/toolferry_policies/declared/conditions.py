"""Whether a condition holds for a call. Pure, and a closed set of comparisons.

An argument that the call leaves out has the default of the tool's schema. One that has none is
absent: `present = false` and `none_of` hold for it, and nothing else does. A fact that nobody has
looked up is no absent one: without it nothing is permitted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from toolferry.defaults import fill_defaults
from toolferry.template import find
from toolferry_policies.declared.declaration import Comparison, Condition
from toolferry_policies.facts import Facts


class Incomparable(Exception):
    """A value is of a kind that cannot be compared so; whoever asks must not permit the call."""


def holds(condition: Condition, facts: Facts) -> bool:
    """Tell whether all that a condition names is so.

    Raises:
        Incomparable: An argument or a fact is of another kind than what it is compared with.
        KeyError: Nobody has looked up a fact that is named.
    """
    context = facts.context
    return (
        _is_one(context.environment, condition.environments)
        and _is_one(context.tenant, condition.tenants)
        and _is_one(context.principal, condition.principals)
        and _has_one(context.roles, condition.roles)
        and _has_one(context.permissions, condition.permissions)
        and _arguments_hold(condition.arguments, facts)
        and _facts_hold(condition.facts, facts)
    )


def _is_one(value: str, names: frozenset[str] | None) -> bool:
    return names is None or value in names


def _has_one(values: frozenset[str], names: frozenset[str] | None) -> bool:
    return names is None or not values.isdisjoint(names)


def _arguments_hold(comparisons: Mapping[str, Comparison], facts: Facts) -> bool:
    return all(_compares(path, _argument(path, facts), to) for path, to in comparisons.items())


def _argument(path: str, facts: Facts) -> Any:
    """Give what the handler will get; None when nothing is known of it."""
    arguments = facts.call.arguments
    value = find(arguments, path)
    if value is not None or facts.tool is None:
        return value
    return find(fill_defaults(facts.tool.parameters, arguments), path)


def _facts_hold(comparisons: Mapping[str, Comparison], facts: Facts) -> bool:
    for path in comparisons:
        # Raises for a fact that nobody has looked up: nothing may be permitted without it.
        _ = facts.known[path.partition(".")[0]]
    return all(_compares(path, find(facts.known, path), to) for path, to in comparisons.items())


def _compares(path: str, value: Any, comparison: Comparison) -> bool:
    for name in sorted(comparison.model_fields_set):
        wanted = getattr(comparison, name)
        if value is None and name not in _ABSENT:
            return False
        try:
            if not (_ABSENT.get(name) or _COMPARED[name])(value, wanted):
                return False
        except Incomparable as error:
            raise Incomparable(f"{path} must be {error}, so that a rule can judge it") from None
    return True


def _number(value: Any) -> int | float:
    # What is not even itself is neither above nor below anything.
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise Incomparable("a number")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Incomparable("a text")
    return value


def _length(value: Any) -> int:
    if not isinstance(value, str | list | tuple):
        raise Incomparable("a text or a list")
    return len(value)


def _is_among(value: Any, listed: tuple[Any, ...]) -> bool:
    if isinstance(value, list | tuple | Mapping):
        raise Incomparable("a single value")
    # In JSON, true is not 1.
    return any(isinstance(value, bool) is isinstance(one, bool) and value == one for one in listed)


#: How a value is compared that is there.
_COMPARED: Final[Mapping[str, Callable[[Any, Any], bool]]] = MappingProxyType(
    {
        "above": lambda value, bound: _number(value) > bound,
        "at_least": lambda value, bound: _number(value) >= bound,
        "below": lambda value, bound: _number(value) < bound,
        "at_most": lambda value, bound: _number(value) <= bound,
        "one_of": _is_among,
        "starts_with": lambda value, start: _text(value).startswith(start),
        "ends_with": lambda value, end: _text(value).endswith(end),
        "longer_than": lambda value, length: _length(value) > length,
    }
)
#: What says something of a value that is not there, too.
_ABSENT: Final[Mapping[str, Callable[[Any, Any], bool]]] = MappingProxyType(
    {
        "none_of": lambda value, listed: not _is_among(value, listed),
        "present": lambda value, wanted: (value is not None) is wanted,
    }
)
