"""Which values an argument may have."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from toolferry import ConfigurationError
from toolferry.wording import shortened, value_text
from toolferry_policies.facts import Facts
from toolferry_policies.rules.place import Path, Rule, for_each, refused
from toolferry_policies.verdict import Permit, Verdict

#: Characters of the values that a refusal names.
_MAX_NAMED = 300


def allowed_values(path: str, values: Iterable[str | int | float | bool]) -> Rule:
    """Allow these values only, to the letter and of the same type: true is not 1.

    Args:
        path: The argument; with `[]` for every item of a list, as `columns[]`.
        values: Texts, numbers and booleans.

    Raises:
        ConfigurationError: The path is wrong, or there is no value.
    """
    if isinstance(values, str | bytes):
        raise ConfigurationError("allowed_values", "one text is no list of values")
    allowed = frozenset(map(_typed, values))
    if not allowed:
        raise ConfigurationError("allowed_values", "no value is allowed: leave the argument out")
    expected = _one_of(allowed)

    def judge(facts: Facts, where: Path, value: Any) -> Verdict:
        is_plain = isinstance(value, str | int | float)
        is_fit = is_plain and _typed(value) in allowed
        return Permit() if is_fit else refused(facts, where, value, expected)

    return for_each("allowed_values", path, judge)


def _typed(value: Any) -> tuple[type, Any]:
    # As JSON has it: 1 and 1.0 are one number, 1 and true are not one value.
    kind = float if isinstance(value, int | float) and not isinstance(value, bool) else type(value)
    return kind, value


def _one_of(allowed: Collection[tuple[type, Any]]) -> str:
    named = ", ".join(sorted(value_text(value) for _, value in allowed))
    return shortened(f"one of {named}", _MAX_NAMED)
