"""Cases 27, 33 and 34: what handlers return and raise, whatever it is, and what nobody may read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
import redis

from tests.whole.cases import values
from tests.whole.cases.conftest import Gather
from tests.whole.cases.scenario import load_case, word_of
from tests.worker.running import RunningWorker
from toolferry import Lane, ToolCall, render
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Ledger, Settings


@pytest.mark.parametrize("tool", ["behave", "behave_on_loop"])
def test_whatever_a_handler_does_its_call_ends(gather: Gather, system: Settings, tool: str) -> None:
    """Case 27: with an envelope that is JSON, and nothing left open; siblings of its kind too."""
    scenario, expect = load_case("27a-unserialisable-and-huge")
    assert set(scenario["handlers"]) <= set(values.BEHAVIOURS)
    ledger = Ledger(system)

    results = gather(*((tool, {"how": how}) for how in values.BEHAVIOURS))
    pending = sum(view.count for view in ledger.overview().states.values())
    ledger.close()

    assert len(results) == len(values.BEHAVIOURS)
    last = max(result.finished_at for result in results)
    assert (last - results[0].requested_at < expect["within_seconds"]) is expect["every_call_ends"]
    assert pending == expect["pending_after"]
    assert all(strict_json(render(result)) for result in results) is expect["envelopes_are_json"]


def test_a_huge_result_is_cut_and_not_tried_again(
    dispatcher: Dispatcher, system: Settings, client: redis.Redis
) -> None:
    """Case 27: no more is stored than the tool's limit, with room for its envelope."""
    _, expect = load_case("27b-unserialisable-and-huge")
    turn = dispatcher.dispatch([ToolCall("c0", "give_huge", {})])

    (result,) = turn.gather(timeout=60)
    stored = client.hstrlen(f"{system.key_prefix}turn:{turn.turn_id}", "r:0")

    assert word_of(result) in expect["outcome"]
    assert result.truncated
    assert stored <= expect["stored_bytes_at_most"]
    assert result.attempts - 1 == expect["retries"]


def test_odd_values_become_json_or_an_error_that_names_the_tool(dispatcher: Dispatcher) -> None:
    """Case 33: one conversion, and the next request is valid JSON."""
    scenario, expect = load_case("33-odd-return-values")
    calls = [
        ToolCall(f"c{at}", "give_odd", {"what": what})
        for at, what in enumerate(scenario["returns"])
    ]

    turn = dispatcher.dispatch(calls)
    results = turn.gather(timeout=60)
    messages = turn.messages()

    assert [word_of(result) for result in results] == expect["outcomes"]
    errors = [result.error.message for result in results if result.error]
    assert all("give_odd" in message for message in errors) is expect["names_tool_in_error"]
    assert bool(strict_json(json.dumps(messages))) is expect["request_after_is_valid_json"]
    assert all(strict_json(message["content"]) for message in messages)


def test_secrets_reach_neither_model_nor_log(
    gather: Gather, lanes: Mapping[Lane, RunningWorker]
) -> None:
    """Case 34: in what handlers raise, print and quote, and in arguments that do not fit."""
    _, expect = load_case("34-secrets-in-errors")
    wanted: list[tuple[str, dict[str, Any]]] = [("leak", {"how": how}) for how in values.LEAKS]

    results = gather(
        *wanted, ("log_in", {"pin": "Hunter2-too-long"}), ("log_in", {"pin": "77134455"})
    )
    told = "\n".join(map(render, results))
    lanes[Lane.ASYNC].wait_for("attempt.failed", tool="log_in")
    logged = "".join(lanes[Lane.ASYNC].lines)

    assert not [text for text in expect["model_text_contains_none_of"] if text in told]
    assert all(text in told for text in expect["model_text_contains"])
    assert not [text for text in expect["log_contains_none_of"] if text in logged]
    assert "77134455" not in logged + told
    assert "KeyError: 'account'" in logged


def strict_json(text: str) -> Any:
    """Read JSON that every reader takes."""
    return json.loads(text, parse_constant=pytest.fail)
