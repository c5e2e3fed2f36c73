"""Cancelling from outside: what has not started never will, what runs is stopped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import redis

from tests.ledger.samples import Bench
from toolferry import CallState, Effect, EffectClass, Outcome, ToolResult
from toolferry_ledger import (
    Bell,
    Canceller,
    Ledger,
    Reaper,
    Settings,
    Settlement,
    SettleReply,
    Withdrawal,
    read_result,
)
from toolferry_policies import AttemptEnd

FAILED = AttemptEnd(outcome=Outcome.FAILED)


class Recording(Ledger):
    """A ledger that notes in which order it is written to."""

    def __init__(self, settings: Settings, log: list[str]) -> None:
        super().__init__(settings)
        self._log = log

    def settle(self, settlements: Sequence[Settlement], owner: str = "") -> SettleReply:
        """Note it, and do it."""
        self._log.append("settle")
        return super().settle(settlements, owner)

    def withdraw(self, call_keys: Sequence[str], reason: str) -> list[bool]:
        """Note it, and do it."""
        self._log.append("withdraw")
        return super().withdraw(call_keys, reason)


def cancel(bench: Bench, *keys: str, reason: str = "") -> list[Withdrawal]:
    """Cancel calls and give what became of each."""
    canceller = Canceller(bench.ledger, Bell(bench.ledger.settings), bench.signer)
    return list(canceller.cancel(keys, reason).values())


def result(bench: Bench, position: int = 0) -> ToolResult:
    """Read the result of a call of the turn `t`."""
    return read_result(bench.ledger.results("t", [position])[position])


def test_a_queued_call_ends_at_once_without_an_effect(bench: Bench) -> None:
    """Nobody gets it any more, whatever notice is out."""
    rings = bench.submit(effect_class=EffectClass.WRITE, repeatable=False).rings

    become = cancel(bench, "t:0", reason="the user left")

    assert become == [Withdrawal.CANCELLED]
    assert bench.claim(rings) == []
    assert result(bench).outcome is Outcome.CANCELLED
    assert result(bench).effect is Effect.NONE
    error = result(bench).error
    assert error is not None
    assert error.message.endswith("before it was started: the user left.")


def test_a_call_that_waits_for_another_ends_too(bench: Bench) -> None:
    """And the one that it waits for goes on."""
    bench.submit(count=2, after=lambda at: tuple(range(at)))

    become = cancel(bench, "t:1")

    assert become == [Withdrawal.CANCELLED]
    assert [bench.state(f"t:{at}") for at in (0, 1)] == ["queued", "cancelled"]


def test_a_call_between_two_attempts_ends_and_may_have_had_its_effect(bench: Bench) -> None:
    """Of a write that was tried once nobody knows better."""
    (claim,) = bench.claim(bench.submit(effect_class=EffectClass.WRITE, repeatable=True).rings)
    bench.finish(claim, FAILED)

    become = cancel(bench, "t:0")

    assert become == [Withdrawal.CANCELLED]
    assert (result(bench).attempts, result(bench).effect) == (1, Effect.POSSIBLE)


def test_a_call_whose_handler_did_nothing_had_no_effect(bench: Bench) -> None:
    """It said so when it asked for another attempt, which never came."""
    (claim,) = bench.claim(bench.submit(effect_class=EffectClass.WRITE, repeatable=False).rings)
    bench.finish(claim, replace(FAILED, effect=Effect.NONE, asked=True))

    become = cancel(bench, "t:0", reason="enough")

    assert become == [Withdrawal.CANCELLED]
    assert (result(bench).attempts, result(bench).effect) == (1, Effect.NONE)
    error = result(bench).error
    assert error is not None
    assert error.message.endswith("after it had been started: enough.")


def test_a_running_call_is_marked_and_its_worker_told(bench: Bench, client: redis.Redis) -> None:
    """It has not ended before its worker says so."""
    (claim,) = bench.claim(bench.submit().rings)

    become = cancel(bench, "t:0")

    assert become == [Withdrawal.STOPPING]
    orders = client.lrange(f"{bench.ledger.settings.key_prefix}orders:{bench.worker}", 0, -1)
    assert orders == [f"t:0 {claim.fence}"]
    assert bench.state() == "running"


def test_a_withdrawn_call_that_failed_is_not_tried_again(bench: Bench) -> None:
    """Its attempt ended before its worker heard of the wish; the reaper ends the call."""
    (claim,) = bench.claim(bench.submit().rings)
    cancel(bench, "t:0", reason="enough")
    bench.finish(claim, FAILED)

    Reaper(bench.ledger, Bell(bench.ledger.settings), bench.signer).tick()

    assert (bench.state(), result(bench).attempts) == ("cancelled", 1)


def test_a_withdrawn_call_that_was_given_back_is_not_claimed(bench: Bench) -> None:
    """Its worker shut down before it could stop it."""
    (claim,) = bench.claim(bench.submit().rings)
    cancel(bench, "t:0")
    given_back = Settlement("t:0", claim.fence, CallState.QUEUED, uncounted=True)

    rings = bench.ledger.settle([given_back]).rings
    Reaper(bench.ledger, Bell(bench.ledger.settings), bench.signer).tick()

    assert (rings, bench.state()) == ([], "cancelled")


def test_a_call_that_has_ended_stays_as_it_is(bench: Bench) -> None:
    """And one that is not there is told as such."""
    (claim,) = bench.claim(bench.submit().rings)
    bench.finish(claim)

    become = cancel(bench, "t:0", "nobody:0")

    assert become == [Withdrawal.ENDED, Withdrawal.UNKNOWN]
    assert result(bench).outcome is Outcome.SUCCEEDED


def test_a_running_call_may_still_succeed(bench: Bench) -> None:
    """The first end wins: a success that came before the stop is the truth."""
    (claim,) = bench.claim(bench.submit().rings)
    cancel(bench, "t:0")

    accepted = bench.finish(claim)

    assert accepted
    assert result(bench).outcome is Outcome.SUCCEEDED


def test_the_sweeper_asks_again_until_the_call_has_ended(bench: Bench, client: redis.Redis) -> None:
    """A worker that lost the word gets it again."""
    (claim,) = bench.claim(bench.submit().rings)
    bench.ledger.beat(bench.worker, [], 1)
    cancel(bench, "t:0")
    prefix = bench.ledger.settings.key_prefix
    client.delete(f"{prefix}orders:{bench.worker}")

    bench.ledger.sweep(2.0, {})
    asked_again = client.lrange(f"{prefix}orders:{bench.worker}", 0, -1)
    bench.finish(claim)
    left = client.zcard(f"{prefix}cancelling")

    assert asked_again == [f"t:0 {claim.fence}"]
    assert left == 0


def test_many_calls_are_cancelled_together(bench: Bench) -> None:
    """More than are looked at in one round trip."""
    bench.submit(count=450)

    become = cancel(bench, *(f"t:{at}" for at in range(450)))

    assert set(become) == {Withdrawal.CANCELLED}
    record = bench.ledger.attach("t")
    assert record is not None
    assert (record.open, len(record.results)) == (0, 450)


def test_a_worker_reads_its_orders_and_takes_them(bench: Bench) -> None:
    """All that are there at once; then it waits for the next."""
    claims = bench.claim(bench.submit(count=3).rings)
    cancel(bench, "t:0", "t:2")

    orders = bench.ledger.read_orders(bench.worker, 1.0)
    left = bench.ledger.read_orders(bench.worker, 0.01)

    assert orders == [(claim.call_key, claim.fence) for claim in (claims[0], claims[2])]
    assert left == []


def test_a_reason_ends_our_sentence_whatever_it_is(bench: Bench) -> None:
    """One line, not too long, without its full stop and without half characters."""
    bench.submit(count=2)

    cancel(bench, "t:0", reason="  The user\nleft \udc80...")
    cancel(bench, "t:1", reason="x" * 10_000)

    messages = [str(error.message) for error in (result(bench, at).error for at in (0, 1)) if error]
    assert messages[0].endswith("was cancelled before it was started: The user left ?.")
    assert len(messages[1]) < 600


def test_those_that_wait_are_ended_before_one_that_runs_is_stopped(bench: Bench) -> None:
    """The slot that it frees would go to one of them, which is not to start any more."""
    bench.claim(bench.submit(count=3).rings[:1])
    log: list[str] = []
    ledger = Recording(bench.ledger.settings, log)

    Canceller(ledger, Bell(ledger.settings), bench.signer).cancel([f"t:{at}" for at in range(3)])

    assert log == ["settle", "withdraw"]
