"""Chains: actions on one screen run in order, and none of them after one that failed."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from tests.whole import chain_tools
from tests.worker.running import RunningWorker
from toolferry import Effect, Lane, Registry, ToolResult
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Settings

TOOLS = Registry.from_module(chain_tools)
CLICK = ("left_click", {"coordinate": [3, 4]})
MISS = ("left_click", {"coordinate": [0, 0]})
TYPE = ("type", {"text": "yes"})
UNKNOWN: tuple[str, dict[str, Any]] = ("levitate", {})


def body(*calls: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """Write a message that asks for actions on the computer, and for one tool beside them."""
    blocks = [
        {"type": "tool_use", "id": f"toolu_{at}", "name": name, "input": arguments}
        | {"toolset_name": "computer"}
        for at, (name, arguments) in enumerate(calls)
    ]
    other = {"type": "tool_use", "id": "toolu_x", "name": "look_up", "input": {"word": "a"}}
    return {"type": "message", "role": "assistant", "content": [*blocks, other]}


def codes(results: list[ToolResult]) -> list[str]:
    """Say how each call ended: its code, or that it succeeded."""
    return [one.error.code if one.error else one.outcome.value for one in results]


def test_actions_of_one_screen_run_in_order_and_none_after_one_that_failed(
    settings: Settings,
) -> None:
    """Across lanes; what is not of the toolset runs all the same."""
    workers = [RunningWorker(settings, lane, tools=chain_tools.__name__) for lane in Lane]
    with Dispatcher(TOOLS, settings) as dispatcher:
        turns = [
            dispatcher.dispatch(body(*calls), provider="anthropic")
            for calls in ((CLICK, TYPE, CLICK), (CLICK, MISS, TYPE, CLICK), (UNKNOWN, TYPE, CLICK))
        ]
        fine, missed, unknown = [turn.gather(timeout=30) for turn in turns]
        said = turns[1].messages()[-1]["content"]
    for worker in workers:
        worker.stop()

    assert codes(fine) == ["succeeded"] * 4
    assert all(
        one.finished_at <= (following.started_at or 0) for one, following in pairwise(fine[:3])
    )
    assert codes(missed) == ["succeeded", "no_window", *["not_executed"] * 2, "succeeded"]
    assert {one.effect for one in missed[2:4]} == {Effect.NONE}
    assert said[2] == {
        "type": "tool_result",
        "tool_use_id": "toolu_2",
        "content": "Not executed: an earlier computer action in this turn failed.",
        "is_error": True,
        "toolset_name": "computer",
    }
    # That one was refused is known before anything is enqueued.
    assert codes(unknown) == ["unknown_tool", "not_executed", "not_executed", "succeeded"]
    assert [one.attempts for one in unknown] == [0, 0, 0, 1]
