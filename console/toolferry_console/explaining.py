"""An explanation: why a call ran or did not, what became of it, what the model was told. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from toolferry import SCHEMA_VERSION, ResultFormat, Tool, render
from toolferry.masking import hide_arguments, mask_arguments
from toolferry.running import render_running
from toolferry_dispatcher.meta import TurnMeta
from toolferry_ledger import CallCase, read_json
from toolferry_ledger.waiting import limit_words
from toolferry_policies.explaining import CheckSaid, Said, explain_checks


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing that happened to a call."""

    #: Server time, seconds since the epoch; None when it is not kept.
    at: float | None
    what: str

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {"at": self.at, "what": self.what}


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What a person is told who asks why."""

    case: CallCase
    tool: str
    call_id: str
    principal: str
    tenant: str
    conversation_id: str
    checks: tuple[CheckSaid, ...]
    #: Why a person was asked, or why it was refused; empty when it just ran.
    why: str
    #: What only operators may know of a refusal.
    detail: str
    #: The hash of what operators had declared; empty when nothing, and of a refusal.
    policy: str
    #: As the model gave them, and as they run; None when they are not kept or not to be believed.
    original: Mapping[str, Any] | None
    effective: Mapping[str, Any] | None
    changes: tuple[str, ...]
    #: What was put right about the arguments before they were judged.
    repairs: tuple[str, ...]
    timeline: tuple[Moment, ...]
    #: Word for word; None while nothing was.
    told: str | None

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        result = self.case.result
        return {
            "schema_version": SCHEMA_VERSION,
            "call": self.case.call_key,
            "call_id": self.call_id,
            "tool": self.tool,
            "state": self.case.state.value,
            "effect": None if result is None else result.effect.value,
            "principal": self.principal,
            "tenant": self.tenant,
            "conversation_id": self.conversation_id,
            "trusted": not self.case.is_untrusted,
            "checks": [{"check": one.check, "said": one.said.value} for one in self.checks],
            "why": self.why or None,
            "detail": self.detail or None,
            "policy": self.policy or None,
            "arguments": {"original": self.original, "effective": self.effective},
            "changes": list(self.changes),
            "repairs": list(self.repairs),
            "timeline": [one.to_json() for one in self.timeline],
            "attempts": [one.to_json() for one in self.case.attempts],
            "told": self.told,
            "kept_characters": None if self.case.whole is None else len(self.case.whole),
        }


def explain_case(case: CallCase, tool: Tool | None) -> Explanation:
    """Explain a call.

    Args:
        case: What is kept of it.
        tool: Its tool; when None nobody knows which arguments are secret, and all are hidden.
    """
    meta = TurnMeta.from_bytes("", case.meta) if case.meta else None
    position = int(case.call_key.rpartition(":")[2])
    named = meta.calls[position] if meta and position < len(meta.calls) else None
    original, effective = _arguments(case, tool)
    identity = case.spec.context if case.spec else case.refusal
    return Explanation(
        case=case,
        tool=case.spec.name if case.spec else named.name if named else "",
        call_id=named.call_id if named else case.spec.call_id if case.spec else "",
        principal=identity.principal if identity else "",
        tenant=identity.tenant if identity else meta.tenant if meta else "",
        conversation_id=meta.conversation_id if meta else "",
        checks=tuple(_checks(case)),
        why=_why(case),
        detail=case.refusal.detail if case.refusal else "",
        policy=case.spec.policy if case.spec else "",
        original=original,
        effective=effective,
        changes=case.spec.changes if case.spec else (),
        repairs=record.repairs if (record := case.spec or case.refusal) else (),
        timeline=tuple(_timeline(case)),
        told=_told(case, ResultFormat(named.format if named else ResultFormat.ENVELOPE)),
    )


def _checks(case: CallCase) -> Iterator[CheckSaid]:
    if case.spec is not None:
        said = Said.ASKED if case.spec.approval else Said.PERMITTED
        yield from explain_checks(case.spec.rule, said)
    elif case.refusal is not None:
        yield from explain_checks(case.refusal.rule, Said.DENIED)
    elif not case.is_untrusted:
        yield from explain_checks("", Said.DENIED)


def _why(case: CallCase) -> str:
    if case.spec is not None:
        return case.spec.approval
    error = case.result.error if case.result else None
    return error.message if error else ""


def _arguments(
    case: CallCase, tool: Tool | None
) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
    """Give the model's arguments and those that run, both as people may see them."""
    if case.spec is None:
        return (case.refusal.arguments if case.refusal else None), None
    effective = _shown(tool, case.spec.arguments)
    original = case.spec.original
    return (effective if original is None else _shown(tool, original)), effective


