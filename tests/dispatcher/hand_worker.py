"""A worker by hand: it takes and ends calls through the real ledger, when a test says so."""

from __future__ import annotations

from typing import Any

from toolferry import CallError, ErrorCode, Lane, Outcome
from toolferry_ledger import Claim, Ledger, Pool, Route, Settings, Signer, conclude, open_spec
from toolferry_policies import AttemptEnd


class HandWorker:
    """Claims what has a notice out, and ends it, one step at a time.

    Args:
        settings: Which system.
    """

    def __init__(self, settings: Settings) -> None:
        self.ledger = Ledger(settings)
        self.signer = Signer(settings.secret)

    def take(self, lane: Lane = Lane.ASYNC) -> list[Claim]:
        """Claim every call of a lane whose notice is out, in the order of the notices."""
        rung = f"{self.ledger.settings.key_prefix}rung:{Route(Pool(lane))}"
        out: Any = self.ledger.client.zrange(rung, 0, -1, withscores=True)
        notices = [(key.decode(), int(fence)) for key, fence in out]
        return self.ledger.claim("hand", notices).claims

    def succeed(self, *claims: Claim) -> None:
        """End calls well; each answers with its own arguments."""
        for claim in claims:
            spec = open_spec(self.signer, claim)
            end = AttemptEnd(outcome=Outcome.SUCCEEDED, content=dict(spec.arguments))
            self.ledger.settle([conclude(spec, claim, end, claim.started_at)])

    def fail(self, *claims: Claim) -> None:
        """End calls badly, for good."""
        for claim in claims:
            spec = open_spec(self.signer, claim)
            error = CallError.of(ErrorCode.EXECUTION_FAILED, "It broke.")
            end = AttemptEnd(outcome=Outcome.FAILED, error=error, retryable=False)
            self.ledger.settle([conclude(spec, claim, end, claim.started_at)])

    def close(self) -> None:
        """Close the connections."""
        self.ledger.close()
