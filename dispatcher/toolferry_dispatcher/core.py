"""The core of a dispatcher: from a model's response to a turn in the ledger. No waiting here."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from toolferry import (
    NO_EXTENSIONS,
    ConfigurationError,
    Extensions,
    LedgerUnavailable,
    Registry,
    ToolferryError,
    ToolResult,
    TurnUnknown,
)
from toolferry.deciders import deciders_of
from toolferry.repairing import Repairs
from toolferry_dispatcher.admission import judge_each, submissions
from toolferry_dispatcher.asking import Asking
from toolferry_dispatcher.cancelling import TurnCanceller
from toolferry_dispatcher.charging import charges_of
from toolferry_dispatcher.discreet import digest_of, digests_of, open_message, seal_message
from toolferry_dispatcher.extending import Extending
from toolferry_dispatcher.first_answers import FirstAnswers, due_times
from toolferry_dispatcher.inbox import Inbox
from toolferry_dispatcher.live import LiveRegistry
from toolferry_dispatcher.lookout import lookout_for
from toolferry_dispatcher.lost_records import LostRecords
from toolferry_dispatcher.meta import CallMeta, TurnMeta
from toolferry_dispatcher.observing import TurnObserver
from toolferry_dispatcher.policies import warn_of_slips
from toolferry_dispatcher.prepare import Prepared, Request, prepare
from toolferry_dispatcher.turn_copy import copy_found, copy_written
from toolferry_dispatcher.watch import Watch
from toolferry_ledger import (
    Allowing,
    Approvals,
    Bell,
    Canceller,
    Catalog,
    Jury,
    Ledger,
    Mismatch,
    PolicySource,
    Reaper,
    Settings,
    Signer,
    Submission,
    SubmitReply,
    get_log,
    read_json,
)
from toolferry_policies import NO_LIMITS, NO_POLICY, Limits, Policy

log = get_log(__name__)


class TurnConflict(ToolferryError):
    """A turn id was used again for other calls, or on behalf of somebody else."""

    def __init__(self, turn_id: str) -> None:
        super().__init__(turn_id)
        self.turn_id = turn_id

    def __str__(self) -> str:
        return (
            f"turn {self.turn_id}: this turn id stands for other calls, or for those of somebody"
            " else; give the same again to go on with that turn, or another turn id"
        )


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A turn that is in the ledger, as its dispatcher follows it."""

    meta: TurnMeta
    watch: Watch
    inbox: Inbox
    #: The results that are known already, by position.
    known: dict[int, ToolResult]
    #: What the model may be told of calls before they end.
    first_answers: FirstAnswers
    canceller: TurnCanceller
    asking: Asking
    #: Hears of the results as they are read; None when nobody wants to.
    observer: TurnObserver | None = None


