"""First answers: a conversation goes on without a call that takes too long."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.long_turns import EXPORTS, slow_registry, told
from tests.dispatcher.samples import response
from toolferry import ConfigurationError, ResultTimedOut
from toolferry_dispatcher import AsyncDispatcher, Dispatcher, call_tools
from toolferry_dispatcher.meta import TurnMeta
from toolferry_ledger import Settings, write_json


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher that knows the slow tools."""
    with Dispatcher(slow_registry(), settings) as dispatcher:
        yield dispatcher


def test_a_call_that_takes_too_long_is_answered_as_running(dispatcher: Dispatcher) -> None:
    """With the handle by which it can be asked for; there is one message for each call."""
    turn = dispatcher.dispatch(EXPORTS)

    messages = turn.messages()

    assert [one["role"] for one in messages] == ["assistant", "tool", "tool"]
    assert {one["state"] for one in told(messages).values()} == {"running"}
    assert told(messages)["call_1"]["handle"] == f"{turn.turn_id}:1"
    assert all(one["ok"] for one in told(messages).values())


def test_a_call_that_ends_in_time_has_its_result_told(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """Beside one that does not."""
    turn = dispatcher.dispatch(EXPORTS)
    first, _second = worker.take()
    worker.succeed(first)

    messages = turn.messages()

    assert told(messages)["call_0"] == {"ok": True, "content": {"part": 1}}
    assert told(messages)["call_1"]["state"] == "running"


def test_what_is_told_can_be_written_in_another_format(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """The same that the messages say, one a call."""
    turn = dispatcher.dispatch(EXPORTS)
    first, _second = worker.take()
    worker.fail(first)

    ended, running = turn.told()

    assert [one["content"] for one in turn.messages()[1:]] == [ended.text, running.text]
    assert (ended.is_error, ended.code, ended.is_running) == (True, "execution_failed", False)
    assert (running.is_error, running.code, running.is_running) == (False, "", True)


def test_the_first_answer_stays_after_the_end(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """For this handle, for another one, and for another process; gather gives the result."""
    turn = dispatcher.dispatch(EXPORTS)
    before = turn.messages()
    worker.succeed(*worker.take())

    results = turn.gather(10)

    assert [one.content for one in results] == [{"part": 1}, {"part": 2}]
    assert turn.messages() == before
    assert dispatcher.attach(turn.turn_id).messages() == before
    with Dispatcher(slow_registry(), dispatcher._core.ledger.settings) as other:  # noqa: SLF001 -- the same system
        assert other.attach(turn.turn_id).messages() == before


def test_who_had_heard_of_the_end_tells_the_first_answer_all_the_same(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """Another handle may have answered before."""
    turn = dispatcher.dispatch(EXPORTS, turn_id="t")
    other = dispatcher.attach("t")
    before = turn.messages()
    worker.succeed(*worker.take())
    other.gather(10)

    assert other.messages() == before


def test_a_result_that_came_in_the_very_moment_wins(
    dispatcher: Dispatcher, worker: HandWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ledger knows which of both was first."""
    turn = dispatcher.dispatch(EXPORTS)
    ledger = dispatcher._core.ledger  # noqa: SLF001 -- the moment between looking and answering
    answer = ledger.answer

    def answer_after_the_end(turn_id: str, answers: dict[int, bytes]) -> set[int]:
        """End all calls just before they are answered."""
        worker.succeed(*worker.take())
        return answer(turn_id, answers)

    monkeypatch.setattr(ledger, "answer", answer_after_the_end)

    messages = turn.messages()

    assert [one["content"] for one in told(messages).values()] == [{"part": 1}, {"part": 2}]


def test_many_who_ask_at_once_are_told_the_same(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """While the calls end."""
    turn = dispatcher.dispatch(response(*[("export", {"part": at}) for at in range(20)]))
    handles = [dispatcher.attach(turn.turn_id) for _ in range(6)]
    heard: list[list[dict[str, Any]]] = []
    askers = [threading.Thread(target=lambda h=one: heard.append(h.messages())) for one in handles]

    for one in askers:
        one.start()
    worker.succeed(*worker.take())
    for one in askers:
        one.join()

    assert len(heard) == 6
    assert all(one == turn.messages() for one in heard)


def test_a_first_answer_is_one_sentence_where_results_are_plain_text(
    dispatcher: Dispatcher,
) -> None:
    """With the handle in it."""
    turn = dispatcher.dispatch(response(("write_book", {"title": "Ferries"})))

    text = told(turn.messages())["call_0"]

    assert f"{turn.turn_id}:0" in text
    assert text.startswith("write_book has not ended yet")


def test_the_dispatch_wins_over_the_tool(dispatcher: Dispatcher) -> None:
    """In both directions."""
    at_once = dispatcher.dispatch(response(("look_up", {"city": "Oslo"})), answer_within=0)
    patient = dispatcher.dispatch(EXPORTS, answer_within=math.inf)

    assert told(at_once.messages())["call_0"]["state"] == "running"
    with pytest.raises(ResultTimedOut):
        patient.messages(timeout=0.2)


def test_a_conversation_waits_for_a_call_that_may_take_its_time(dispatcher: Dispatcher) -> None:
    """One such call is enough."""
    turn = dispatcher.dispatch(response(("export", {"part": 1}), ("look_up", {"city": "Oslo"})))

    with pytest.raises(ResultTimedOut, match="call_1"):
        turn.messages(timeout=0.2)


def test_nothing_is_answered_while_nobody_can_be_told(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """Who gave up waiting for one call hears of the other what came of it."""
    turn = dispatcher.dispatch(response(("export", {"part": 1}), ("look_up", {"city": "Oslo"})))
    with pytest.raises(ResultTimedOut):
        turn.messages(timeout=0.2)

    worker.succeed(*worker.take())

    assert told(turn.messages())["call_0"] == {"ok": True, "content": {"part": 1}}


def test_a_model_that_waits_for_a_call_is_left_waiting(settings: Settings) -> None:
    """It said itself for how long, and a handle for that would be one too many."""
    registry = slow_registry()
    registry.register_all(call_tools())
    with Dispatcher(registry, settings) as dispatcher:
        wait = response(("call.wait", {"handle": "t:0"}))

        turn = dispatcher.dispatch(wait, answer_within=0)

        with pytest.raises(ResultTimedOut):
            turn.messages(timeout=0.1)


def test_a_refused_call_is_told_as_refused(dispatcher: Dispatcher) -> None:
    """Nothing runs for it."""
    turn = dispatcher.dispatch(response(("unheard_of", {}), ("export", {"part": 1})))

    messages = told(turn.messages())

    assert messages["call_0"]["error_code"] == "unknown_tool"
    assert messages["call_1"]["state"] == "running"


@pytest.mark.parametrize("seconds", [-1, "5", True, math.nan])
def test_a_time_that_is_none_is_refused(dispatcher: Dispatcher, seconds: Any) -> None:
    """Before anything is sent."""
    with pytest.raises(ConfigurationError, match="answer_within"):
        dispatcher.dispatch(EXPORTS, answer_within=seconds)


async def test_an_event_loop_is_told_the_same(settings: Settings, worker: HandWorker) -> None:
    """And goes on meanwhile."""
    async with AsyncDispatcher(slow_registry(), settings) as dispatcher:
        turn = await dispatcher.dispatch(EXPORTS)
        before = await turn.messages()
        worker.succeed(*worker.take())

        results = await turn.gather(10)

        assert {one["state"] for one in told(before).values()} == {"running"}
        assert [one.content for one in results] == [{"part": 1}, {"part": 2}]
        assert await turn.messages() == before


def test_a_turn_of_the_last_release_can_be_read() -> None:
    """It knew of no first answers."""
    old = {
        "provider": "plain",
        "kind": "calls",
        "message": {},
        "text": "",
        "calls": [["c0", "export", "envelope", "default.async", 120.0]],
        "conversation_id": "",
        "labels": {},
    }

    meta = TurnMeta.from_bytes("t", write_json(old))

    assert meta.calls[0].answer_within is None
    assert b'"default.async",120.0]' in meta.to_bytes()
