"""Judging a call once more that waits for a person: the policy may have changed meanwhile."""

from __future__ import annotations

from collections.abc import Sequence

from toolferry import Extensions, FactProvider, Tool, ToolCall
from toolferry_ledger.consulting import judge_alone
from toolferry_ledger.spec import Spec
from toolferry_policies import Facts, Judgement, Policy, judge


def judge_again(
    spec: Spec, tool: Tool | None, policy: Policy, providers: Sequence[FactProvider] = ()
) -> Judgement:
    """Judge a call by the policy that holds now, with the arguments that it is to run with.

    Args:
        spec: What was decided about it; genuine.
        tool: The tool that it names, as its code has it; None when nobody knows it any more.
        policy: That of now.
        providers: Look up anew what they look up; without one, what was looked up then counts.
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
    return judge_alone(facts, Extensions(facts=providers)) if providers else judge(facts)
