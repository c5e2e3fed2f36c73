"""The outbox: what is written in a child's place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.worker.caller import Caller
from toolferry import CallState
from toolferry_ledger import Claim, Signer
from toolferry_worker.attempt import Finished
from toolferry_worker.outbox import Judge, Outbox
from toolferry_worker.verdicts import judge_killed, judge_lost


@pytest.fixture
def told() -> list[Finished]:
    """Give the list of what an outbox has told."""
    return []


@pytest.fixture
def outbox(caller: Caller, told: list[Finished]) -> Iterator[Outbox]:
    """Run an outbox."""
    signer = Signer(caller.settings.secret)
    outbox = Outbox("w", caller.ledger, signer, lambda _rings: None, told.append)
    outbox.start()
    yield outbox
    outbox.stop()


def claimed(caller: Caller, name: str, arguments: dict[str, object], **forge: object) -> Claim:
    """Submit a call and claim it, as a child does."""
    turn_id = caller.submit((name, arguments), **forge)  # type: ignore[arg-type]  # only `forge`
    key = f"{turn_id}:0"
    found = caller.ledger.inspect_call(key)
    assert found is not None
    (claim,) = caller.ledger.claim("w", [(key, found.fence)]).claims
    return claim


def test_a_lost_attempt_is_followed_by_another(
    caller: Caller, outbox: Outbox, told: list[Finished]
) -> None:
    """When its tool may be repeated."""
    claim = claimed(caller, "add", {"left": 1})

    outbox.put(claim.call_key, claim.fence, judge_lost)
    outbox.stop()

    assert caller.state(*claim_place(claim)) is CallState.RETRYING
    assert [finished.tool for finished in told] == ["add"]


def test_a_killed_attempt_has_timed_out(caller: Caller, outbox: Outbox) -> None:
    """Its limit was the reason."""
    claim = claimed(caller, "deaf", {"seconds": 1})

    outbox.put(claim.call_key, claim.fence, judge_killed)
    outbox.stop()

    (result,) = caller.wait(claim_place(claim)[0], 1)
    assert result.error is not None
    assert (result.outcome.value, result.error.code) == ("timed_out", "timeout")


def test_a_child_that_was_faster_is_not_overruled(
    caller: Caller, outbox: Outbox, told: list[Finished]
) -> None:
    """Only the first judgement of an attempt counts."""
    claim = claimed(caller, "vanish_after_write", {})

    outbox.put(claim.call_key, claim.fence, judge_lost)
    outbox.put(claim.call_key, claim.fence, judge_killed)
    outbox.put(claim.call_key, claim.fence + 1, judge_killed)
    outbox.put("nobody:0", 1, judge_killed)
    outbox.stop()

    assert [finished.settlement.state for finished in told] == [CallState.LOST]


def test_a_record_that_cannot_be_believed_ends_without_a_verdict(
    caller: Caller, outbox: Outbox
) -> None:
    """Nothing in it is relied on."""
    claim = claimed(caller, "add", {"left": 1}, forge=lambda text: text.replace(b"add", b"sub"))

    outbox.put(claim.call_key, claim.fence, judge_lost)
    outbox.stop()

    (result,) = caller.wait(claim_place(claim)[0], 1)
    assert result.error is not None
    assert result.error.code == "untrusted"


def claim_place(claim: Claim) -> tuple[str, int]:
    """Give the turn and the position of a claimed call."""
    turn_id, _, index = claim.call_key.rpartition(":")
    return turn_id, int(index)


@pytest.mark.parametrize("judge", [judge_lost, judge_killed])
def test_a_call_that_was_cancelled_is_not_tried_again_whatever_has_ended_it(
    caller: Caller, outbox: Outbox, judge: Judge
) -> None:
    """Its child died or was killed; the mark in the record counts."""
    claim = claimed(caller, "add", {"left": 1})
    caller.ledger.withdraw([claim.call_key], "the user left")

    outbox.put(claim.call_key, claim.fence, judge)
    outbox.stop()

    (result,) = caller.wait(claim_place(claim)[0], 1)
    assert result.error is not None
    assert result.error.message == "add was cancelled after it had been started: the user left."
