"""Admission: each call of a reply is judged; what may run is written down, the rest is answered."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from toolferry import (
    CallError,
    CallState,
    Context,
    ErrorCode,
    Priority,
    Registry,
    Tool,
    ToolCall,
    ToolResult,
)
from toolferry.record import record
from toolferry.repairing import Repairs
from toolferry_dispatcher.chains import broken_off, links_of
from toolferry_dispatcher.discreet import quiet_fault, quiet_limit, quiet_name
from toolferry_dispatcher.mending import with_advice
from toolferry_dispatcher.plan import Need, limit_of, needs_of, rate_of
from toolferry_dispatcher.plan import order as order_of
from toolferry_dispatcher.providers.names import find_name
from toolferry_dispatcher.providers.protocol import Provider
from toolferry_dispatcher.refused import refusal_of
from toolferry_dispatcher.repairing import Repaired, held_to, repaired, repairs_for
from toolferry_dispatcher.reply import Reply
from toolferry_ledger import (
    Calls,
    JudgeAll,
    Pool,
    Route,
    Signer,
    Spec,
    Submission,
    result_text,
    seal_secrets,
)
from toolferry_policies import (
    NO_POLICY,
    NOTHING_KNOWN,
    Deny,
    Facts,
    Judgement,
    Known,
    Policy,
    RequireApproval,
    judge,
    refusal,
    without_secrets,
)

#: Seconds beyond its deadline for which a worker still takes a call's signature for valid.
EXPIRY_SLACK = 60.0


@record(frozen=True, slots=True)
class Admitted:
    """A call with what was decided about it."""

    #: As the model made it.
    call: ToolCall
    #: None when the tool is unknown.
    tool: Tool | None
    #: The final result when the call must not run.
    refused: ToolResult | None
    #: What only the log may know of a refusal, such as the error of a broken check.
    detail: str = ""
    #: Why a person has to decide before it runs; empty when nobody has to.
    approval: str = ""
    #: What policies changed about the arguments, a sentence each.
    changes: tuple[str, ...] = ()
    #: What they made of them; None when nothing was changed.
    changed: Mapping[str, Any] | None = None
    #: What fact providers have looked up about it.
    known: Known = NOTHING_KNOWN
    #: The name of the check that refused, or wants a person; empty when all permit.
    rule: str = ""
    #: What was put right about the arguments before they were judged.
    repairs: tuple[str, ...] = ()
    #: The arguments as they were read, where that put fields right; else None.
    read: Mapping[str, Any] | None = None
    #: Which calls of the response it is planned together with; empty for none.
    chain: str = ""

    @property
    def original(self) -> Mapping[str, Any] | None:
        """The arguments as the model gave them; None when they run as they are."""
        given = self.call.arguments if self.changes else None
        return given if self.read is None else self.read

    @property
    def effective(self) -> ToolCall:
        """The call as it is to run."""
        if self.changed is None:
            return self.call
        return ToolCall(self.call.call_id, self.call.name, self.changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where the calls of a turn come from; the same for all of them."""

    turn_id: str
    conversation_id: str
    context: Context
    #: Server time, seconds since the epoch.
    now: float
    priority: Priority
    #: What operators declare about tools.
    policy: Policy = NO_POLICY
    #: What may be put right about calls.
    repairs: Repairs = Repairs.ALL


def admit(
    reply: Reply,
    registry: Registry,
    visible: Collection[str] | None,
    origin: Origin,
    provider: Provider,
    judge_all: JudgeAll,
) -> tuple[Admitted, ...]:
    """Judge every call of a reply; one that is refused says nothing about its siblings.

    Args:
        reply: The model's response, read.
        registry: The tools there are.
        visible: The names that were on offer in this turn; None when all were.
        origin: On whose behalf, and when.
        provider: Knows by which names the tools went over the wire.
        judge_all: Judges those that could be read.
    """
    registered = frozenset(registry.names())
    shown = origin.policy.shown(registry, visible)
    reads = [held_to(read, origin.repairs) for read in reply.calls]
    repairs = repairs_for(provider, origin.repairs)
    found, mended = [], []
    for read in reads:
        name = find_name(read.call.name, registered, provider.wire_name) or read.call.name
        tool = origin.policy.of(registry, name)
        one = repaired(read, name, tool, repairs)
        mended.append(one)
        found.append(
            Facts(
                call=one.call,
                tool=tool,
                registered=registered,
                visible=shown,
                context=origin.context,
                findings=one.findings,
            )
        )
    judged = judge_all({at: found[at] for at, one in enumerate(reads) if one.fault is None})
    decided = (
        _noted(
            _decided(
                found[at],
                judged[at] if one.fault is None else _unread(one.fault, found[at]),
                origin,
            ),
            mended[at],
            one.chain,
        )
        for at, one in enumerate(reads)
    )
    return broken_off(tuple(decided), origin.now)


