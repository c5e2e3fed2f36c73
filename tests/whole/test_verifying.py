"""Verifying: a worker finds out, once, what a call did of which nobody knows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.whole import verify_tools
from tests.whole.cases.scenario import journal, workers
from toolferry import (
    Effect,
    EffectClass,
    ErrorCode,
    Lane,
    Outcome,
    Registry,
    ToolCall,
    ToolResult,
    Verified,
    envelope,
    tool,
)
from toolferry.result import DOUBT
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Keeping, Settings
from toolferry_testing import Rehearsal

TOOLS = Registry.from_module(verify_tools)
POSSIBLE = ["possible", "nonsense", "raises", "hangs"]


@pytest.fixture(scope="module")
def staffed(request: pytest.FixtureRequest) -> Iterator[Settings]:
    """Run a worker of each lane, in a system of this module."""
    server = request.getfixturevalue("server")
    home = request.getfixturevalue("tmp_path_factory").mktemp("verifying")
    settings = Settings(
        url=server.url, secret=server.secret.encode(), namespace="verifying", home=home
    )
    with workers(settings, *Lane, tools=verify_tools.__name__):
        yield settings


def pay(settings: Settings, tool: str, how: str, finding: str, path: Path) -> ToolResult:
    """Have a call paid, and give what is told of it."""
    arguments = {"how": how, "finding": finding, "journal": str(path)}
    with Dispatcher(TOOLS, settings) as dispatcher:
        (result,) = dispatcher.dispatch([ToolCall("c", tool, arguments)]).gather(timeout=60)
    return result


@pytest.mark.parametrize("how", ["raises", "dies", "hangs"])
def test_what_turns_out_to_have_happened_has_succeeded(
    staffed: Settings, tmp_path: Path, how: str
) -> None:
    """With what was found; the handler ran once, and both had the same key."""
    path = tmp_path / "journal"

    result = pay(staffed, "pay", how, "paid", path)

    assert (result.outcome, result.effect) == (Outcome.SUCCEEDED, Effect.COMMITTED)
    assert (result.content, result.attempts) == ({"receipt": 17}, 1)
    (paid, key), (looked, same) = journal(path)
    assert (paid, looked, key) == ("pay", "verify", same)


@pytest.mark.parametrize(
    ("how", "outcome"),
    [("raises", Outcome.FAILED), ("dies", Outcome.LOST), ("hangs", Outcome.TIMED_OUT)],
)
def test_what_turns_out_not_to_have_happened_ends_without_an_effect(
    staffed: Settings, tmp_path: Path, how: str, outcome: Outcome
) -> None:
    """The model may ask again; the handler is not run again by itself."""
    path = tmp_path / "journal"

    result = pay(staffed, "pay", how, "none", path)
    told = envelope(result)

    assert (result.outcome, result.effect) == (outcome, Effect.NONE)
    assert (told["retryable"], told["effect"]) == (True, "none")
    assert told["message"].endswith("It did not happen.")
    assert [line[0] for line in journal(path)] == ["pay", "verify"]


@pytest.mark.parametrize("tool", ["pay", "pay_on_loop"])
@pytest.mark.parametrize("finding", POSSIBLE)
def test_what_cannot_be_found_out_stays_possible(
    staffed: Settings, tmp_path: Path, tool: str, finding: str
) -> None:
    """It ends as it did; nobody looks twice, and the handler never runs again."""
    path = tmp_path / "journal"

    result = pay(staffed, tool, "raises", finding, path)

    assert (result.outcome, result.effect) == (Outcome.FAILED, Effect.POSSIBLE)
    assert result.error is not None
    assert result.error.message.count(DOUBT) == 1
    assert [line[0] for line in journal(path)] == ["pay", "verify"]


def test_what_has_happened_has_so_when_what_is_told_of_it_fits_no_schema() -> None:
    """Only its result is lost; the model is not told that nobody knows."""

    def look() -> Verified:
        return Verified(Effect.COMMITTED, {"receipt": "seventeen"})

    @tool(
        effect=EffectClass.WRITE,
        verify=look,
        result_schema={"properties": {"receipt": {"type": "integer"}}},
    )
    def settle_up() -> None:
        """Pay."""
        raise ValueError("the line broke")

    rehearsal = Rehearsal(Registry([settle_up]))
    [result] = rehearsal.dispatch([ToolCall("c", "settle_up", {})]).results

    assert (result.outcome, result.effect) == (Outcome.FAILED, Effect.COMMITTED)
    assert result.error is not None
    assert (result.error.code, result.error.retryable) == (ErrorCode.BAD_RESULT, False)
    assert DOUBT not in result.error.message


def test_a_verify_that_kills_its_process_is_not_tried_again(
    staffed: Settings, tmp_path: Path
) -> None:
    """The doubt is the result."""
    path = tmp_path / "journal"

    result = pay(staffed, "pay", "raises", "dies", path)

    assert (result.outcome, result.effect) == (Outcome.FAILED, Effect.POSSIBLE)
    assert [line[0] for line in journal(path)] == ["pay", "verify"]


def test_calls_of_a_dead_worker_are_looked_up_by_another(
    settings: Settings, tmp_path: Path
) -> None:
    """The machine that ran it may be gone; who judges it has no code of the tool."""
    quick = replace(settings, keeping=Keeping(lease=1.0))
    path, tools = tmp_path / "journal", verify_tools.__name__

    with workers(quick, Lane.ASYNC, tools=tools), workers(quick, Lane.ASYNC, tools=tools):
        result = pay(quick, "pay_on_loop", str(tmp_path), "committed", path)

    assert (result.outcome, result.effect) == (Outcome.SUCCEEDED, Effect.COMMITTED)
    assert [line[0] for line in journal(path)] == ["pay", "verify"]