class Core:
    """Reads, judges, writes and rings. Thread-safe; shared by the sync and asyncio dispatchers.

    Args:
        registry: The tools that models may be offered.
        settings: Which system.
        policies: What operators declare about the tools.
        extensions: What is asked about every call besides, after what the registry brings along.
        limits: What its calls are counted against.
        repairs: What may be put right about its calls.
    """

    def __init__(
        self,
        registry: Registry,
        settings: Settings,
        policies: PolicySource = NO_POLICY,
        extensions: Extensions = NO_EXTENSIONS,
        limits: Limits = NO_LIMITS,
        repairs: Repairs = Repairs.ALL,
    ) -> None:
        self.repairs = repairs
        self.registry = registry
        self.policies = policies
        self.limits = limits
        warn_of_slips(registry, policies.current())
        self.ledger = Ledger(settings)
        self.bell = Bell(settings)
        self.signer = Signer(settings.secret)
        name = uuid.uuid4().hex[:16]
        reaper = Reaper(self.ledger, self.bell, self.signer)
        self.inbox = Inbox(name, self.ledger, reaper, LostRecords(name, self.ledger, self.bell))
        self.canceller = TurnCanceller(self.ledger, Canceller(self.ledger, self.bell, self.signer))
        self.approvals = Approvals(self.ledger, self.bell, self.signer, self._jury())
        self._allowing = Allowing(self.ledger, self.bell, self.signer, self._jury())
        self._asking = Asking(self.ledger, self.approvals)
        self._lookout = lookout_for(registry, Catalog(self.ledger, self.signer))
        self._clock = _ServerClock(self.ledger)
        self._extending = Extending(registry, extensions)
        if isinstance(registry, LiveRegistry):
            registry.deciders = lambda tool: deciders_of(self.extensions, tool)
        self._process = os.getpid()

    def open(self, request: Request) -> OpenTurn:
        """Read a response, judge its calls, write the turn and ring for what may run.

        Raises:
            ResponseMalformed: The response cannot be read.
            LedgerUnavailable: The server does not answer; the sentence says how to try again.
            TurnConflict: The turn id stands for other calls already.
        """
        self.check_process()
        consulted = self._extending.consult()
        judge_all = consulted.judge if consulted else judge_each
        policy = self.policies.current()
        prepared = self._sealed(
            prepare(request, self.registry, self._clock.now, policy, judge_all, self.repairs)
        )
        meta = prepared.meta
        observer = self._extending.observer(meta, consulted)
        watch = Watch(meta.turn_id)
        watch.expect({at: call.pool for at, call in enumerate(meta.calls)})
        if not prepared.admitted:
            return self._follow(meta, watch, {}, None)
        return self._submit(prepared, self.inbox.follow(watch), observer)

    def attach(self, turn_id: str) -> OpenTurn:
        """Follow a turn that another process, or this one before, has dispatched.

        Raises:
            TurnUnknown: The ledger has no such turn, or it has expired.
            LedgerUnavailable: The server does not answer.
        """
        self.check_process()
        return self._attach(turn_id, None)

    def _attach(self, turn_id: str, observer: TurnObserver | None) -> OpenTurn:
        # Followed before it is read: no end can slip through between the two.
        watch = self.inbox.follow(Watch(turn_id))
        record = self.ledger.attach(turn_id, self.inbox.name)
        if record is None:
            raise TurnUnknown(turn_id, "the ledger does not have it; it may have expired")
        meta = open_message(TurnMeta.from_bytes(turn_id, record.meta), self.signer)
        watch.expect({at: call.pool for at, call in enumerate(meta.calls)})
        watch.note(record.results)
        watch.copy = watch.copy or copy_found(meta, self.registry)
        known = read_results(meta, record.results)
        return self._follow(meta, watch, known, observer or self._extending.observer(meta))

    @property
    def extensions(self) -> Extensions:
        """What is asked about every call besides the checks."""
        return self._extending.extensions

    def check(self) -> list[Mismatch]:
        """Read the catalog now; see `Dispatcher.check`.

        Raises:
            LedgerUnavailable: The server does not answer.
        """
        self.check_process()
        return self._lookout.check()

    def check_process(self) -> None:
        """Require the process that made this dispatcher: threads and locks do not survive a fork.

        Raises:
            ConfigurationError: This is a fork of it.
        """
        if os.getpid() != self._process:
            raise ConfigurationError(
                "Dispatcher", "was made before this process was forked: make one in each process"
            )

    def close(self) -> None:
        """Let go of the server; turns go on in the ledger and can be attached to."""
        self._extending.close()
        self._lookout.close()
        self.inbox.close()
        self.bell.close()
        self.ledger.close()

    def _submit(self, prepared: Prepared, watch: Watch, observer: TurnObserver | None) -> OpenTurn:
        meta, refused = prepared.meta, prepared.refused
        calls = submissions(prepared.admitted, prepared.origin, self.signer)
        judged = [(one.call, one.tool) for one in prepared.admitted]
        digest, *others = digests_of(judged, prepared.origin.context, self.signer)
        limits = prepared.origin.policy.limits(self.limits)
        counted = charges_of(limits, prepared.admitted, prepared.origin, self.signer)
        charges = counted.to_bytes() if counted else b""
        reply = self._write(meta, digest, calls, charges) or self._find_older(
            prepared, calls, charges, others
        )
        if reply is None:
            raise TurnConflict(meta.turn_id)
        watch.copy = copy_written(prepared, digest, calls, reply.now)
        if prepared.gated:
            self._allowing.answer(prepared.gated, prepared.origin.context)
        if not reply.created:
            return self._attach(meta.turn_id, observer)
        self._clock.set(reply.now)
        # The watch may be one that somebody followed before the turn was there.
        watch.expect({at: call.pool for at, call in enumerate(meta.calls)})
        watch.note({at: call.result for at, call in enumerate(calls) if call.result is not None})
        if reply.refused:
            watch.note(reply.refused)
            refused = refused | read_results(meta, reply.refused)
        self.bell.ring(reply.rings)
        for one in prepared.admitted:
            _log_refused(meta.turn_id, one.refused, prepared.origin.policy, one.detail)
        for at in reply.refused:
            _log_refused(meta.turn_id, refused[at], prepared.origin.policy)
        self._lookout.note_dispatch()
        log.debug("turn.dispatched", turn_id=meta.turn_id, calls=len(meta.calls))
        return self._follow(meta, watch, refused, observer)

    def _follow(
        self,
        meta: TurnMeta,
        watch: Watch,
        known: dict[int, ToolResult],
        observer: TurnObserver | None,
    ) -> OpenTurn:
        if observer:
            observer.hear(known)
        may_be_late = any(call.answer_within is not None for call in meta.calls)
        due = due_times(meta, self._clock.now()) if may_be_late else {}
        first_answers = FirstAnswers(meta, due, self.ledger)
        return OpenTurn(
            meta,
            watch,
            self.inbox,
            known,
            first_answers,
            self.canceller,
            self._asking,
            observer,
        )

    def _jury(self) -> Jury:
        """Give what calls that wait for people are judged by once more."""
        return Jury(self.registry.get, self.policies, lambda: self._extending.extensions)

    def _sealed(self, prepared: Prepared) -> Prepared:
        tools, context = [one.tool for one in prepared.admitted], prepared.origin.context
        meta = seal_message(prepared.meta, tools, context, self.signer)
        return prepared if meta is prepared.meta else replace(prepared, meta=meta)

    def _find_older(
        self,
        prepared: Prepared,
        calls: Sequence[Submission],
        charges: bytes,
        digests: Sequence[str],
    ) -> SubmitReply | None:
        """Find a turn that was written with an older key, or by the release before.

        That did not say in its digest for whom.
        """
        meta = prepared.meta
        for digest in digests:
            reply = self._write(meta, digest, calls, charges)
            if reply is not None:
                return reply
        text = self.ledger.read_meta(meta.turn_id)
        if text is None or TurnMeta.from_bytes(meta.turn_id, text).tenant:
            return None
        return self._write(meta, digest_of([one.call for one in prepared.admitted]), calls, charges)

    def _write(
        self, meta: TurnMeta, digest: str, calls: Sequence[Submission], charges: bytes
    ) -> SubmitReply | None:
        text = meta.to_bytes()
        try:
            return self.ledger.submit(meta.turn_id, text, digest, self.inbox.name, calls, charges)
        except LedgerUnavailable as error:
            raise LedgerUnavailable(
                error.url,
                f"{error.reason}; it may have taken the turn all the same, so dispatch it again"
                f" with turn_id={meta.turn_id!r}",
            ) from error


