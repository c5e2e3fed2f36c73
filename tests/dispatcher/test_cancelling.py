"""Cancelling a turn: each of its calls still has its one result, which says what is known."""

from __future__ import annotations

import json

import pytest

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.samples import make_registry, response
from toolferry import Effect, Outcome, ResultTimedOut, TurnUnknown
from toolferry_dispatcher import AsyncDispatcher, Dispatcher, OnTimeout, Withdrawal
from toolferry_ledger import Settings, cancelled_end, conclude, open_spec

OSLO = ("look_up", {"city": "Oslo"})
ROME = ("look_up", {"city": "Rome"})
WRITE = ("write_file", {"path": "a"})


def stop(worker: HandWorker, call_key: str, fence: int) -> None:
    """End a running call as its worker does when it was told to stop it."""
    suspect = worker.ledger.inspect_call(call_key)
    assert suspect is not None
    assert (suspect.fence, suspect.cancelled) == (fence, "the user left")
    spec = open_spec(worker.signer, suspect)
    end = cancelled_end(spec, suspect.cancelled or "", started=True)
    worker.ledger.settle([conclude(spec, suspect, end, suspect.now)], "hand")


def test_calls_that_have_not_started_never_will(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """They end at once, and say that nothing happened."""
    turn = dispatcher.dispatch(response(OSLO, WRITE))

    became = turn.cancel("the user left.")

    assert became == {"call_0": Withdrawal.CANCELLED, "call_1": Withdrawal.CANCELLED}
    assert worker.take() == []
    results = turn.gather(timeout=5)
    assert {(one.outcome, one.effect) for one in results} == {(Outcome.CANCELLED, Effect.NONE)}
    assert results[1].error is not None
    assert results[1].error.message == (
        "write_file was cancelled before it was started: the user left."
    )


def test_every_call_of_a_cancelled_turn_has_its_message(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """One had ended, one was refused, one runs, one waits: each is told as it is."""
    turn = dispatcher.dispatch(response(OSLO, ("nonsense", {}), WRITE, ROME, WRITE))
    oslo, write, rome = worker.take()
    worker.succeed(oslo)

    became = turn.cancel("the user left")
    stop(worker, write.call_key, write.fence)
    worker.succeed(rome)

    assert list(became.values()) == [
        Withdrawal.ENDED,
        Withdrawal.ENDED,
        Withdrawal.STOPPING,
        Withdrawal.STOPPING,
        Withdrawal.CANCELLED,
    ]
    told = [json.loads(message["content"]) for message in turn.messages(timeout=5)[1:]]
    assert [one["ok"] for one in told] == [True, False, False, True, False]
    assert "may or may not have had its effect" in told[2]["message"]
    assert "before it was started" in told[4]["message"]


def test_cancelling_again_changes_nothing(dispatcher: Dispatcher) -> None:
    """What ended stays as it ended, with the reason that was given first."""
    turn = dispatcher.dispatch(response(OSLO))
    turn.cancel("first")

    again = turn.cancel("second")

    (result,) = turn.gather(timeout=5)
    assert again == {"call_0": Withdrawal.ENDED}
    assert result.error is not None
    assert result.error.message.endswith("first.")


def test_a_final_response_has_nothing_to_cancel(dispatcher: Dispatcher) -> None:
    """A turn without calls is no error."""
    turn = dispatcher.dispatch({"role": "assistant", "content": "Hello."}, provider="openai-chat")

    assert turn.cancel() == {}


def test_another_process_cancels_a_turn_by_its_name(
    dispatcher: Dispatcher, settings: Settings
) -> None:
    """Whoever dispatched it hears of that like of any end."""
    turn = dispatcher.dispatch(response(OSLO, ROME))
    with Dispatcher(make_registry(), settings) as other:
        became = other.cancel(turn.turn_id, "an operator")

    assert became == {"call_0": Withdrawal.CANCELLED, "call_1": Withdrawal.CANCELLED}
    assert [one.outcome for one in turn.gather(timeout=5)] == [Outcome.CANCELLED] * 2


def test_one_call_is_cancelled_by_its_key(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """Its siblings go on."""
    turn = dispatcher.dispatch(response(OSLO, ROME))

    became = dispatcher.cancel(f"{turn.turn_id}:1")
    worker.succeed(*worker.take())

    assert became == {"call_1": Withdrawal.CANCELLED}
    outcomes = [one.outcome for one in turn.gather(timeout=5)]
    assert outcomes == [Outcome.SUCCEEDED, Outcome.CANCELLED]


@pytest.mark.parametrize(
    "name",
    ["nobody", "nobody:0", "{turn}:7", "{turn}:-1", "{turn}:", "{turn}:²", "", "a\x00\udc80"],
)
def test_a_name_that_is_not_there_is_refused(dispatcher: Dispatcher, name: str) -> None:
    """The sentence names it."""
    turn = dispatcher.dispatch(response(OSLO))
    name = name.replace("{turn}", turn.turn_id)

    with pytest.raises(TurnUnknown) as caught:
        dispatcher.cancel(name)

    assert caught.value.turn_id == name


def test_a_gather_that_times_out_leaves_calls_as_they_are(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """They can be gathered later; that is the default."""
    turn = dispatcher.dispatch(response(OSLO))

    with pytest.raises(ResultTimedOut):
        turn.gather(timeout=0)

    worker.succeed(*worker.take())
    assert turn.gather(timeout=5)[0].outcome is Outcome.SUCCEEDED


def test_a_gather_that_times_out_may_cancel(dispatcher: Dispatcher) -> None:
    """It then gives one result for each call all the same, and so do the messages."""
    turn = dispatcher.dispatch(response(OSLO))

    (result,) = turn.gather(timeout=0, on_timeout=OnTimeout.CANCEL)

    assert result.outcome is Outcome.CANCELLED
    assert len(turn.messages(timeout=0, on_timeout=OnTimeout.CANCEL)) == 2


async def test_a_loop_cancels_without_being_blocked(settings: Settings) -> None:
    """The turn's own word, that of another dispatcher, and a gather that times out."""
    async with AsyncDispatcher(make_registry(), settings) as dispatcher:
        turn, other = [await dispatcher.dispatch(response(OSLO)) for _ in range(2)]
        third = await dispatcher.dispatch(response(OSLO))

        became = [await turn.cancel("enough"), await dispatcher.cancel(other.turn_id)]
        (result,) = await third.gather(timeout=0, on_timeout=OnTimeout.CANCEL)

    assert became == [{"call_0": Withdrawal.CANCELLED}] * 2
    assert result.outcome is Outcome.CANCELLED


def test_a_choice_that_there_is_not_is_refused(dispatcher: Dispatcher) -> None:
    """A word that was mistyped must not leave calls running."""
    turn = dispatcher.dispatch(response(OSLO))

    with pytest.raises(ValueError, match="cancle"):
        turn.gather(timeout=0, on_timeout="cancle")  # type: ignore[arg-type]  # what is tested
