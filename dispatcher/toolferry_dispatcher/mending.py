"""What a model is told to mend its call in one try, in the result of a call that was refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from toolferry import CallError, ErrorCode, Fault, ToolResult
from toolferry.advice import hint_of, name_hint
from toolferry.hint import Hint
from toolferry.limits import MAX_DEPTH
from toolferry.sample import sample_of
from toolferry.wording import value_text
from toolferry_policies import Facts
from toolferry_policies.checks.known import closest

#: What was wanted and what came, of arguments that could not be read.
_UNREAD: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        ErrorCode.INVALID_JSON: ("one JSON object", "what is none"),
        ErrorCode.MULTIPLE_OBJECTS: ("one JSON object", "several objects"),
        ErrorCode.TRUNCATED: ("one whole JSON object", "one that was cut off"),
        ErrorCode.TOO_DEEP: (f"at most {MAX_DEPTH} levels of objects and arrays", "more"),
    }
)
#: Characters of an unknown name that are looked at.
_MAX_NAME: Final = 64


def with_advice(result: ToolResult, facts: Facts) -> ToolResult:
    """Give the result of a refused call with what helps to mend it, where that can help.

    Args:
        result: Why the call must not run.
        facts: The call and its tool.
    """
    error = result.error
    if error is None:
        return result
    if error.code in _UNREAD:
        hint = Hint(example=sample_of(facts.tool)) if facts.tool else None
        return replace(result, error=_told(error, "", *_UNREAD[error.code]), hint=hint)
    if error.code == ErrorCode.SCHEMA and facts.tool and facts.findings:
        return replace(result, hint=hint_of(facts.tool, facts.findings))
    if error.code == ErrorCode.UNKNOWN_TOOL:
        return _unknown(result, error, facts)
    return result


def _unknown(result: ToolResult, error: CallError, facts: Facts) -> ToolResult:
    name = facts.call.name[:_MAX_NAME]
    told = _told(error, "name", "the name of a tool on offer", value_text(name))
    return replace(result, error=told, hint=name_hint(facts.offered, closest(name, facts.offered)))


def _told(error: CallError, path: str, expected: str, got: str) -> CallError:
    """Say where what is wrong stands, unless that is said."""
    if error.faults:
        return error
    return replace(error, faults=(Fault(path=path, expected=expected, got=got),))
