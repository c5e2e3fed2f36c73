"""Strict registration: a tool that a model would stumble over is refused."""

from __future__ import annotations

from collections.abc import Iterable

from toolferry.errors import ToolUnclear
from toolferry.linting.linter import definition_of, findings_of
from toolferry.linting.twins import with_twins
from toolferry.tool import Tool


def require_clear(tool: Tool, others: Iterable[Tool] = ()) -> None:
    """Require a tool in which the linter finds no error and no warning.

    Args:
        tool: The tool.
        others: What it is compared with; they are not judged themselves.

    Raises:
        ToolUnclear: There are findings beyond advice; lists place and mend of each.
    """
    known = [one for one in others if one.name != tool.name]  # a name that is taken is told as such
    *_, (definition, twin) = with_twins(map(definition_of, (*known, tool)))
    findings = tuple(one for one in findings_of(definition, twin) if one.weighs)
    if findings:
        raise ToolUnclear(tool.name, "; ".join(map(str, findings)), findings)
