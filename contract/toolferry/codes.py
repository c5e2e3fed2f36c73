"""The error codes: one closed set, each with what the model is told by default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class ErrorCode(StrEnum):
    """Why a call did not succeed, in one word that a program can branch on."""

    UNKNOWN_TOOL = "unknown_tool"
    TOOL_NOT_ALLOWED = "tool_not_allowed"
    INVALID_JSON = "invalid_json"
    MULTIPLE_OBJECTS = "multiple_objects"
    TOO_DEEP = "too_deep"
    TRUNCATED = "truncated"
    SCHEMA = "schema"
    DENIED = "denied"
    BUDGET_EXHAUSTED = "budget_exhausted"
    REPEATED_CALL = "repeated_call"
    TIMEOUT = "timeout"
    DEADLINE = "deadline"
    NO_WORKER = "no_worker"
    EXECUTION_FAILED = "execution_failed"
    WORKER_LOST = "worker_lost"
    RECORDS_LOST = "records_lost"
    CANCELLED = "cancelled"
    BAD_RESULT = "bad_result"
    RESULT_TOO_LARGE = "result_too_large"
    TOOL_CHANGED = "tool_changed"
    UNTRUSTED = "untrusted"
    NO_RESOURCE = "no_resource"
    NO_SECRET = "no_secret"  # noqa: S105 -- a word, and no secret
    TOOL_SHED = "tool_shed"
    BLOCKED = "blocked"
    NOT_EXECUTED = "not_executed"


#: What a call says that was not run since one before it in its chain did not succeed. Source: the
#: Anthropic SDK 2.14, `lib/tools/_toolsets`: models are used to this sentence.
NOT_EXECUTED: Final = "Not executed: an earlier action in this turn failed."


@dataclass(frozen=True, slots=True)
class CodeDefaults:
    """What an error code says when its raiser says nothing else."""

    #: Whether the same call, made again, may succeed.
    retryable: bool
    #: One sentence to the model: what to do now.
    suggestion: str


#: Every code has an entry; docs/errors.md is checked against this table.
CODE_DEFAULTS: Final[Mapping[ErrorCode, CodeDefaults]] = MappingProxyType(
    {
        ErrorCode.UNKNOWN_TOOL: CodeDefaults(False, "Call one of the tools on offer."),
        ErrorCode.TOOL_NOT_ALLOWED: CodeDefaults(
            False, "Do not call this tool here; use another one or ask the user."
        ),
        ErrorCode.INVALID_JSON: CodeDefaults(
            True, "Send the arguments again as one valid JSON object."
        ),
        ErrorCode.MULTIPLE_OBJECTS: CodeDefaults(True, "Make one call for each object."),
        ErrorCode.TOO_DEEP: CodeDefaults(True, "Send flatter arguments."),
        ErrorCode.TRUNCATED: CodeDefaults(True, "Make the call again with shorter arguments."),
        ErrorCode.SCHEMA: CodeDefaults(True, "Correct the named arguments and call again."),
        ErrorCode.DENIED: CodeDefaults(False, "Do not repeat this call; tell the user why."),
        ErrorCode.BUDGET_EXHAUSTED: CodeDefaults(
            False, "Finish with what you have, and tell the user that the budget is used up."
        ),
        ErrorCode.REPEATED_CALL: CodeDefaults(
            False, "Use the results that you have, try another way, or ask the user."
        ),
        ErrorCode.TIMEOUT: CodeDefaults(True, "Ask for less at once, or try again later."),
        ErrorCode.DEADLINE: CodeDefaults(True, "Try again later."),
        ErrorCode.NO_WORKER: CodeDefaults(
            True, "Tell the user that the tool cannot run now; try again later."
        ),
        ErrorCode.EXECUTION_FAILED: CodeDefaults(
            False, "Try other arguments or another way; tell the user if it keeps failing."
        ),
        ErrorCode.WORKER_LOST: CodeDefaults(
            False, "Check whether it happened before you make the call again."
        ),
        ErrorCode.RECORDS_LOST: CodeDefaults(True, "Make the call again."),
        ErrorCode.CANCELLED: CodeDefaults(False, "Do not repeat the call unless the user asks."),
        ErrorCode.BAD_RESULT: CodeDefaults(False, "Tell the user that the tool is broken."),
        ErrorCode.RESULT_TOO_LARGE: CodeDefaults(True, "Ask for a smaller part."),
        ErrorCode.TOOL_CHANGED: CodeDefaults(True, "Read the tool's description and call again."),
        ErrorCode.UNTRUSTED: CodeDefaults(False, "Tell the user to ask the operators."),
        ErrorCode.NO_RESOURCE: CodeDefaults(False, "Tell the user that the tool is broken."),
        ErrorCode.NO_SECRET: CodeDefaults(False, "Tell the user that the tool is not set up."),
        ErrorCode.TOOL_SHED: CodeDefaults(
            True, "Do something else first and try again later; tell the user if it lasts."
        ),
        ErrorCode.BLOCKED: CodeDefaults(
            False, "Do not repeat this call; go on without its result, and tell the user why."
        ),
        ErrorCode.NOT_EXECUTED: CodeDefaults(
            False, "Look at what failed before it, then decide anew."
        ),
    }
)
