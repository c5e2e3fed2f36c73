"""Blanks: the parts of a tool's results that nobody is to see."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, Final, TypeAlias

from toolferry.errors import ToolInvalid

#: A path of members, or a pattern of texts.
Blank: TypeAlias = str | re.Pattern[str]

#: What stands in the place of what was taken out.
LEFT_OUT: Final = "[redacted]"
_EVERY: Final = "*"


def copy_blanks(tool: str, blanks: Collection[Blank]) -> tuple[Blank, ...]:
    """Check what a tool takes out of its results.

    A path may be written as JSONPath writes it: "$.owner.iban" is "owner.iban".

    Raises:
        ToolInvalid: One is neither a path nor a compiled pattern of text.
    """
    if isinstance(blanks, str):
        raise ToolInvalid(tool, f"redact is one text, {blanks!r:.40}: give a tuple of paths")
    return tuple(_checked(tool, blank) for blank in blanks)


def leave_out(data: Any, blanks: Collection[Blank]) -> Any:
    r"""Take what paths and patterns name out of JSON data; what they do not meet stays.

    >>> leave_out({"owner": {"iban": "DE02", "name": "ann"}}, ["owner.iban"])
    {'owner': {'iban': '[redacted]', 'name': 'ann'}}
    >>> leave_out({"rows": [{"ssn": 1}, {"ssn": 2}]}, ["rows.*.ssn"])
    {'rows': [{'ssn': '[redacted]'}, {'ssn': '[redacted]'}]}
    >>> leave_out(["call 555-0199"], [re.compile(r"555-\d{4}")])
    ['call [redacted]']
    """
    for blank in blanks:
        data = (
            _without(data, blank.split("."))
            if isinstance(blank, str)
            else in_every_text(data, blank)
        )
    return data


def patterns_of(blanks: Collection[Blank]) -> tuple[re.Pattern[str], ...]:
    """Give the patterns among some blanks: they count for every text, wherever it stands."""
    return tuple(blank for blank in blanks if not isinstance(blank, str))


def in_every_text(data: Any, pattern: re.Pattern[str]) -> Any:
    """Take what a pattern finds out of every text of JSON data, the names of members included."""
    match data:
        case str():
            return pattern.sub(LEFT_OUT, data)
        case dict():
            return {
                pattern.sub(LEFT_OUT, name): in_every_text(child, pattern)
                for name, child in data.items()
            }
        case list():
            return [in_every_text(child, pattern) for child in data]
        case _:
            return data


def _checked(tool: str, blank: Blank) -> Blank:
    given: object = blank
    if isinstance(given, re.Pattern) and isinstance(given.pattern, str):
        return given
    path = blank.removeprefix("$.") if isinstance(blank, str) else ""
    if not path or not all(path.split(".")):
        raise ToolInvalid(
            tool,
            f"redact holds {blank!r:.40}, which is neither a path such as 'rows.*.ssn' nor a"
            " compiled pattern",
        )
    return path


def _without(data: Any, path: Sequence[str]) -> Any:
    step, rest = path[0], path[1:]
    match data:
        case dict():
            return {
                name: _blanked(child, rest) if step in (name, _EVERY) else child
                for name, child in data.items()
            }
        case list():
            return [
                _blanked(child, rest) if step in (str(at), _EVERY) else child
                for at, child in enumerate(data)
            ]
        case _:
            return data


def _blanked(child: Any, rest: Sequence[str]) -> Any:
    return _without(child, rest) if rest else LEFT_OUT
