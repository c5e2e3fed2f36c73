"""What is said of a fault that pydantic found in a policy file: a sentence for operators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Final

from pydantic import BaseModel

from toolferry_policies.declared.counted import BudgetEntry, Budgets, GuardEntry
from toolferry_policies.declared.declaration import (
    Comparison,
    Condition,
    Declaration,
    Limit,
    Overrides,
    ProfileEntry,
    RateEntry,
    RuleEntry,
)
from toolferry_policies.declared.lines import Path

#: What a worker decides by as well, so that only the tool itself can say it.
_FIXED: Final = frozenset(
    {"name", "parameters", "version", "lane", "effect", "idempotent", "verify", "verifiable"}
)
#: The form of the tables that a key leads to.
_FORMS: Final[Mapping[str | int, type[BaseModel]]] = MappingProxyType(
    {
        "tools": Overrides,
        "categories": Overrides,
        "tags": Overrides,
        "profiles": ProfileEntry,
        "rules": RuleEntry,
        "when": Condition,
        "unless": Condition,
        "arguments": Comparison,
        "facts": Comparison,
        "concurrency": Limit,
        "rate": RateEntry,
        "loop_guard": GuardEntry,
    }
)
_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "bool_type": "must be true or false",
        "string_type": "must be a text",
        "int_type": "must be a whole number",
        "float_type": "must be a number",
        "finite_number": "must be a finite number",
        "frozen_set_type": "must be a list",
        "tuple_type": "must be a list",
        "dict_type": "must be a table",
        "model_type": "must be a table",
        "string_too_short": "must not be empty",
    }
)
_BOUNDS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = MappingProxyType(
    {
        "literal_error": lambda found: f"must be {found['expected']}",
        "enum": lambda found: f"must be {found['expected']}",
        "greater_than_equal": lambda found: f"must be {found['ge']} or more",
        "less_than_equal": lambda found: f"must be {found['le']} or less",
        "string_too_long": lambda found: f"has more than {found['max_length']} characters",
        "value_error": lambda found: str(found["error"]),
    }
)

#: Steps on the way to a budget, of which each key is one more.
_IN_BUDGET: Final = 2


def reason_of(error: Mapping[str, Any], path: Path) -> str:
    """Say what is wrong, and what to do.

    Args:
        error: The fault, as pydantic tells it.
        path: The way to it in the file.
    """
    kind = error["type"]
    if kind == "extra_forbidden":
        return _unknown(path)
    if kind == "missing":
        return f"{error['loc'][-1]} is missing"
    if kind in _BOUNDS:
        return _BOUNDS[kind](error["ctx"])
    return _WORDS.get(kind, str(error["msg"]))


def _unknown(path: Path) -> str:
    form, key = _form_of(path), str(path[-1])
    known = tuple(form.model_fields)
    if form is Overrides and key in _FIXED:
        return "only the tool itself can say this: workers run a call as it was made for"
    close = get_close_matches(key, known, n=1)
    if close:
        return f"there is no such key; did you mean {close[0]}?"
    return f"there is no such key; there are {', '.join(known)}"


def _form_of(path: Path) -> type[BaseModel]:
    """Give the form of the table that holds a key."""
    if path[0] == "budgets":
        return BudgetEntry if len(path) > _IN_BUDGET else Budgets
    named = (_FORMS[step] for step in reversed(path[:-1]) if step in _FORMS)
    return next(named, Declaration)