def _noted(one: Admitted, repaired: Repaired, chain: str) -> Admitted:
    """Note what was put right, also in the result of a call that is refused all the same."""
    if chain:
        one = replace(one, chain=chain)
    if not repaired.repairs:
        return one
    refused = one.refused and replace(one.refused, repairs=repaired.repairs)
    return replace(one, refused=refused, repairs=repaired.repairs, read=repaired.original)


def judge_each(calls: Calls) -> dict[int, Judgement]:
    """Judge calls with the checks alone."""
    return {at: judge(facts) for at, facts in calls.items()}


def _decided(facts: Facts, judgement: Judgement, origin: Origin) -> Admitted:
    call, tool = facts.call, facts.tool
    judgement = without_secrets(judgement, tool, call, origin.context)
    verdict = judgement.verdict
    if isinstance(verdict, Deny):
        refused = with_advice(refusal(call, verdict, origin.now), facts)
        return Admitted(call, tool, refused, verdict.detail, rule=judgement.rule)
    approval = verdict.reason if isinstance(verdict, RequireApproval) else ""
    rule = judgement.rule
    if not judgement.changes:
        return Admitted(call, tool, None, "", approval, known=judgement.known, rule=rule)
    return Admitted(
        call,
        tool,
        None,
        "",
        approval,
        judgement.changes,
        judgement.arguments,
        judgement.known,
        rule,
    )


def submissions(admitted: Sequence[Admitted], origin: Origin, signer: Signer) -> list[Submission]:
    """Write down every call of a turn: signed when it may run, with its result when it may not."""
    needs = needs_of([(one.effective, None if one.refused else one.tool) for one in admitted])
    order, links = order_of(needs), links_of(admitted)
    return [
        _submission(index, one, need, (order[index], links[index]), origin, signer)
        for index, (one, need) in enumerate(zip(admitted, needs, strict=True))
    ]


def _unread(fault: CallError, facts: Facts) -> Judgement:
    fault = quiet_fault(fault, facts.tool, facts.context)
    denied = Deny(ErrorCode(fault.code), fault.message, fault.suggestion, fault.faults)
    return Judgement(denied, "response_is_read", {})


def _submission(
    index: int,
    one: Admitted,
    need: Need | None,
    before: tuple[tuple[int, ...], int | None],
    origin: Origin,
    signer: Signer,
) -> Submission:
    if need is None or one.tool is None:
        return _answered(index, one, origin, signer)
    tool, call = one.tool, one.effective
    spec = Spec(
        turn_id=origin.turn_id,
        index=index,
        call_id=call.call_id,
        name=tool.name,
        arguments=call.arguments,
        context=origin.context,
        conversation_id=origin.conversation_id,
        tool_version=tool.version,
        tool_digest=tool.digest,
        lane=tool.lane,
        queue=tool.queue,
        timeout=tool.timeout,
        deadline=tool.deadline,
        retry=tool.retry,
        effect_class=tool.effect,
        repeatable=tool.repeatable,
        verifiable=tool.verifiable,
        approval=one.approval,
        terms=tool.approval,
        rule=one.rule,
        changes=one.changes,
        known=one.known,
        original=one.original,
        repairs=one.repairs,
        policy=origin.policy.hash,
        max_result_bytes=tool.max_result_bytes if origin.policy.limits_results else None,
        issued_at=origin.now,
        expires_at=origin.now + tool.deadline + EXPIRY_SLACK,
    )
    text = seal_secrets(spec, tool, signer).to_bytes()
    return Submission(
        spec=text,
        signature=signer.sign(text),
        route=Route(Pool.of(tool), origin.priority),
        tool=tool.name,
        tenant=origin.context.tenant,
        timeout=tool.timeout,
        deadline=tool.deadline,
        after=before[0],
        link=before[1],
        resource=quiet_name(need.resource, tool, call, origin.context, signer),
        writes=need.writes,
        concurrency=quiet_limit(
            limit_of(call, tool, origin.context), tool, call, origin.context, signer
        ),
        rate=quiet_limit(rate_of(call, tool, origin.context), tool, call, origin.context, signer),
        awaits_approval=bool(one.approval),
        decide_within=tool.approval.seconds,
    )


def _answered(index: int, one: Admitted, origin: Origin, signer: Signer) -> Submission:
    """Write down a call that is answered already; invented names leave no trace in the indexes."""
    result = one.refused
    if result is None:
        raise ValueError(f"call {one.call.call_id} has neither a tool nor a result")
    judged = refusal_of(index, one, origin).to_bytes()
    return Submission(
        spec=judged,
        signature=signer.sign(judged),
        route=Route(Pool.of(one.tool)),
        tool=one.tool.name if one.tool else "-",
        tenant="",
        timeout=1,
        deadline=1,
        result=result_text(result),
        outcome=CallState(result.outcome.value),
    )
