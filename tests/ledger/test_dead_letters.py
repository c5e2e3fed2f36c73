"""Dead letters: seen with their whole history, replayed, discarded."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import redis

from tests.ledger.samples import SUCCESS, Bench, Placement
from tests.waiting import wait_until
from toolferry import (
    CallError,
    Concurrency,
    Effect,
    EffectClass,
    ErrorCode,
    Outcome,
    Priority,
    RetryPolicy,
)
from toolferry_ledger import (
    Bell,
    CallUnknown,
    Claim,
    DeadLetters,
    Keeping,
    LetterFilter,
    Replayed,
    Settings,
    open_spec,
)
from toolferry_policies import AttemptEnd

CRASHED = AttemptEnd(
    outcome=Outcome.FAILED, error=CallError.of(ErrorCode.EXECUTION_FAILED, "It failed.")
)
TIMED_OUT = AttemptEnd(
    outcome=Outcome.TIMED_OUT, error=CallError.of(ErrorCode.TIMEOUT, "It took too long.")
)
#: A tool that must not be run again when nobody knows what it did.
ONCE: dict[str, Any] = {"effect_class": EffectClass.WRITE, "repeatable": False}


@pytest.fixture
def letters(bench: Bench) -> DeadLetters:
    """Give the dead letters of a system."""
    return DeadLetters(bench.ledger, bench.signer, Bell(bench.ledger.settings))


def die(bench: Bench, turn_id: str = "t", end: AttemptEnd = CRASHED, **changes: Any) -> str:
    """Have a call of one attempt end as a dead letter."""
    changes = {"retry": RetryPolicy(max_attempts=1), **changes}
    (claim,) = bench.claim(bench.submit(turn_id, **changes).rings)
    bench.finish(claim, end)
    return claim.call_key


def claim_replay(bench: Bench, replayed: Replayed) -> Claim:
    """Take a replay as a worker would."""
    suspect = bench.ledger.inspect_call(replayed.replay)
    assert suspect is not None
    (claim,) = bench.ledger.claim(bench.worker, [(replayed.replay, suspect.fence)]).claims
    return claim


def test_letters_are_listed_the_newest_first(bench: Bench, letters: DeadLetters) -> None:
    """With what was recorded for each."""
    die(bench, "old")
    before = bench.ledger.now()  # what ends within one millisecond has no order
    wait_until(lambda: bench.ledger.now() - before >= 0.001, "the next millisecond")
    die(bench, "new", TIMED_OUT)

    found = letters.list()

    assert [(one.call_key, one.code) for one in found] == [
        ("new:0", "timeout"),
        ("old:0", "execution_failed"),
    ]
    assert found[0].result.outcome is Outcome.TIMED_OUT


def test_letters_are_filtered_by_tool_code_and_age(
    bench: Bench, letters: DeadLetters, client: redis.Redis
) -> None:
    """Each filter leaves out what it does not mean."""
    die(bench, "a", name="a")
    die(bench, "b", TIMED_OUT, name="b")
    dead = f"{bench.ledger.settings.key_prefix}dead"
    client.zincrby(dead, -3_600_000, "a:0")

    filters = [
        LetterFilter(tool="a"),
        LetterFilter(code="timeout"),
        LetterFilter(older_than=1800),
        LetterFilter(newer_than=1800),
        LetterFilter(tool="a", newer_than=1800),
    ]
    found = [[letter.call_key for letter in letters.list(which)] for which in filters]

    assert found == [["a:0"], ["b:0"], ["a:0"], ["b:0"], []]


def test_no_more_letters_are_given_than_were_asked_for(bench: Bench, letters: DeadLetters) -> None:
    """The newest of them; of one moment those that come last by name."""
    keys = [die(bench, f"t{number}") for number in range(3)]
    bench.ledger.client.zadd(f"{bench.ledger.settings.key_prefix}dead", dict.fromkeys(keys, 4e12))

    assert [letter.call_key for letter in letters.list(limit=2)] == ["t2:0", "t1:0"]


def test_the_story_of_a_call_has_every_attempt(bench: Bench, letters: DeadLetters) -> None:
    """Its worker, its times, its error; and what the call was to do."""
    key = die(bench)

    story = letters.show(key)

    (attempt,) = story.attempts
    assert (attempt.worker, attempt.attempt, attempt.code) == (bench.worker, 1, "execution_failed")
    assert (attempt.message, attempt.late) == ("It failed.", False)
    assert story.dead
    assert story.spec is not None
    assert story.spec.arguments == {"path": "a.txt"}
    assert story.result is not None
    assert story.result.outcome is Outcome.FAILED


def test_a_letter_outlives_the_turn_of_its_call(
    bench: Bench, letters: DeadLetters, client: redis.Redis
) -> None:
    """Its result is kept with it."""
    key = die(bench)
    client.delete(f"{bench.ledger.settings.key_prefix}turn:t")

    story = letters.show(key)

    assert story.result is not None
    assert story.result.outcome is Outcome.FAILED


@pytest.mark.parametrize("key", ["nobody:0", "no key", "", ":", "t:x"])
def test_a_call_that_is_not_there_is_unknown(letters: DeadLetters, key: str) -> None:
    """Whatever is asked for by that name."""
    with pytest.raises(CallUnknown, match="does not have it"):
        letters.show(key)


def test_a_replay_is_a_call_of_its_own(bench: Bench, letters: DeadLetters) -> None:
    """It names the call that it repeats and has the same arguments and a new deadline."""
    key = die(bench)

    (replayed,) = letters.replay([key])
    claim = claim_replay(bench, replayed)
    spec = open_spec(bench.signer, claim)

    assert replayed == Replayed("t:0", "t.0~1:0")
    assert (spec.replay_of, spec.arguments) == ("t:0", {"path": "a.txt"})
    assert claim.deadline_at - claim.requested_at == pytest.approx(spec.deadline, abs=0.01)


def test_a_replay_stands_in_line_as_its_call_did(
    bench: Bench, letters: DeadLetters, client: redis.Redis
) -> None:
    """With its priority, its resource and its limit."""
    limited = Placement(
        priority=Priority.BULK,
        resource="file:a",
        writes=True,
        concurrency=Concurrency(3, "disk"),
    )
    key = die(bench, placement=limited, tenant="b")

    (replayed,) = letters.replay([key])

    prefix = bench.ledger.settings.key_prefix
    names = ("route", "resource", "cap", "tenant")
    found = client.hmget(f"{prefix}call:{replayed.replay}", names)
    assert found == client.hmget(f"{prefix}call:{key}", names)
    assert found == ["default.async.bulk", "w:file:a", "3:disk", "b"]


def test_the_answer_of_the_model_stays(bench: Bench, letters: DeadLetters) -> None:
    """The result of the replay is shown beside it."""
    key = die(bench)

    (replayed,) = letters.replay([key])
    bench.finish(claim_replay(bench, replayed), SUCCESS)

    story = letters.show(key)
    assert story.result is not None
    assert story.result.outcome is Outcome.FAILED
    (replay,) = story.replays
    assert replay.result is not None
    assert (replay.call_key, replay.result.content) == (replayed.replay, "done")


def test_a_replay_that_succeeds_settles_its_letter(bench: Bench, letters: DeadLetters) -> None:
    """It is out of the way, can still be seen, and is not replayed again."""
    key = die(bench)
    (replayed,) = letters.replay([key])

    bench.finish(claim_replay(bench, replayed), SUCCESS)

    assert letters.list() == ()
    (settled,) = letters.list(LetterFilter(settled=True))
    assert settled.settled_by == replayed.replay
    (again,) = letters.replay([key])
    assert again.refusal == "its replay t.0~1:0 has succeeded already"


def test_a_replay_that_fails_is_told_with_its_letter(bench: Bench, letters: DeadLetters) -> None:
    """There is one letter, as before, and it can be replayed again."""
    key = die(bench)
    (first,) = letters.replay([key])
    bench.finish(claim_replay(bench, first), CRASHED)

    (second,) = letters.replay([first.replay and key])

    assert [letter.call_key for letter in letters.list()] == [key]
    assert second.replay == "t.0~2:0"
    assert [replay.call_key for replay in letters.show(key).replays] == [
        first.replay,
        second.replay,
    ]


def test_a_replay_of_a_replay_repeats_the_first_call(bench: Bench, letters: DeadLetters) -> None:
    """So that all replays of a call stand beside it, with one idempotency key."""
    (first,) = letters.replay([die(bench)])
    bench.finish(claim_replay(bench, first), CRASHED)

    (second,) = letters.retry([first.replay])

    assert second.replay == "t.0~2:0"
    assert open_spec(bench.signer, claim_replay(bench, second)).replay_of == "t:0"


def test_a_turn_may_have_any_name(bench: Bench, letters: DeadLetters) -> None:
    """Also one with spaces and colons."""
    key = die(bench, "my turn: 7~1.0")
    for _ in range(2):
        (replayed,) = letters.replay([key])
        bench.finish(claim_replay(bench, replayed), CRASHED)

    story = letters.show(key)

    turns = [replay.call_key for replay in story.replays]
    assert turns == ["my turn: 7~1.0.0~1:0", "my turn: 7~1.0.0~2:0"]
    assert letters.list()[0].replays == tuple(turns)


def test_a_turn_of_somebody_else_is_no_replay(bench: Bench, letters: DeadLetters) -> None:
    """An application that chose this very name is not mistaken for one."""
    key = die(bench)
    bench.submit("t.0~1")

    (refused,) = letters.replay([key])

    assert refused.refusal == "turn t.0~1 is another one already"


def test_a_call_is_replayed_once_at_a_time(bench: Bench, letters: DeadLetters) -> None:
    """While a replay is open another is refused."""
    key = die(bench)
    letters.replay([key])

    (again,) = letters.replay([key])

    assert again == Replayed(key, refusal="its replay t.0~1:0 has not ended yet")


def test_a_call_that_is_no_letter_is_not_replayed_as_one(
    bench: Bench, letters: DeadLetters
) -> None:
    """Nor is one that is open; each is told why."""
    bench.finish(bench.claim(bench.submit("good").rings)[0])
    bench.submit("open")

    good, still_open, nobody = letters.replay(["good:0", "open:0", "nobody:0"])

    assert good.refusal.startswith("it is no dead letter")
    assert still_open.refusal.startswith("it is no dead letter")
    assert nobody.refusal.startswith("the ledger does not have it")


def test_any_call_that_has_ended_can_be_retried(bench: Bench, letters: DeadLetters) -> None:
    """One that is open cannot."""
    bench.finish(bench.claim(bench.submit("good").rings)[0])
    bench.submit("open")

    good, still_open = letters.retry(["good:0", "open:0"])

    assert good.replay == "good.0~1:0"
    assert still_open.refusal.startswith("it has not ended yet")


def test_what_may_have_happened_is_not_repeated_without_a_word(
    bench: Bench, letters: DeadLetters
) -> None:
    """Somebody has to say that it may happen twice."""
    key = die(bench, **ONCE)

    (refused,) = letters.replay([key])
    (replayed,) = letters.replay([key], confirmed={key})

    assert refused.unconfirmed
    assert "must not happen twice" in refused.refusal
    assert replayed.replay == "t.0~1:0"


def test_what_has_certainly_not_happened_is_repeated(bench: Bench, letters: DeadLetters) -> None:
    """A write whose handler said so needs no word."""
    told = AttemptEnd(outcome=Outcome.FAILED, error=CRASHED.error, effect=Effect.NONE)
    key = die(bench, end=told, **ONCE)

    (replayed,) = letters.replay([key])

    assert replayed.replay


def test_a_replay_that_may_have_happened_counts_too(bench: Bench, letters: DeadLetters) -> None:
    """The call itself had no effect; its replay is not known."""
    told = AttemptEnd(outcome=Outcome.FAILED, error=CRASHED.error, effect=Effect.NONE)
    key = die(bench, end=told, **ONCE)
    (first,) = letters.replay([key])
    bench.finish(claim_replay(bench, first), CRASHED)

    (again,) = letters.replay([key])

    assert again.unconfirmed


def test_a_record_that_cannot_be_believed_is_not_repeated(
    bench: Bench, letters: DeadLetters, client: redis.Redis
) -> None:
    """Somebody has changed it."""
    key = die(bench)
    client.hset(f"{bench.ledger.settings.key_prefix}call:{key}", "sig", "0" * 64)

    (replayed,) = letters.replay([key])

    assert replayed.refusal == "its record cannot be trusted, so nothing of it is run"


def test_a_discarded_letter_is_gone(
    bench: Bench, letters: DeadLetters, client: redis.Redis
) -> None:
    """With its history; what is no letter is left alone."""
    key = die(bench)
    bench.submit("open")

    discarded = letters.discard([key, "open:0", "nobody:0"])

    prefix = bench.ledger.settings.key_prefix
    assert discarded == {key: True, "open:0": False, "nobody:0": False}
    assert letters.list() == ()
    assert client.exists(f"{prefix}call:{key}", f"{prefix}history:{key}") == 0
    assert bench.state("open:0") == "queued"


def test_a_replay_that_ends_after_its_letter_expired_leaves_nothing_for_ever(
    bench: Bench, letters: DeadLetters, client: redis.Redis, keys_without_ttl: Any
) -> None:
    """Nor does one that is submitted then."""
    key = die(bench)
    (replayed,) = letters.replay([key])
    letters.discard([key])

    bench.finish(claim_replay(bench, replayed), SUCCESS)

    prefix = bench.ledger.settings.key_prefix
    assert client.exists(f"{prefix}call:{key}") == 0
    assert f"{prefix}call:{replayed.replay}" not in keys_without_ttl(client, prefix)


def test_a_letter_that_has_expired_is_not_listed(
    bench: Bench, letters: DeadLetters, client: redis.Redis
) -> None:
    """The list itself forgets it with the next sweep."""
    key = die(bench)
    client.delete(f"{bench.ledger.settings.key_prefix}call:{key}")

    assert letters.list() == ()


def test_a_letter_is_kept_with_its_history(settings: Settings, client: redis.Redis) -> None:
    """For as long as the system says, however long that is."""
    month = 30 * 86_400.0
    bench = Bench.on(replace(settings, keeping=Keeping(dead=month)))

    key = die(bench)

    prefix = settings.key_prefix
    for name in (f"call:{key}", f"history:{key}"):
        assert client.ttl(f"{prefix}{name}") == pytest.approx(month, abs=60)
    bench.ledger.close()
