"""The result of a call that a verdict keeps from running."""

from __future__ import annotations

from typing import Final

from toolferry import Effect, ErrorCode, Outcome, ToolCall, ToolResult
from toolferry_policies.verdict import Deny

#: Codes by which a rule says no; with every other code the call itself was faulty.
POLICY_CODES: Final = frozenset(
    {
        ErrorCode.DENIED,
        ErrorCode.TOOL_NOT_ALLOWED,
        ErrorCode.BUDGET_EXHAUSTED,
        ErrorCode.REPEATED_CALL,
    }
)


def refusal(call: ToolCall, verdict: Deny, requested_at: float) -> ToolResult:
    """Build the final result of a refused call: no attempt, no effect.

    Args:
        call: The call as the model made it.
        verdict: Why it must not run.
        requested_at: When it was asked for, in seconds since the epoch; it ends at once.
    """
    return ToolResult(
        call_id=call.call_id,
        name=call.name,
        outcome=Outcome.DENIED if verdict.code in POLICY_CODES else Outcome.FAILED,
        effect=Effect.NONE,
        error=verdict.error(),
        requested_at=requested_at,
        finished_at=requested_at,
    )
