"""Persistence: tries go on until the server answers, or nobody wants to go on."""

from __future__ import annotations

import pytest

from toolferry import LedgerUnavailable
from toolferry_ledger import ClaimReply, Ledger, Settings
from toolferry_worker import persistence
from toolferry_worker.persistence import claim_persistently, never, until_answered


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave no pause between tries."""
    monkeypatch.setattr(persistence, "PAUSE", 0.0)


class Flaky:
    """Fails as often as it is told to, then answers."""

    def __init__(self, failures: int) -> None:
        self.tries = 0
        self._failures = failures

    def __call__(self) -> str:
        """Try once."""
        self.tries += 1
        if self.tries <= self._failures:
            raise LedgerUnavailable("unix://", "it is away")
        return "answer"


def test_an_action_is_repeated_until_the_server_answers() -> None:
    """Then its answer is given."""
    flaky = Flaky(2)

    assert (until_answered(flaky, never), flaky.tries) == ("answer", 3)


def test_an_action_may_be_given_up() -> None:
    """After a failure, never before the first try."""
    flaky = Flaky(9)

    assert (until_answered(flaky, lambda: True), flaky.tries) == (None, 1)


def test_a_claim_that_is_given_up_is_empty(settings: Settings) -> None:
    """Nothing was taken as far as anybody knows."""
    away = Settings(url="redis://127.0.0.1:1/0", secret=settings.secret)

    reply = claim_persistently(Ledger(away), "w", [("t:0", 1)], 1, lambda: True)

    assert reply == ClaimReply([], [])
