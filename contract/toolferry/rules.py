"""A tool's own rules, as it keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from toolferry.errors import ToolInvalid


def copy_rules(name: str, rules: Iterable[object]) -> tuple[Callable[[Any], Any], ...]:
    """Give the rules of a tool as they are kept.

    Raises:
        ToolInvalid: One of them cannot be asked.
    """
    kept = tuple(rules)
    for rule in kept:
        if not callable(rule):
            raise ToolInvalid(name, f"rules holds {rule!r:.40}: it must be a function")
    return kept  # type: ignore[return-value]  # mypy does not carry the check over to the tuple
