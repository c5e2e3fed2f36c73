"""The ledger's data: what goes into the server and what comes back. Plain frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field

from toolferry import CallState, Concurrency, Rate
from toolferry.limits import MAX_SECONDS
from toolferry.record import record
from toolferry_ledger.route import Route


@record(frozen=True, slots=True, kw_only=True)
class Submission:
    """One call of a turn, ready to be written."""

    #: The signed JSON text of the call's `Spec`.
    spec: bytes
    #: Its HMAC-SHA-256 in hex.
    signature: str
    route: Route
    tool: str
    tenant: str
    #: Seconds that one attempt may take.
    timeout: float
    #: Seconds from now in which the call must end.
    deadline: float
    #: The JSON text of the result when the call was refused and nothing will run.
    result: bytes | None = None
    #: The outcome that goes with `result`.
    outcome: CallState | None = None
    #: The positions of the earlier calls of the turn that must end first.
    after: tuple[int, ...] = ()
    #: The position of the earlier call that must succeed first; None when nobody must.
    link: int | None = None
    #: The resource that it touches; None when nobody else may touch it.
    resource: str | None = None
    #: Whether it may change the resource.
    writes: bool = False
    #: How many calls with the same key may run at once; None when there is no limit.
    concurrency: Concurrency | None = None
    #: At which rate calls with the same key may start; None when there is none.
    rate: Rate | None = None
    #: The key of the call that a person has repeated with this one.
    replay_of: str = ""
    #: Whether a person has to decide before it runs.
    awaits_approval: bool = False
    #: Seconds in which that has to be.
    decide_within: float = MAX_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Approved:
    """A person's yes, ready to be written if the call stands as that person saw it."""

    call_key: str
    #: The signature of the spec, and the grants, that were there.
    seen_signature: str
    seen_grants: bytes
    #: What is to be there: the same spec with its signature, or the one that was edited.
    spec: bytes
    signature: str
    grants: bytes
    #: The JSON text of the decision; kept with the call when nobody else has to say yes.
    decision: bytes
    #: How many more people have to.
    more: int
    #: The standing approval of which it is a use; empty when a person says so now.
    standing: str = ""


@dataclass(frozen=True, slots=True)
class Allowed:
    """A standing approval, ready to be written."""

    id: str
    #: Whose calls it answers, a name of them.
    whose: str
    #: The JSON text of the allowance with its signature.
    text: bytes
    signature: str
    uses: int
    #: Server time, seconds since the epoch.
    until: float
    tool: str


@dataclass(frozen=True, slots=True)
class Ring:
    """A call that is ready: a notice of it has to be published to a broker that is elsewhere."""

    call_key: str
    #: The number of the notice; every write of the attempt must name it.
    fence: int
    route: Route
    tool: str
    #: The calls of a route with the same number here travel together.
    notice: int


@record(frozen=True, slots=True)
class Claim:
    """A call that this worker may run now."""

    call_key: str
    fence: int
    spec: bytes
    signature: str
    #: Which attempt this is, from 1.
    attempt: int
    #: Server times, seconds since the epoch.
    requested_at: float
    started_at: float
    deadline_at: float
    #: Seconds that this attempt may take.
    limit: float
    #: The JSON text of what the last attempt kept for this one; empty for nothing.
    checkpoint: bytes = b""
    #: `shed`: its tool fails too often to be called. `halted`: one that had to succeed did not.
    #: `verify`: find out what the last attempt did.
    marks: frozenset[str] = frozenset()
    #: With `verify` the JSON text of the result that the call has if that cannot be found out.
    doubt: bytes = b""
    #: The signed words of the people who have approved it, see `grants`; empty for none.
    grant: bytes = b""


