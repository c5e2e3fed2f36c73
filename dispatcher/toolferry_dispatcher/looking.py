"""A look at a response without running it: what it asks for, and how its calls are judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolferry import SCHEMA_VERSION, Context, Priority, Registry, ToolResult, envelope
from toolferry.repairing import Repairs
from toolferry_dispatcher.admission import Admitted, Origin, admit
from toolferry_dispatcher.providers.json_data import as_json
from toolferry_dispatcher.providers.protocol import Provider
from toolferry_dispatcher.reply import Reply, ReplyKind
from toolferry_ledger import Calls
from toolferry_policies import Judgement, judge
from toolferry_policies.checks import arguments_fit, tool_is_known

#: What is asked about a call: the rest needs a person's identity, or a server.
_CHECKS: Final = (tool_is_known, arguments_fit)
#: The parts of an envelope that belong to a call that was made.
_OF_A_CALL: Final = frozenset({"ok", "effect", "error_code"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenCall:
    """One call of a response that was looked at."""

    call_id: str
    #: Whether the id was made, because the response gave none that serves.
    generated_id: bool
    #: The tool's own name, or what the model wrote when there is none.
    name: str
    #: As they would run; None when they cannot be read.
    arguments: Mapping[str, Any] | None
    #: What the model would be told of a call that is refused; None of one that is accepted.
    error: Mapping[str, Any] | None
    #: What was put right, in order.
    repairs: tuple[str, ...]

    @property
    def is_accepted(self) -> bool:
        """Whether reading and schema let it through."""
        return self.error is None

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "call_id": self.call_id,
            "generated_id": self.generated_id,
            "name": self.name,
            "arguments": None if self.arguments is None else dict(self.arguments),
            "outcome": "accept" if self.is_accepted else "reject",
            "error": None if self.error is None else dict(self.error),
            "repairs": list(self.repairs),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a response asks for."""

    turn: ReplyKind
    #: The name of its format.
    provider: str
    #: In the model's order.
    calls: tuple[SeenCall, ...]

    @property
    def is_good(self) -> bool:
        """Whether it is an answer, or asks for calls that are all accepted."""
        whole = self.turn in {ReplyKind.CALLS, ReplyKind.FINAL}
        return whole and all(one.is_accepted for one in self.calls)

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "schema_version": SCHEMA_VERSION,
            "turn": self.turn.value,
            "provider": self.provider,
            "calls": [one.to_json() for one in self.calls],
        }


def look(
    response: object,
    provider: Provider,
    registry: Registry | None = None,
    repairs: Repairs = Repairs.ALL,
) -> Look:
    """Read a whole response and judge its calls by reading and schema; nothing is sent or kept.

    Args:
        response: An SDK's object, a dict, or JSON text; of a stream, what its assembler gives.
        provider: Whose format it is in.
        registry: The tools there are; when None, calls are judged by reading alone.
        repairs: What may be put right.

    Raises:
        ResponseMalformed: The response cannot be read; names the field.
    """
    reply = provider.read(response)
    known = frozenset(_texts(as_json(response))) if reply.calls else frozenset()
    seen = (_seen(one, known) for one in _admitted(reply, provider, registry, repairs))
    return Look(turn=reply.kind, provider=provider.name, calls=tuple(seen))


def _admitted(
    reply: Reply, provider: Provider, registry: Registry | None, repairs: Repairs
) -> tuple[Admitted, ...]:
    origin = Origin(
        turn_id="",
        conversation_id="",
        context=Context(),
        now=0.0,
        priority=Priority.NORMAL,
        repairs=repairs,
    )
    tools = Registry() if registry is None else registry
    checks = () if registry is None else _CHECKS

    def judge_all(calls: Calls) -> dict[int, Judgement]:
        return {at: judge(facts, checks) for at, facts in calls.items()}

    return admit(reply, tools, None, origin, provider, judge_all)


def _seen(one: Admitted, known: frozenset[str]) -> SeenCall:
    call = one.call
    return SeenCall(
        call_id=call.call_id,
        generated_id=call.call_id not in known,
        name=call.name,
        arguments=None if one.rule == "response_is_read" else call.arguments,
        error=None if one.refused is None else _error_of(one.refused),
        repairs=one.repairs,
    )


def _error_of(result: ToolResult) -> dict[str, Any]:
    told = envelope(result)
    rest = {name: part for name, part in told.items() if name not in _OF_A_CALL}
    return {"code": told["error_code"], **rest}


def _texts(data: Any) -> Iterator[str]:
    """Give every text in JSON data: a made id is unlike all of those that came."""
    todo = [data]
    while todo:
        one = todo.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            todo += one.values()
        elif isinstance(one, list):
            todo += one
