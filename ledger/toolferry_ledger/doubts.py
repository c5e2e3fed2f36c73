"""Doubts: calls of which nobody knows whether they had their effect, and their tool can find out.

1. An attempt ends so that its call would end with the effect `possible`. The result that says so is
   kept with the call as its *doubt*, and the call is queued once more.
2. A worker claims it, which counts as no attempt, and calls the tool's `verify`, not its handler.
3. It happened: the call has succeeded. It did not: the call ends as it did, with the effect `none`.
   In both cases the word is the author's. What a hook withholds of it, or cannot become a result,
   has happened all the same.
4. Whatever else comes of it, the doubt is the call's result: nothing is found out twice.

The handler is never called again: that it did not happen by now does not say that it will not, when
its worker is out of reach.
"""

from __future__ import annotations

from dataclasses import replace

from toolferry import Effect, Outcome, ToolResult
from toolferry_ledger.json_text import read_json
from toolferry_ledger.records import Claim, Suspect
from toolferry_ledger.spec import Spec
from toolferry_policies import FAULTS, AttemptEnd


def can_be_cleared(spec: Spec, call: Claim | Suspect, result: ToolResult) -> bool:
    """Tell whether it shall be found out what a call did, before this is its result.

    Args:
        spec: The call.
        call: The attempt that has ended.
        result: What the call's result would be.
    """
    if not spec.verifiable or spec.repeatable or call.doubt:
        return False
    is_open = result.effect is Effect.POSSIBLE and result.finished_at < call.deadline_at
    return is_open and result.error is not None and result.error.code in FAULTS


def end_of_doubt(doubt: bytes, end: AttemptEnd) -> AttemptEnd:
    """Say how a call ends of which it was to be found out what it did.

    Args:
        doubt: The JSON text of the result that it has if that was not found out.
        end: How finding out ended.
    """
    has_happened = end.withheld is not None or (end.verified and end.effect is Effect.COMMITTED)
    if end.outcome is Outcome.CANCELLED or has_happened:
        return end
    kept = ToolResult.from_json(read_json(doubt))
    left = AttemptEnd(outcome=kept.outcome, error=kept.error, effect=kept.effect, retryable=False)
    if not end.verified:
        return left
    return replace(left, effect=Effect.NONE, error=kept.error and kept.error.certain())