def _shown(tool: Tool | None, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return hide_arguments(arguments) if tool is None else mask_arguments(tool.parameters, arguments)


def _timeline(case: CallCase) -> Iterator[Moment]:
    yield Moment(case.requested_at, "requested")
    if case.spec is None and case.attempt == 0 and not case.is_untrusted:
        rule = f" by {case.refusal.rule}" if case.refusal and case.refusal.rule else ""
        yield Moment(case.requested_at, f"refused{rule}")
        return
    asks = ", to wait for a person" if case.spec and case.spec.approval else ""
    yield Moment(case.requested_at, f"admitted{asks}")
    if case.decision is not None:
        why = f": {case.decision.reason}" if case.decision.reason else ""
        what = "approved" if case.decision.approved else "denied"
        by = f"{case.decision.who}{_in_advance(case)}"
        yield Moment(case.decision.at, f"{what} by {by}{why}")
    if case.waits_for:
        yield Moment(None, _waits(case))
    yield from _attempts(case)
    if case.withdrawn is not None:
        yield Moment(None, f"withdrawn while it ran{f': {case.withdrawn}' * bool(case.withdrawn)}")
    yield from _end(case)


def _waits(case: CallCase) -> str:
    """Say what a call waits for, and about when it goes on."""
    limit = limit_words(case.waits_for)
    if not limit:
        return f"waits for call {case.waits_for}"
    until = "" if case.waits_until is None else f"; it may go on about {clock(case.waits_until)}"
    return f"waits: {limit}{until}"


def _in_advance(case: CallCase) -> str:
    """Say of which standing approval a decision came; empty when the person said so then."""
    decision = case.decision
    if decision is None or not decision.standing:
        return ""
    left = "" if case.uses_left is None else f", {case.uses_left} uses left"
    return (
        f" in advance ({clock(decision.allowed_at)}, standing approval {decision.standing}{left})"
    )


def _attempts(case: CallCase) -> Iterator[Moment]:
    for past in case.attempts:
        if past.started_at is not None:
            yield Moment(past.started_at, f"attempt {past.attempt} began on {past.worker}")
        why = f" ({past.code}): {past.message}" if past.code else ""
        late = ", too late to change anything" if past.late else ""
        yield Moment(past.ended_at, f"attempt {past.attempt} ended {past.outcome.value}{why}{late}")
    if case.attempt > max((past.attempt for past in case.attempts), default=0):
        yield Moment(case.started_at, f"attempt {case.attempt} began on {case.worker or '-'}")


def _end(case: CallCase) -> Iterator[Moment]:
    result = case.result
    if result is None:
        deadline = (
            "" if case.deadline_at is None else f"; its deadline is {clock(case.deadline_at)}"
        )
        yield Moment(None, f"is {case.state.value} now{deadline}")
        return
    code = f" ({result.error.code})" if result.error else ""
    said = f"ended {result.outcome.value}{code}, effect {result.effect.value}"
    yield Moment(result.finished_at, said)


def _told(case: CallCase, form: ResultFormat) -> str | None:
    if case.answer is not None:
        return render_running(read_json(case.answer), form)
    return None if case.result is None else render(case.result, form)


def explanation_lines(one: Explanation) -> Iterator[str]:
    """Write an explanation for people, one fact a line."""
    yield f"call {one.case.call_key} of {one.tool or '-'}: {one.case.state.value}"
    yield f"asked by {one.principal or '-'} of {one.tenant or '-'}"
    if one.conversation_id:
        yield f"conversation {one.conversation_id}"
    if one.case.is_untrusted:
        yield "its record cannot be trusted"
    yield from _check_lines(one)
    yield from _argument_lines(one)
    yield "timeline"
    for moment in one.timeline:
        yield f"  {clock(moment.at):<23}  {moment.what}"
    if one.told is None:
        yield "the model was told nothing yet"
    else:
        yield "the model was told"
        yield f"  {one.told}"
    if one.case.whole is not None:
        yield f"all {len(one.case.whole):,} characters of its result are kept: --whole prints them"


def _check_lines(one: Explanation) -> Iterator[str]:
    yield f"checks, under policy {one.policy}" if one.policy else "checks"
    for check in one.checks:
        told = one.why if check.said in {Said.DENIED, Said.ASKED} else ""
        words = check.check.replace("_", " ")
        yield f"  {words}: {check.said.value.replace('_', ' ')}{f': {told}' if told else ''}"
    if one.detail:
        yield f"  detail: {one.detail}"


def _argument_lines(one: Explanation) -> Iterator[str]:
    if one.original is not None:
        yield f"arguments {dict(one.original)}"
    if one.effective is not None and one.effective != one.original:
        yield f"run with {dict(one.effective)}"
        yield from (f"  changed: {change}" for change in one.changes)
    if one.repairs:
        yield f"  repaired: {', '.join(one.repairs)}"


def clock(at: float | None) -> str:
    """Write a time of the server.

    >>> clock(0.25)
    '1970-01-01 00:00:00.250'
    """
    if at is None:
        return ""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