class _ServerClock:
    """The server's clock as this process reckons it: asked once, then set by every answer."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._ahead: float | None = None
        self._drift = 0.0

    def now(self) -> float:
        if self._ahead is None:
            self._ledger.check()
        # The monotonic clock stands still while the machine sleeps, the wall clock does not.
        if self._ahead is None or abs(_drift() - self._drift) > 1.0:
            self.set(self._ledger.now())
        return time.monotonic() + (self._ahead or 0.0)

    def set(self, now: float) -> None:
        self._ahead = now - time.monotonic()
        self._drift = _drift()


def _drift() -> float:
    return time.time() - time.monotonic()


def read_results(meta: TurnMeta, texts: Mapping[int, bytes]) -> dict[int, ToolResult]:
    """Read results, each under the call id and the name that the dispatcher itself knows."""
    return {at: _read_result(meta.calls[at], text) for at, text in texts.items()}


def _read_result(call: CallMeta, text: bytes) -> ToolResult:
    return ToolResult.from_json({**read_json(text), "call_id": call.call_id, "name": call.name})


def _log_refused(turn_id: str, result: ToolResult | None, policy: Policy, detail: str = "") -> None:
    if result is None:
        return
    keys = {"turn_id": turn_id, "call_id": result.call_id, "tool": result.name}
    if policy.hash:
        keys["policy"] = policy.hash
    if detail:
        log.error("policy.failed", **keys, detail=detail)
    reason = result.error.code if result.error else ""
    log.info("call.rejected", **keys, outcome=result.outcome.value, reason=reason)
