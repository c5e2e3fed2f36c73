"""The dispatcher: one result for each call, in the model's order, under its call id."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import replace
from typing import Any

import pytest

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.samples import make_registry, response
from toolferry import (
    ConfigurationError,
    Context,
    ErrorCode,
    LedgerUnavailable,
    Outcome,
    ResponseMalformed,
    ResultTimedOut,
    ResultUnavailable,
    ToolCall,
    TurnUnknown,
)
from toolferry_dispatcher import Dispatcher, TurnConflict
from toolferry_ledger import Settings

OSLO = ("look_up", {"city": "Oslo"})
ROME = ("look_up", {"city": "Rome"})


def test_results_come_in_the_models_order(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """Whoever ends first, the results stand as the model asked."""
    turn = dispatcher.dispatch(response(OSLO, ROME))
    first, second = worker.take()
    worker.succeed(second)
    worker.succeed(first)

    results = turn.gather(timeout=5)

    assert [r.call_id for r in results] == ["call_0", "call_1"]
    assert [r.content["city"] for r in results] == ["Oslo", "Rome"]


def test_iterating_gives_results_as_they_end(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """A caller that iterates hears of the first end first."""
    turn = dispatcher.dispatch(response(OSLO, ROME))
    first, second = worker.take()
    worker.succeed(second)
    results = iter(turn)
    assert next(results).call_id == "call_1"

    worker.succeed(first)

    assert [r.call_id for r in results] == ["call_0"]


def test_messages_are_the_models_own_and_one_result_a_call(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """What goes back is the assistant message as received, then each call's envelope."""
    received = response(OSLO, ("nonsense", {}))
    turn = dispatcher.dispatch(received)
    worker.succeed(*worker.take())

    assistant, good, bad = turn.messages(timeout=5)

    assert assistant == received["choices"][0]["message"]
    assert (good["role"], good["tool_call_id"]) == ("tool", "call_0")
    assert json.loads(good["content"])["ok"] is True
    assert json.loads(bad["content"])["error_code"] == "unknown_tool"


