"""Cases 29, 30 and 36: many calls at once, in order, spread, and beside each other."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.whole.cases.conftest import Gather
from tests.whole.cases.scenario import MODULES, journal, load_case, word_of
from toolferry import Context, ToolCall, load_tools
from toolferry_dispatcher import AsyncDispatcher, Dispatcher
from toolferry_ledger import Settings


def calling(*calls: tuple[str, str, dict[str, Any]]) -> dict[str, Any]:
    """Write a response that makes calls: the id, the name and the arguments of each."""
    made = [
        {
            "id": call_id,
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for call_id, name, arguments in calls
    ]
    message = {"role": "assistant", "content": None, "tool_calls": made}
    return {"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}


def test_every_call_has_one_result_in_the_models_order(dispatcher: Dispatcher) -> None:
    """Case 30: slow, failing, fast, refused and denied calls, and nothing between their results."""
    _, expect = load_case("30-one-result-per-call-in-order")
    response = calling(
        ("slow", "wait_a_while", {"seconds": 2}),
        ("failing", "behave", {"how": "raises a group"}),
        ("fast", "live", {"text": "fast"}),
        ("unfit", "live", {"text": 7}),
        ("denied", "guarded", {}),
    )
    ids = ["slow", "failing", "fast", "unfit", "denied"]

    turn = dispatcher.dispatch(response, context=Context(roles=frozenset({"guest"})))
    results = turn.gather(timeout=60)
    assistant, *told = turn.messages()

    assert len(results) == expect["results"]
    assert [result.call_id for result in results] == ids
    assert [result.is_error for result in results] == expect["is_error"]
    assert (assistant["role"], {message["role"] for message in told}) == ("assistant", {"tool"})
    assert [message["tool_call_id"] for message in told] == ids


@pytest.mark.slow
def test_calls_that_fail_together_come_back_apart(gather: Gather, tmp_path: Path) -> None:
    """Case 29: no attempt too many, none after the deadline, and no crowd of second attempts."""
    scenario, expect = load_case("29-retry-storm")
    path = tmp_path / "journal"

    results = gather(*[("fail_always", {"journal": str(path)})] * scenario["calls"])

    runs = [(call_id, int(attempt), float(at)) for call_id, attempt, at in journal(path)]
    per_call = Counter(call_id for call_id, _, _ in runs)
    assert max(per_call.values()) <= expect["attempts_per_call_at_most"]
    deadline = results[0].requested_at + scenario["deadline_s"]
    assert sum(at > deadline for _, _, at in runs) == expect["attempts_after_deadline"]
    assert {word_of(result) for result in results} == {expect["all_end"].split()[0]}
    seconds = Counter(int(at) for _, attempt, at in runs if attempt == 2)
    assert max(seconds.values()) <= seconds.total() / 3


async def _longest_gap(until: asyncio.Event) -> float:
    """Tick every 10 ms, and give the longest time between two ticks, in seconds."""
    longest, last = 0.0, time.monotonic()
    while not until.is_set():
        await asyncio.sleep(0.01)
        longest, last = max(longest, time.monotonic() - last), time.monotonic()
    return longest


async def _run_beside_a_ticker(settings: Settings) -> tuple[list[str], float, float]:
    names = ["sleep_a_while", "wait_a_while", "hand_over", "nest"]
    calls = [
        ToolCall(f"c{at}", name, {"seconds": 1} if name.endswith("while") else {})
        for at, name in enumerate(names)
    ]
    done, began = asyncio.Event(), time.monotonic()
    async with AsyncDispatcher(load_tools(MODULES), settings) as dispatcher:
        ticker = asyncio.create_task(_longest_gap(done))
        turn = await dispatcher.dispatch(calls)
        results = await turn.gather(timeout=60)
        done.set()
        gap = await ticker
    return [word_of(result) for result in results], time.monotonic() - began, gap * 1000


@pytest.mark.slow
@pytest.mark.usefixtures("dispatcher")
async def test_sync_and_async_handlers_run_beside_each_other(system: Settings) -> None:
    """Case 36: and the agent's own loop goes on; one of three runs is a quiet one."""
    _, expect = load_case("36-sync-and-async")

    runs = [await _run_beside_a_ticker(system) for _ in range(3)]

    assert {tuple(words) for words, _, _ in runs} == {tuple(expect["outcomes"])}
    assert min(seconds for _, seconds, _ in runs) <= expect["total_seconds_at_most"]
    assert min(gap for _, _, gap in runs) <= expect["longest_tick_gap_ms"]
