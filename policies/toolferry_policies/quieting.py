"""Judgements without the secrets of their calls: rules and hooks may quote what they refuse."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from toolferry import Context, Fault, Tool, ToolCall
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
            return replace(
                verdict,
                message=hidden.out_of(verdict.message),
                suggestion=verdict.suggestion and hidden.out_of(verdict.suggestion),
                faults=quiet_faults(verdict.faults, hidden),
                detail=hidden.out_of(verdict.detail),
            )
        case RequireApproval():
            return replace(verdict, reason=hidden.out_of(verdict.reason))
        case _:
            return verdict


def quiet_faults(faults: Iterable[Fault], hidden: Hidden) -> tuple[Fault, ...]:
    """Give faults of arguments without secrets."""
    return tuple(
        Fault(
            path=hidden.out_of(one.path),
            expected=hidden.out_of(one.expected),
            got=hidden.out_of(one.got),
        )
        for one in faults
    )
