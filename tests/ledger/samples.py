"""Calls to write into a ledger, and the steps of a worker, for the tests of the ledger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from toolferry import Concurrency, Context, EffectClass, Lane, Outcome, Priority, Rate, RetryPolicy
from toolferry_ledger import (
    Claim,
    Ledger,
    Ring,
    Route,
    Settings,
    Settlement,
    Signer,
    Spec,
    Submission,
    SubmitReply,
    conclude,
    open_spec,
)
from toolferry_policies import AttemptEnd

SUCCESS = AttemptEnd(outcome=Outcome.SUCCEEDED, content="done")


def make_spec(turn_id: str = "t", index: int = 0, **changes: Any) -> Spec:
    """Give the spec of a call that may be repeated three times."""
    fields: dict[str, Any] = {
        "turn_id": turn_id,
        "index": index,
        "call_id": f"c{index}",
        "name": "read_file",
        "arguments": {"path": "a.txt"},
        "context": Context(),
        "conversation_id": "",
        "tool_version": "1",
        "tool_digest": "0123456789abcdef",
        "lane": Lane.ASYNC,
        "queue": "default",
        "timeout": 5.0,
        "deadline": 60.0,
        "retry": RetryPolicy(base=0.001, cap=0.001),
        "effect_class": EffectClass.READ,
        "repeatable": True,
        "issued_at": 0.0,
        "expires_at": 4e9,
    }
    return Spec(**{**fields, **changes})


@dataclass(frozen=True, kw_only=True)
class Placement:
    """What a call shares with others."""

    priority: Priority = Priority.NORMAL
    resource: str | None = None
    writes: bool = False
    concurrency: Concurrency | None = None
    rate: Rate | None = None


ANYWHERE = Placement()


@dataclass(frozen=True)
class Bench:
    """A ledger with the shortest way to each of its states."""

    ledger: Ledger
    signer: Signer
    inbox: str = "inbox"
    worker: str = "worker-1"

    @classmethod
    def on(cls, settings: Settings) -> Bench:
        """Open a ledger of its own, whose broker counts as another: it tells its notices."""
        elsewhere = replace(settings, broker_url=settings.url)
        return cls(Ledger(elsewhere), Signer(settings.secret))

    @classmethod
    def on_own_broker(cls, settings: Settings) -> Bench:
        """Open a ledger of its own, whose scripts publish its notices themselves."""
        return cls(Ledger(settings), Signer(settings.secret))

    def submission(
        self,
        spec: Spec,
        after: tuple[int, ...] = (),
        tenant: str = "a",
        placement: Placement = ANYWHERE,
    ) -> Submission:
        """Sign a call."""
        text = spec.to_bytes()
        return Submission(
            spec=text,
            signature=self.signer.sign(text),
            route=Route(spec.pool, placement.priority),
            tool=spec.name,
            tenant=tenant,
            timeout=spec.timeout,
            deadline=spec.deadline,
            after=after,
            resource=placement.resource,
            writes=placement.writes,
            concurrency=placement.concurrency,
            rate=placement.rate,
            awaits_approval=bool(spec.approval),
        )

    def submit(
        self,
        turn_id: str = "t",
        count: int = 1,
        *,
        after: Callable[[int], tuple[int, ...]] = lambda _: (),
        tenant: str = "a",
        placement: Placement = ANYWHERE,
        **changes: Any,
    ) -> SubmitReply:
        """Write a turn of so many calls."""
        calls = [
            self.submission(make_spec(turn_id, i, **changes), after(i), tenant, placement)
            for i in range(count)
        ]
        reply = self.ledger.submit(turn_id, b"{}", "digest", self.inbox, calls)
        assert reply is not None
        return reply

    def claim(self, rings: Sequence[Ring], worker: str | None = None) -> list[Claim]:
        """Take the calls of some notices."""
        notices = [(ring.call_key, ring.fence) for ring in rings]
        return self.ledger.claim(worker or self.worker, notices).claims

    def conclude(self, claim: Claim, end: AttemptEnd = SUCCESS) -> Settlement:
        """Say what follows from the end of an attempt."""
        return conclude(open_spec(self.signer, claim), claim, end, claim.started_at)

    def finish(self, claim: Claim, end: AttemptEnd = SUCCESS) -> bool:
        """Write the end of an attempt; tell whether it was accepted."""
        return self.ledger.settle([self.conclude(claim, end)]).accepted[0]

    def state(self, key: str = "t:0") -> str:
        """Read the state of a call."""
        suspect = self.ledger.inspect_call(key)
        return "none" if suspect is None else suspect.state.value
