"""The rehearsal: a dispatcher and its workers in one process, without a server.

What runs is the real thing: the provider reads the response, every check judges, the call is
signed and verified, the arguments are validated twice and bound, the result is shaped, the retry
policy decides, the messages are written. Only the ledger and Celery are left out, and time is
counted instead of waited for. So an application can test apart that the model said it right and
that the program did it right.

Handlers that are not replaced really run, one after another in the model's order, without a limit
of time, rate or number at once. Budgets and the loop guard count what was dispatched before.
A call about which a person has to decide is taken as approved.
Lifespans are not started: what they would provide is handed in, real or fake.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar, Unpack

from toolferry import (
    NO_EXTENSIONS,
    CallState,
    Extensions,
    Lane,
    Outcome,
    Registry,
    ToolCall,
    ToolResult,
    call_key,
)
from toolferry_dispatcher import DispatchOptions
from toolferry_dispatcher.admission import judge_each, submissions
from toolferry_dispatcher.charging import charges_of
from toolferry_dispatcher.extending import Extending
from toolferry_dispatcher.messages import messages_of
from toolferry_dispatcher.meta import TurnMeta
from toolferry_dispatcher.policies import FROM_ENVIRONMENT, policy_source
from toolferry_dispatcher.prepare import Prepared, Request, prepare
from toolferry_ledger import (
    Claim,
    PolicySource,
    ResultDesk,
    Settings,
    Settlement,
    Signer,
    Submission,
    conclude,
    limit_end,
    read_result,
)
from toolferry_policies import NO_LIMITS, AttemptEnd, Limits, attempt_limit
from toolferry_testing.approving import approved
from toolferry_testing.archive import RehearsedArchive
from toolferry_testing.parts import Part
from toolferry_testing.tally import Counted, Tally
from toolferry_worker.attempt import Attempt, begin
from toolferry_worker.calling import call_sync, call_with
from toolferry_worker.station import Station

T = TypeVar("T")

#: Signs what is run in the same breath: it guards nothing, and lets the real checks run.
_SECRET: Final = b"a rehearsal needs no secret"
#: The mark of a call that had to follow on a success.
_HALTED: Final = frozenset({"halted"})


@dataclass(frozen=True, slots=True)
class RehearsedTurn:
    """A turn that was rehearsed; all its results are there."""

    meta: TurnMeta
    #: The calls as they were read, in the model's order; a faulty one has no arguments.
    calls: tuple[ToolCall, ...]
    results: tuple[ToolResult, ...]

    @property
    def kind(self) -> str:
        """What the response was, a `ReplyKind`."""
        return self.meta.kind

    def messages(self) -> list[dict[str, Any]]:
        """Write the model's message and one result for each call, as a dispatcher would."""
        return messages_of(self.meta, list(self.results))


@dataclass(slots=True)
class _Clock:
    """The rehearsal's time, in seconds; goes on only by what is said to take time."""

    now: float = 1_000_000.0


