"""Judging a call once more that waits for a person: the policy may have changed meanwhile."""

from __future__ import annotations

from toolferry import NO_EXTENSIONS, Extensions, Tool, ToolCall
from toolferry_ledger.consulting import judge_alone
from toolferry_ledger.spec import Spec
from toolferry_policies import Facts, Judgement, Policy, without_secrets


def judge_again(
    spec: Spec, tool: Tool | None, policy: Policy, extensions: Extensions = NO_EXTENSIONS
) -> Judgement:
    """Judge a call by the policy that holds now, with the arguments that it is to run with.

    Args:
        spec: What was decided about it; genuine, and opened with `open_secrets`, since rules judge
            the arguments as they are. What is said of it names no secret.
        tool: The tool that it names, as its code has it; None when nobody knows it any more.
        policy: That of now.
        extensions: What is asked besides, anew. Without any, what was looked up then still counts.
    """
    registered = frozenset({tool.name} if tool else ())
    is_offered = tool is not None and policy.is_enabled(tool)
    facts = Facts(
        call=ToolCall(spec.call_id, spec.name, spec.arguments),
        tool=tool and policy.tool(tool),
        registered=registered,
        visible=registered if is_offered else frozenset(),
        context=spec.context,
        known=spec.known,
    )
    judged = judge_alone(facts, extensions)
    return without_secrets(judged, facts.tool, facts.call, facts.context)
