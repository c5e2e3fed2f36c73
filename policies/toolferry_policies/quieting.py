"""Judgements without the secrets of their calls: rules and hooks may quote what they refuse."""

from __future__ import annotations

from dataclasses import replace

from toolferry import Context, Tool, ToolCall
from toolferry_policies.judgement import Judgement, Ruling
from toolferry_policies.secrecy import Hidden, brings_secrets, hidden_of
from toolferry_policies.verdict import Deny, RequireApproval


def without_secrets(
    judgement: Judgement, tool: Tool | None, call: ToolCall, context: Context
) -> Judgement:
    """Give a judgement whose sentences name no secret of the call; what it decides stays."""
    if not brings_secrets(tool, context):
        return judgement
    hidden = hidden_of(tool, context, call.arguments, judgement.arguments)
    changes = tuple(map(hidden.out_of, judgement.changes))
    return replace(judgement, verdict=_quiet(judgement.verdict, hidden), changes=changes)


def _quiet(verdict: Ruling, hidden: Hidden) -> Ruling:
    match verdict:
        case Deny():
            suggestion = verdict.suggestion and hidden.out_of(verdict.suggestion)
            return replace(
                verdict,
                message=hidden.out_of(verdict.message),
                suggestion=suggestion,
                detail=hidden.out_of(verdict.detail),
            )
        case RequireApproval():
            return RequireApproval(hidden.out_of(verdict.reason))
        case _:
            return verdict
