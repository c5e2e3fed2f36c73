"""Preparing a turn: from a model's response to calls that are judged. Pure: nothing is sent."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from toolferry import (
    ConfigurationError,
    Context,
    Priority,
    Registry,
    ResultFormat,
    ToolResult,
    call_key,
)
from toolferry.repairing import Repairs
from toolferry_dispatcher.admission import Admitted, Origin, admit, judge_each
from toolferry_dispatcher.answering import answer_within, check_answer_within
from toolferry_dispatcher.meta import CallMeta, TurnMeta
from toolferry_dispatcher.providers import Provider
from toolferry_dispatcher.providers.settling import cut_off
from toolferry_dispatcher.reading import read_response
from toolferry_dispatcher.reply import Reply
from toolferry_ledger import JudgeAll, Pool
from toolferry_policies import NO_POLICY, Policy

#: Characters of a turn id at the most: it is part of the keys of all its calls.
MAX_TURN_ID: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What an application asks of a dispatcher for one response of its model."""

    #: The model's response, the chunks of a streamed one, or plain `ToolCall`s.
    response: object
    context: Context = field(default_factory=Context)
    #: The format of the response, or `auto` to tell it by the response; plain calls need none.
    provider: str = "openai-chat"
    #: The turn's name; made up when None. The same name with the same calls is the same turn.
    turn_id: str | None = None
    conversation_id: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    #: The names of the tools that were on offer; None when all were.
    visible: Collection[str] | None = None
    #: How urgent the calls are.
    priority: Priority = Priority.NORMAL
    #: Seconds after which the model is told of a call that it still runs; None leaves it to the
    #: tools.
    answer_within: float | None = None
    #: Whether a response that was cut off runs the calls before its last one.
    run_complete_calls: bool = False
    #: Whether calls that may be repeated run again when the server has lost the turn.
    resubmit: bool = False


@dataclass(frozen=True, slots=True)
class Prepared:
    """A turn of which all is decided that can be decided before anything runs."""

    meta: TurnMeta
    admitted: tuple[Admitted, ...]
    origin: Origin
    #: Whether calls that may be repeated run again when the server has lost the turn.
    resubmit: bool = False

    @property
    def refused(self) -> dict[int, ToolResult]:
        """The results of the calls that must not run, by position."""
        refused = ((at, one.refused) for at, one in enumerate(self.admitted))
        return {at: result for at, result in refused if result is not None}

    @property
    def gated(self) -> dict[str, str]:
        """The names of the tools of those that wait for a person, by call key."""
        return {
            call_key(self.meta.turn_id, at): one.call.name
            for at, one in enumerate(self.admitted)
            if one.approval
        }


def prepare(
    request: Request,
    registry: Registry,
    clock: Callable[[], float],
    policy: Policy = NO_POLICY,
    judge_all: JudgeAll = judge_each,
    repairs: Repairs = Repairs.ALL,
) -> Prepared:
    """Read a response and judge its calls.

    Args:
        request: The response and all that was said about it.
        registry: The tools there are.
        clock: Gives the server's time; asked only when there are calls.
        policy: What operators declare about the tools.
        judge_all: Judges the calls; with the checks alone when it is not given.
        repairs: What may be put right about the calls.

    Raises:
        ResponseMalformed: The response cannot be read; names the field.
        ConfigurationError: The turn id is no name, conversation or tenant is no text, there is no
            such priority, or `answer_within` is no time.
    """
    _check_turn_id(request.turn_id)
    _check_text("conversation_id", request.conversation_id)
    _check_text("context.tenant", request.context.tenant)
    check_answer_within(request.answer_within)
    provider, reply = read_response(request.response, request.provider)
    origin = Origin(
        turn_id=request.turn_id or uuid.uuid4().hex,
        conversation_id=request.conversation_id,
        context=request.context,
        now=clock() if reply.calls else 0.0,
        priority=_read_priority(request.priority),
        policy=policy,
        repairs=repairs,
    )
    reply = cut_off(reply, run_complete=request.run_complete_calls)
    admitted = admit(reply, registry, request.visible, origin, provider, judge_all)
    meta = _meta_of(request, reply, admitted, provider, origin)
    return Prepared(meta, admitted, origin, request.resubmit)


def _check_turn_id(turn_id: object) -> None:
    """Require a name that a key can hold, or none."""
    is_name = isinstance(turn_id, str) and 0 < len(turn_id) <= MAX_TURN_ID and turn_id.isprintable()
    if turn_id is not None and not is_name:
        raise ConfigurationError(
            "turn_id", f"must be 1 to {MAX_TURN_ID} printable characters, not {turn_id!r:.80}"
        )


def _check_text(name: str, text: object) -> None:
    """Require a text that a key can hold."""
    if not isinstance(text, str) or text.encode(errors="replace").decode() != text:
        raise ConfigurationError(name, f"must be text without half characters, not {text!r:.80}")


def _read_priority(priority: str) -> Priority:
    """Read a priority, which may be given as plain text."""
    try:
        return Priority(priority)
    except ValueError as error:
        known = ", ".join(Priority)
        raise ConfigurationError("priority", f"{priority!r} is none of {known}") from error


def _meta_of(
    request: Request,
    reply: Reply,
    admitted: Sequence[Admitted],
    provider: Provider,
    origin: Origin,
) -> TurnMeta:
    calls = tuple(
        CallMeta(
            one.call.call_id,
            one.call.name,
            one.tool.result_format if one.tool else ResultFormat.ENVELOPE,
            Pool.of(one.tool),
            one.tool.deadline if one.tool and not one.refused else 0.0,
            answer_within(one, request.answer_within),
        )
        for one in admitted
    )
    return TurnMeta(
        turn_id=origin.turn_id,
        provider=provider.name,
        kind=reply.kind,
        message=reply.message,
        text=reply.text,
        calls=calls,
        conversation_id=request.conversation_id,
        tenant=request.context.tenant,
        labels=request.labels,
        requested_at=origin.now,
    )