@record(frozen=True, slots=True)
class Settlement:
    """A fenced write: what became of an attempt, or of a call that will not run."""

    call_key: str
    #: The fence that must still be the call's own.
    fence: int
    #: An outcome, RETRYING (due after `delay`), QUEUED (given back at once), or RUNNING: it goes on
    #: and keeps `result` for its next attempt.
    state: CallState
    #: The JSON text of the `ToolResult` when `state` is an outcome.
    result: bytes | None = None
    #: Seconds until the next attempt, when `state` is RETRYING.
    delay: float = 0.0
    #: Whether the handler was never called: a call that goes on then has its attempt back.
    uncounted: bool = False
    #: The state that the call must still be in; None when that is no matter.
    seen: CallState | None = None
    #: How many attempts must have been started with none under way; None when that is no matter.
    idle: int | None = None
    #: Whether the handler may still run: resource and place stay taken until its worker writes
    #: again, or is gone.
    holding: bool = False
    #: Whether the next attempt is to find out what this one did; `result` is what the call has if
    #: that cannot be found out.
    verify: bool = False
    #: Whether the tool failed in a way that counts against it.
    fault: bool = False
    #: Whether the call is kept for people as a dead letter.
    dead: bool = False
    #: Whether the handler has ended after its call was told to be over: changes nothing but what it
    #: held.
    late: bool = False
    #: The JSON text of what its history says of the attempt; empty for nothing.
    note: bytes = b""
    #: Whether `note` is a person's decision instead, which the record keeps.
    decided: bool = False
    #: All of the result's content as text, when it was cut: the call's record keeps it. Else empty.
    artifact: bytes = b""


@dataclass(frozen=True, slots=True)
class Suspect:
    """An open call on which someone must act: its worker vanished or its time is up."""

    call_key: str
    fence: int
    state: CallState
    spec: bytes
    signature: str
    attempt: int
    requested_at: float
    started_at: float | None
    deadline_at: float
    #: The server's time when it was found.
    now: float
    #: Whether the lease of its worker has ended; else its time is up.
    abandoned: bool
    #: For whom it waits: the key of a call, or `limit:` and a limit; empty when for nobody.
    waits_for: str = ""
    #: Why it was withdrawn while it ran, perhaps empty; None when it was not.
    cancelled: str | None = None
    #: As of `Claim`, when it waits for that, or that is under way.
    doubt: bytes = b""


@dataclass(frozen=True, slots=True)
class SubmitReply:
    """What became of a turn that was submitted."""

    #: False when the turn was there already, with the same calls.
    created: bool
    #: Server time, seconds since the epoch.
    now: float
    rings: list[Ring]
    #: By position the JSON texts of the results of calls that did not fit their charges.
    refused: dict[int, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ClaimReply:
    """The calls that a worker may run, and the notices to publish next."""

    claims: list[Claim]
    rings: list[Ring]
    #: Seconds until a rate has room that a call had to wait for; None when none had to.
    wake: float | None = None


@dataclass(frozen=True, slots=True)
class SettleReply:
    """For each settlement whether it was accepted, and the notices to publish next."""

    accepted: list[bool]
    rings: list[Ring]


@dataclass(frozen=True, slots=True)
class DueReply:
    """What the due timers brought up."""

    suspects: list[Suspect]
    rings: list[Ring]
    #: Seconds until the next timer is due; None when there is none.
    wait: float | None
    #: Whether this asker is to sweep now.
    elected: bool
    #: For each route whose queue is on another server the number of its newest notice.
    issued: dict[Route, int]


@dataclass(frozen=True, slots=True)
class SweepReply:
    """What the sweep brought up."""

    suspects: list[Suspect]
    rings: list[Ring]


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A turn as the ledger holds it."""

    turn_id: str
    #: The dispatcher's own JSON text about the turn.
    meta: bytes
    size: int
    #: How many of its calls are still open.
    open: int
    #: For each position the JSON text of the result that is there.
    results: dict[int, bytes]
    #: For each position the JSON text that the model was told instead, because it took too long.
    answers: dict[int, bytes]