@dataclass(slots=True)
class Rehearsal:
    """Runs turns in process. Not thread-safe; make one for each test.

    Args:
        registry: The tools.
        resources: What handlers get for `ctx.resource(Type)`, by that type. A lifespan gives the
            real thing: `with database() as pool: Rehearsal(registry, resources={Pool: pool})`.
        policy: What operators declare about the tools, as of a `Dispatcher`.
    """

    registry: Registry
    resources: Mapping[type[Any], Any] = field(default_factory=dict)
    policy: PolicySource | None = FROM_ENVIRONMENT
    #: Fact providers, interceptors and hooks, after those of the registry.
    extensions: Extensions = NO_EXTENSIONS
    #: Budgets and the loop guard, as of a `Dispatcher`: they count within this rehearsal.
    limits: Limits = NO_LIMITS
    #: The calls whose handler, real or replaced, was called, in order; once for each attempt.
    handled: list[ToolCall] = field(default_factory=list)
    _parts: dict[str, Part] = field(default_factory=dict)
    _clock: _Clock = field(default_factory=_Clock)
    _tally: Tally = field(default_factory=Tally)
    _archive: RehearsedArchive = field(default_factory=RehearsedArchive)

    def replace(self, name: str, part: Part) -> Rehearsal:
        """Let a part be played in place of a tool's handler, from now on.

        Raises:
            KeyError: There is no such tool.
        """
        if name not in self.registry:
            raise KeyError(name)
        self._parts[name] = part
        return self

    def dispatch(self, response: object, **options: Unpack[DispatchOptions]) -> RehearsedTurn:
        """Read a response, judge its calls, run them to their ends.

        Args:
            response: As `Dispatcher.dispatch` takes it.
            **options: See `DispatchOptions`.

        Raises:
            ResponseMalformed: The response cannot be read; names the field.
        """
        request = Request(response=response, **options)
        policy = policy_source(self.policy).current()
        with closing(Extending(self.registry, self.extensions)) as extending:
            consulted = extending.consult()
            judge_all = consulted.judge if consulted else judge_each
            prepared = prepare(request, self.registry, lambda: self._clock.now, policy, judge_all)
            # In a thread of its own, where async handlers can be run whatever runs here.
            results = _in_own_thread(lambda: self._run(prepared))
            if observer := extending.observer(prepared.meta, consulted):
                observer.hear(dict(enumerate(results)))
        calls = tuple(one.call for one in prepared.admitted)
        return RehearsedTurn(prepared.meta, calls, results)

    def _run(self, prepared: Prepared) -> tuple[ToolResult, ...]:
        desk = ResultDesk(self._archive, self.registry)
        resources: dict[type[Any], Any] = {ResultDesk: desk, **self.resources}
        station = _station(_extended(self.registry, self.extensions), resources)
        written = submissions(prepared.admitted, prepared.origin, station.signer)
        counted = self._count(prepared, station.signer)
        results: list[ToolResult] = []
        for position, submission in enumerate(written):
            key, link = call_key(prepared.meta.turn_id, position), submission.link
            may_run = link is None or results[link].outcome is Outcome.SUCCEEDED
            marks = frozenset() if may_run else _HALTED
            refused = counted.refused.get(position)
            results.append(refused or self._run_call(station, key, submission, marks))
        notes = counted.notes
        return tuple(
            replace(result, notes=(notes[position],)) if position in notes else result
            for position, result in enumerate(results)
        )

    def _count(self, prepared: Prepared, signer: Signer) -> Counted:
        limits = prepared.origin.policy.limits(self.limits)
        charges = charges_of(limits, prepared.admitted, prepared.origin, signer)
        return self._tally.count(charges, self._clock.now) if charges else Counted()

    def _run_call(
        self, station: Station, key: str, call: Submission, marks: frozenset[str]
    ) -> ToolResult:
        if call.result is not None:
            return read_result(call.result)
        requested_at, attempt, doubt = self._clock.now, 0, b""
        while True:
            attempt += 0 if doubt else 1
            claim = replace(
                _claim(key, call, attempt, requested_at, self._clock.now),
                doubt=doubt,
                grant=approved(station.signer, key, call),
                marks=marks,
            )
            settlement = self._run_attempt(station, claim)
            if settlement.state is CallState.RETRYING:
                doubt = settlement.result if settlement.verify and settlement.result else b""
                self._clock.now += settlement.delay
            elif settlement.result is not None:
                self._archive.end(settlement)
                return read_result(settlement.result)

    def _run_attempt(self, station: Station, claim: Claim) -> Settlement:
        attempt = begin(claim, station, _Silent())
        if not isinstance(attempt, Attempt):
            return attempt.settlement
        spec = attempt.spec
        self._archive.begin(claim.call_key, spec)
        if claim.doubt:
            return conclude(spec, claim, call_sync(attempt), self._clock.now)
        self.handled.append(ToolCall(spec.call_id, spec.name, spec.arguments))
        part = self._parts.get(spec.name)
        end = call_sync(attempt) if part is None else self._play(part, attempt)
        return conclude(spec, claim, end, self._clock.now)

    def _play(self, part: Part, attempt: Attempt) -> AttemptEnd:
        limit = attempt.claim.limit
        scene = part.play(attempt.claim.attempt)
        self._clock.now += min(scene.seconds, limit)
        if scene.seconds >= limit:
            return limit_end(attempt.spec, limit)
        return call_with(attempt, scene.act)


class _Silent:
    """Takes progress reports and keeps none."""

    def for_call(self, claim: Claim) -> Callable[[float | None, str | None], None]:
        return lambda _fraction, _message: None


def _extended(registry: Registry, extensions: Extensions) -> Registry:
    """Give a registry whose handlers are called within these hooks, too."""
    if not extensions:
        return registry
    extended = Registry()
    for one in registry:
        extended.declare(one)
    extended.extensions = registry.extensions + extensions
    return extended


def _station(registry: Registry, resources: Mapping[type[Any], Any]) -> Station:
    """Give a station that is nowhere: nothing is connected to."""
    return Station(
        settings=Settings(url="unix:///nowhere", secret=_SECRET),
        lane=Lane.PROCESS,
        owner="rehearsal",
        slots=1,
        registry=registry,
        signer=Signer(_SECRET),
        provided=dict(resources),
    )


def _claim(key: str, call: Submission, attempt: int, requested_at: float, now: float) -> Claim:
    deadline_at = requested_at + call.deadline
    return Claim(
        call_key=key,
        fence=attempt,
        spec=call.spec,
        signature=call.signature,
        attempt=attempt,
        requested_at=requested_at,
        started_at=now,
        deadline_at=deadline_at,
        limit=attempt_limit(call.timeout, deadline_at - now),
    )


def _in_own_thread(work: Callable[[], T]) -> T:
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()
