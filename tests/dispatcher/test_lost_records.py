"""Lost records: the server has lost its data, and every call still gets its one result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import pytest
import redis

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.samples import make_registry, response
from toolferry import Effect, ErrorCode, Outcome, ResultUnavailable, ToolResult
from toolferry_dispatcher import Dispatcher, lost_records, rounds
from toolferry_ledger import Settings

OSLO = ("look_up", {"city": "Oslo"})
ROME = ("look_up", {"city": "Rome"})
WRITE = ("write_file", {"path": "a"})


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have silent turns read after half a second."""
    monkeypatch.setattr(rounds, "SILENCE", 0.5)


@pytest.fixture
def lose(client: redis.Redis, settings: Settings) -> Callable[[], None]:
    """Give a function that robs the system of its data."""

    def lose_all() -> None:
        client.delete(*client.scan_iter(f"{settings.key_prefix}*"))

    return lose_all


@pytest.fixture
def second(settings: Settings) -> Iterator[Dispatcher]:
    """Give another dispatcher of the same system."""
    with Dispatcher(make_registry(), settings) as dispatcher:
        yield dispatcher


def told(results: list[ToolResult]) -> list[tuple[Outcome, Effect, str | None]]:
    """Give what results say of how their calls ended."""
    return [(one.outcome, one.effect, one.error.code if one.error else None) for one in results]


def test_an_open_call_ends_as_lost_and_says_what_may_have_happened(
    dispatcher: Dispatcher, lose: Callable[[], None]
) -> None:
    """A read has changed nothing, a write may have; the model is told what to do in each case."""
    turn = dispatcher.dispatch(response(OSLO, WRITE))

    lose()
    results = turn.gather(timeout=30)

    assert told(results) == [
        (Outcome.LOST, Effect.NONE, ErrorCode.RECORDS_LOST),
        (Outcome.LOST, Effect.POSSIBLE, ErrorCode.RECORDS_LOST),
    ]
    errors = [one.error for one in results if one.error]
    assert [error.retryable for error in errors] == [True, False]
    assert errors[0].suggestion == "Make the call again."
    assert errors[1].suggestion.startswith("Check whether it happened")
    assert errors[1].message.endswith("It may or may not have happened.")
    assert any("lost its data" in sentence for sentence in turn.warnings)


def test_a_result_that_was_told_stays_what_it_is(
    dispatcher: Dispatcher, worker: HandWorker, lose: Callable[[], None]
) -> None:
    """Only what is not known any more is lost; so with a refusal, which needs no server."""
    turn = dispatcher.dispatch(response(OSLO, ROME, ("no_such_tool", {})))
    worker.succeed(worker.take()[0])
    first_two = list(islice(turn, 2))

    lose()
    results = turn.gather(timeout=30)

    assert [one.outcome for one in first_two] == [Outcome.FAILED, Outcome.SUCCEEDED]
    assert [one.outcome for one in results] == [Outcome.SUCCEEDED, Outcome.LOST, Outcome.FAILED]


def test_all_who_follow_a_turn_are_told_the_same(
    dispatcher: Dispatcher, second: Dispatcher, lose: Callable[[], None]
) -> None:
    """Whoever dispatched it writes it anew, also for those who come later."""
    turn = dispatcher.dispatch(response(OSLO, WRITE))
    followed = second.attach(turn.turn_id)

    lose()
    results = turn.gather(timeout=30)

    assert followed.gather(timeout=30) == results
    assert second.attach(turn.turn_id).gather(timeout=5) == results


def test_who_only_follows_a_turn_ends_it_when_nobody_writes_it_anew(
    dispatcher: Dispatcher,
    second: Dispatcher,
    lose: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its dispatcher may be dead."""
    monkeypatch.setattr(lost_records, "FOLLOWERS_PATIENCE", 1.0)
    turn_id = dispatcher.dispatch(response(OSLO, WRITE)).turn_id
    followed = second.attach(turn_id)
    dispatcher.close()

    lose()
    results = followed.gather(timeout=30)

    assert [one.effect for one in results] == [Effect.NONE, Effect.POSSIBLE]


def test_what_may_be_repeated_runs_again_on_request(
    dispatcher: Dispatcher, worker: HandWorker, lose: Callable[[], None]
) -> None:
    """And nothing else, since nobody can show that it was not started."""
    turn = dispatcher.dispatch(response(OSLO, WRITE), resubmit=True)

    lose()
    turn.wait_news(frozenset(), 30)
    worker.succeed(*worker.take())
    results = turn.gather(timeout=30)

    assert told(results) == [
        (Outcome.SUCCEEDED, Effect.NONE, None),
        (Outcome.LOST, Effect.POSSIBLE, ErrorCode.RECORDS_LOST),
    ]


def test_what_a_worker_still_brings_of_a_lost_call_changes_nothing(
    dispatcher: Dispatcher, worker: HandWorker, lose: Callable[[], None]
) -> None:
    """The result that was told first is the one result."""
    turn = dispatcher.dispatch(response(WRITE))
    claims = worker.take()
    lose()
    results = turn.gather(timeout=30)

    worker.succeed(*claims)

    assert dispatcher.attach(turn.turn_id).gather(timeout=5) == results


def test_a_long_result_that_was_not_read_yet_is_told_to_be_gone(
    dispatcher: Dispatcher, worker: HandWorker, lose: Callable[[], None]
) -> None:
    """The call has ended well, so it is not said to be lost; nobody waits in vain either."""
    turn = dispatcher.dispatch(response(("look_up", {"city": "x" * 5000})))
    worker.succeed(*worker.take())
    turn.wait_news(frozenset(), 30)
    lose()

    with pytest.raises(ResultUnavailable, match="no longer has"):
        turn.gather(timeout=5)
