"""The core of a dispatcher: from a model's response to a turn in the ledger. No waiting here."""

from __future__ import annotations

import time
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import structlog

from toolferry import (
    CallRejected,
    Context,
    Lane,
    Registry,
    ResultFormat,
    ToolCall,
    ToolResult,
    TurnUnknown,
)
from toolferry_dispatcher.admission import (
    Admitted,
    Origin,
    admit,
    cut_off,
    digest_of,
    submissions,
)
from toolferry_dispatcher.inbox import Inbox
from toolferry_dispatcher.meta import CallMeta, TurnMeta
from toolferry_dispatcher.providers import provider as provider_named
from toolferry_dispatcher.providers.protocol import Provider
from toolferry_dispatcher.reply import Reply
from toolferry_dispatcher.watch import Watch
from toolferry_ledger import Bell, Ledger, Reaper, Settings, Signer, read_result

log = structlog.get_logger(__name__)


class TurnConflict(CallRejected):
    """A turn id was used again for other calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What an application asks of a dispatcher for one response of its model."""

    #: The model's response, or plain `ToolCall`s.
    response: object
    context: Context = field(default_factory=Context)
    #: The format of the response; plain calls need none.
    provider: str = "openai-chat"
    #: The turn's name; made up when None. The same name with the same calls is the same turn.
    turn_id: str | None = None
    conversation_id: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    #: The names of the tools that were on offer; None when all were.
    visible: Collection[str] | None = None
    #: Whether a response that was cut off runs the calls before its last one.
    run_complete_calls: bool = False


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A turn that is in the ledger, as its dispatcher follows it."""

    meta: TurnMeta
    watch: Watch
    #: The results that are known already, by position.
    known: dict[int, ToolResult]


class Core:
    """Reads, judges, writes and rings. Thread-safe; shared by the sync and asyncio dispatchers.

    Args:
        registry: The tools that models may be offered.
        settings: Which system.
    """

    def __init__(self, registry: Registry, settings: Settings) -> None:
        self.registry = registry
        self.ledger = Ledger(settings)
        self.bell = Bell(settings)
        self.signer = Signer(settings.secret)
        name = uuid.uuid4().hex[:16]
        self.inbox = Inbox(name, self.ledger, Reaper(self.ledger, self.bell, self.signer))
        self._clock = _ServerClock(self.ledger)

    def open(self, request: Request) -> OpenTurn:
        """Read a response, judge its calls, write the turn and ring for what may run.

        Raises:
            ResponseMalformed: The response cannot be read.
            LedgerUnavailable: The server did not take the turn; nothing will run.
            TurnConflict: The turn id stands for other calls already.
        """
        provider, reply = _read(request)
        origin = Origin(
            turn_id=request.turn_id or uuid.uuid4().hex,
            conversation_id=request.conversation_id,
            context=request.context,
            now=self._clock.now() if reply.calls else 0.0,
        )
        keep = len(reply.calls) - 1 if request.run_complete_calls else 0
        admitted = admit(cut_off(reply, keep), self.registry, request.visible, origin, provider)
        meta = _meta_of(request, reply, admitted, provider, origin)
        watch = Watch(origin.turn_id)
        watch.expect({at: call.lane for at, call in enumerate(meta.calls)})
        if not admitted:
            return OpenTurn(meta, watch, {})
        return self._submit(meta, self.inbox.follow(watch), admitted, origin)

    def attach(self, turn_id: str) -> OpenTurn:
        """Follow a turn that another process, or this one before, has dispatched.

        Raises:
            TurnUnknown: The ledger has no such turn, or it has expired.
            LedgerUnavailable: The server does not answer.
        """
        # Followed before it is read: no end can slip through between the two.
        watch = self.inbox.follow(Watch(turn_id))
        record = self.ledger.attach(turn_id, self.inbox.name)
        if record is None:
            raise TurnUnknown(turn_id, "the ledger does not have it; it may have expired")
        meta = TurnMeta.from_bytes(turn_id, record.meta)
        watch.expect({at: call.lane for at, call in enumerate(meta.calls)})
        watch.note(record.results)
        return OpenTurn(meta, watch, read_results(meta, record.results))

    def close(self) -> None:
        """Let go of the server; turns go on in the ledger and can be attached to."""
        self.inbox.close()
        self.bell.close()
        self.ledger.close()

    def _submit(
        self, meta: TurnMeta, watch: Watch, admitted: Sequence[Admitted], origin: Origin
    ) -> OpenTurn:
        refused = {at: one.refused for at, one in enumerate(admitted) if one.refused is not None}
        reply = self.ledger.submit(
            meta.turn_id,
            meta.to_bytes(),
            digest_of([one.call for one in admitted]),
            self.inbox.name,
            submissions(admitted, origin, self.signer),
        )
        if reply is None:
            raise TurnConflict(meta.turn_id, "this turn id stands for other calls already")
        if not reply.created:
            return self.attach(meta.turn_id)
        self._clock.set(reply.now)
        watch.note(dict.fromkeys(refused))
        self.bell.ring(reply.rings)
        for result in refused.values():
            _log_refused(meta.turn_id, result)
        log.debug("turn.dispatched", turn_id=meta.turn_id, calls=len(admitted))
        return OpenTurn(meta, watch, refused)


class _ServerClock:
    """The server's clock as this process reckons it: asked once, then set by every answer."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._ahead: float | None = None

    def now(self) -> float:
        if self._ahead is None:
            self._ledger.check()
            self.set(self._ledger.now())
        return time.monotonic() + (self._ahead or 0.0)

    def set(self, now: float) -> None:
        self._ahead = now - time.monotonic()


def read_results(meta: TurnMeta, texts: Mapping[int, bytes]) -> dict[int, ToolResult]:
    """Read results, each under the call id and the name that the dispatcher itself knows."""
    return {
        at: replace(read_result(text), call_id=meta.calls[at].call_id, name=meta.calls[at].name)
        for at, text in texts.items()
    }


def _read(request: Request) -> tuple[Provider, Reply]:
    """Read the response with its provider; plain calls are told by their type."""
    response = request.response
    calls = response if isinstance(response, list | tuple) else [response]
    plain = bool(calls) and all(isinstance(call, ToolCall) for call in calls)
    provider = provider_named("plain" if plain else request.provider)
    return provider, provider.read(response)


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
            one.tool.lane if one.tool else Lane.ASYNC,
            one.tool.deadline if one.tool and not one.refused else 0.0,
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
        labels=request.labels,
    )


def _log_refused(turn_id: str, result: ToolResult) -> None:
    reason = result.error.code if result.error else ""
    log.info(
        "call.rejected",
        turn_id=turn_id,
        call_id=result.call_id,
        tool=result.name,
        outcome=result.outcome.value,
        reason=reason,
    )
