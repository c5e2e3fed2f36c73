"""How much a list, an object or a text may hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolferry import ConfigurationError
from toolferry_policies.facts import Facts
from toolferry_policies.rules.place import Path, Rule, for_each, refused
from toolferry_policies.verdict import Permit, Verdict


def max_items(path: str, n: int) -> Rule:
    """Allow a list or an object of at most `n` items.

    Args:
        path: The argument, such as `ids` or `filter.tags`.
        n: Items at the most, 0 or more.

    Raises:
        ConfigurationError: The path or the number is wrong.
    """
    require_count("max_items", n)

    def judge(facts: Facts, where: Path, value: Any) -> Verdict:
        if not isinstance(value, list | tuple | Mapping):
            return refused(facts, where, value, f"array of at most {n}")
        return Permit() if len(value) <= n else refused(facts, where, value, f"at most {n} items")

    return for_each("max_items", path, judge)


def max_length(path: str, n: int) -> Rule:
    """Allow a text of at most `n` characters.

    Args:
        path: The argument.
        n: Characters at the most, 0 or more.

    Raises:
        ConfigurationError: The path or the number is wrong.
    """
    require_count("max_length", n)

    def judge(facts: Facts, where: Path, value: Any) -> Verdict:
        expected = f"text of at most {n} characters"
        is_fit = isinstance(value, str) and len(value) <= n
        return Permit() if is_fit else refused(facts, where, value, expected)

    return for_each("max_length", path, judge)


def require_count(rule: str, n: object, least: int = 0) -> None:
    """Refuse what is no whole number of at least `least`.

    Raises:
        ConfigurationError: It is none.
    """
    if not isinstance(n, int) or isinstance(n, bool) or n < least:
        raise ConfigurationError(rule, f"{n!r:.40} is no whole number of {least} or more")