def test_a_refused_call_is_answered_at_once_and_its_siblings_run(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """Unknown tools, bad JSON, bad arguments and missing rights leave siblings alone."""
    turn = dispatcher.dispatch(
        response(
            ("nonsense", {}),
            ("look_up", "{"),
            ("look_up", {"city": 7}),
            ("cancel_order", {"order_id": 1}),
            OSLO,
        )
    )
    worker.succeed(*worker.take())

    results = turn.gather(timeout=5)

    codes = [r.error.code if r.error else None for r in results]
    assert codes[0] == ErrorCode.UNKNOWN_TOOL
    assert codes[1] in {ErrorCode.INVALID_JSON, ErrorCode.TRUNCATED}
    assert codes[2:] == [ErrorCode.SCHEMA, ErrorCode.DENIED, None]
    outcomes = [Outcome.FAILED] * 3 + [Outcome.DENIED, Outcome.SUCCEEDED]
    assert [r.outcome for r in results] == outcomes
    assert {r.attempts for r in results[:4]} == {0}


def test_a_context_with_the_permission_is_let_through(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """Rights come from the application's context."""
    context = Context(permissions=frozenset({"orders:write"}))
    turn = dispatcher.dispatch(response(("cancel_order", {"order_id": 1})), context=context)
    worker.succeed(*worker.take())

    assert turn.gather(timeout=5)[0].outcome is Outcome.SUCCEEDED


def test_a_tool_that_was_not_on_offer_is_not_allowed(dispatcher: Dispatcher) -> None:
    """A model may only call what it was shown in this turn."""
    turn = dispatcher.dispatch(response(OSLO), visible={"write_file"})

    (result,) = turn.gather(timeout=5)

    assert result.error is not None
    assert result.error.code == ErrorCode.TOOL_NOT_ALLOWED


def test_plain_calls_are_dispatched_without_a_provider(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """An application that reads responses itself hands in the calls."""
    turn = dispatcher.dispatch([ToolCall("a", "look_up", {"city": "Oslo"})])
    worker.succeed(*worker.take())

    assert turn.gather(timeout=5)[0].call_id == "a"


def test_a_response_without_calls_is_final(dispatcher: Dispatcher) -> None:
    """Its text is the answer, and there is nothing to wait for."""
    turn = dispatcher.dispatch(response(finish="stop", content="Hello."))

    assert (turn.state, turn.text, turn.gather()) == ("final", "Hello.", [])
    assert len(turn.messages()) == 1


def test_an_empty_response_is_degenerate(dispatcher: Dispatcher) -> None:
    """Neither calls nor text is no success."""
    assert dispatcher.dispatch(response()).state == "degenerate"


def test_nothing_of_a_response_that_was_cut_off_runs(dispatcher: Dispatcher) -> None:
    """Every call is answered with `truncated`, whole or not."""
    turn = dispatcher.dispatch(response(OSLO, ROME, finish="length"))

    codes = {r.error.code for r in turn.gather(timeout=5) if r.error}

    assert turn.state == "complete"
    assert codes == {ErrorCode.TRUNCATED}


def test_whole_calls_of_a_cut_off_response_run_when_asked_for(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """With `run_complete_calls` all but the last run."""
    cut = response(OSLO, ROME, finish="length")
    turn = dispatcher.dispatch(cut, run_complete_calls=True)
    worker.succeed(*worker.take())

    outcomes = [r.outcome for r in turn.gather(timeout=5)]

    assert outcomes == [Outcome.SUCCEEDED, Outcome.FAILED]


def test_conflicting_calls_keep_the_models_order(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """Two writes on one resource are let go one after the other."""
    write = ("write_file", {"path": "a.txt"})
    turn = dispatcher.dispatch(response(write, write, OSLO))

    taken = worker.take()
    assert sorted(claim.call_key[-1] for claim in taken) == ["0", "2"]
    worker.succeed(*taken)
    worker.succeed(*worker.take())

    assert len(turn.gather(timeout=5)) == 3


def test_a_turn_that_was_dispatched_twice_is_one_turn(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """The same turn id with the same calls attaches; nothing runs twice."""
    first = dispatcher.dispatch(response(OSLO), turn_id="t-1")
    second = dispatcher.dispatch(response(OSLO), turn_id="t-1")
    worker.succeed(*worker.take())

    assert first.gather(timeout=5) == second.gather(timeout=5)
    assert worker.take() == []


def test_a_turn_id_for_other_calls_is_a_conflict(dispatcher: Dispatcher) -> None:
    """A turn id stands for one set of calls."""
    dispatcher.dispatch(response(OSLO), turn_id="t-1")

    with pytest.raises(TurnConflict, match="turn t-1: "):
        dispatcher.dispatch(response(ROME), turn_id="t-1")


def test_another_process_can_attach(
    dispatcher: Dispatcher, worker: HandWorker, settings: Settings
) -> None:
    """A turn can be gathered by a dispatcher that never saw its response."""
    turn = dispatcher.dispatch(response(OSLO, ROME))
    first, second = worker.take()
    worker.succeed(first)
    with Dispatcher(make_registry(), settings) as other:
        attached = other.attach(turn.turn_id)
        worker.succeed(second)

        assert attached.messages(timeout=5) == turn.messages(timeout=5)


def test_a_turn_that_nobody_knows_is_told(dispatcher: Dispatcher) -> None:
    """Attaching to nothing is an error that names the turn."""
    with pytest.raises(TurnUnknown, match="no-such-turn"):
        dispatcher.attach("no-such-turn")


def test_a_turn_that_was_asked_for_too_early_is_told_all_the_same(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """Who attaches, is told that there is no such turn, and dispatches it gets its results."""
    with pytest.raises(TurnUnknown) as unknown:  # its traceback holds what attach began
        dispatcher.attach("t-early")

    turn = dispatcher.dispatch(response(OSLO), turn_id="t-early")
    worker.succeed(worker.take()[0])

    assert [r.call_id for r in turn.gather(timeout=5)] == ["call_0"]
    assert turn.state == "complete"
    assert unknown.value.turn_id == "t-early"


def test_a_gather_that_runs_out_of_time_names_the_open_calls(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """The turn goes on and can be gathered later."""
    turn = dispatcher.dispatch(response(OSLO))
    with pytest.raises(ResultTimedOut, match="call_0"):
        turn.gather(timeout=0.01)

    worker.succeed(*worker.take())

    assert turn.gather(timeout=5)[0].outcome is Outcome.SUCCEEDED


def test_a_response_that_cannot_be_read_names_the_field(dispatcher: Dispatcher) -> None:
    """Nothing is dispatched of it."""
    with pytest.raises(ResponseMalformed, match="choices"):
        dispatcher.dispatch({"id": "x"})


def test_an_unreachable_server_is_told_without_its_password(settings: Settings) -> None:
    """The sentence names the server and what to do, and keeps the password."""
    nowhere = replace(settings, url="redis://:hush@127.0.0.1:1/0")
    with (
        Dispatcher(make_registry(), nowhere) as dispatcher,
        pytest.raises(LedgerUnavailable, match=r"127\.0\.0\.1:1") as raised,
    ):
        dispatcher.dispatch(response(OSLO))

    assert "hush" not in str(raised.value)


def test_a_lane_without_workers_is_told_while_waiting(dispatcher: Dispatcher) -> None:
    """Within three seconds people read why nothing happens."""
    turn = dispatcher.dispatch(response(OSLO))
    told = threading.Event()
    turn.watch.listen(lambda: told.set() if turn.warnings else None)

    assert told.wait(10)
    assert turn.warnings == ("No worker is alive for the async lane; calls wait for one.",)


def test_a_thousand_turns_share_a_handful_of_connections(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """Turns in flight cost no connection and no thread each."""
    before = worker.ledger.client.info("clients")["connected_clients"]
    threads = threading.active_count()
    turns = [dispatcher.dispatch(response(OSLO)) for _ in range(1000)]

    after = worker.ledger.client.info("clients")["connected_clients"]
    assert after - before <= 5
    assert threading.active_count() - threads <= 1
    while claims := worker.take():
        worker.succeed(*claims)
    assert {turn.gather(timeout=20)[0].outcome for turn in turns} == {Outcome.SUCCEEDED}


def test_schemas_are_what_a_request_takes(dispatcher: Dispatcher) -> None:
    """The tools go out in the provider's form."""
    names = {one["function"]["name"] for one in dispatcher.schemas()}

    assert names == {"look_up", "cancel_order", "write_file"}


def test_an_export_is_strict_where_that_is_wanted_and_tells_what_got_lost(
    dispatcher: Dispatcher,
) -> None:
    """Of the same tools, chosen in the same way."""
    export = dispatcher.export("openai-chat", "where_possible", names=["look_up"])

    [described] = export.tools
    assert described["function"]["strict"] is True
    assert export.strict == {"look_up"}
    assert {loss.tool for loss in export.losses} == {"look_up"}
    with pytest.raises(ConfigurationError, match="'always' is none of never, where_possible"):
        dispatcher.export(strictness="always")


@pytest.mark.parametrize("turn_id", ["", 5, "two\nlines", "\ud800", "x" * 201])
def test_a_turn_id_that_is_no_name_is_refused(dispatcher: Dispatcher, turn_id: Any) -> None:
    """It would be part of keys: what cannot be one is told at once."""
    with pytest.raises(ConfigurationError, match="turn_id"):
        dispatcher.dispatch(response(OSLO), turn_id=turn_id)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_is_told_to_make_its_own_dispatcher(dispatcher: Dispatcher) -> None:
    """Threads and locks do not survive a fork: using them there would hang."""
    child = os.fork()
    if child == 0:
        told = False
        try:
            dispatcher.dispatch(response(OSLO))
        except ConfigurationError:
            told = True
        os._exit(0 if told else 1)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_an_endless_patience_is_understood(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """Infinity is longer than any thread can wait, and means just that."""
    turn = dispatcher.dispatch(response(OSLO))
    worker.succeed(*worker.take())

    assert len(turn.gather(timeout=float("inf"))) == 1


def test_whoever_waits_for_a_closed_dispatcher_is_told(settings: Settings) -> None:
    """Nobody waits in vain, and the turn goes on in the ledger."""
    dispatcher = Dispatcher(make_registry(), settings)
    turn = dispatcher.dispatch(response(OSLO))
    closing = threading.Timer(0.1, dispatcher.close)
    closing.start()

    with pytest.raises(ResultUnavailable, match="was closed"):
        turn.gather(timeout=30)
    closing.join()
