"""Views: what people see of a result, made by the tool; nothing it does harms the result."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from structlog.testing import capture_logs

from tests.worker.caller import Caller
from tests.worker.test_calling import attempt_of
from toolferry import Answer, Outcome, ToolError
from toolferry.view import MAX_VIEW
from toolferry_policies import AttemptEnd
from toolferry_worker.calling import call_async, call_sync

ROWS = [{"id": 1}, {"id": 2}]


def end_with(render_result: Callable[[Any], Any], value: Any = ROWS, **options: Any) -> AttemptEnd:
    """Say how an attempt ends whose tool makes views."""
    return call_sync(attempt_of(lambda: value, render_result=render_result, **options))


def raising(error: BaseException) -> Callable[[Any], str]:
    """Give a `render_result` that raises."""

    def render(_: Any) -> str:
        raise error

    return render


def test_people_see_what_the_tool_makes_of_its_value() -> None:
    """Beside the content, which stays as it is."""
    end = end_with(lambda rows: f"{len(rows)} rows")

    assert (end.content, end.view) == (ROWS, "2 rows")


def test_people_do_not_see_what_the_tool_names_as_nobody_s_business() -> None:
    """A pattern counts for every text of a result, also for the one that is made for people."""
    end = end_with(lambda rows: f"ann, {rows}", "123-4567", redact=[re.compile(r"\d{3}-\d{4}")])

    assert (end.content, end.view) == ("[redacted]", "ann, [redacted]")


async def test_an_async_handler_has_views_too() -> None:
    """Both lanes make them alike."""

    async def handler() -> list[int]:
        """Do what the test is about."""
        return [1, 2, 3]

    end = await call_async(attempt_of(handler, render_result=str))
    assert end.view == "[1, 2, 3]"


def test_people_see_the_value_before_the_adapter() -> None:
    """The model may get less; people get it from the whole, an answer as an answer."""
    seen: list[Any] = []
    value = Answer(content=ROWS, source="table:rows")

    def render(one: Any) -> str:
        seen.append(one)
        return "all"

    end = end_with(render, value, adapter=lambda _: "2 rows")

    assert (seen, end.content, end.view) == ([value], "2 rows", "all")


@pytest.mark.parametrize(
    "error",
    [ValueError("x"), ToolError("no", "No."), SystemExit(1), MemoryError(), RecursionError()],
    ids=lambda error: type(error).__name__,
)
def test_a_view_that_raises_harms_no_result(error: BaseException) -> None:
    """People see the content in short instead."""
    end = end_with(raising(error))

    assert (end.outcome, end.content, end.view) == (Outcome.SUCCEEDED, ROWS, None)


@pytest.mark.parametrize("rendered", [None, 7, b"x", ["x"]])
def test_a_view_that_is_no_text_harms_no_result(rendered: Any) -> None:
    """So with what a `render_result` forgets to return."""
    end = end_with(lambda _: rendered)

    assert (end.outcome, end.content, end.view) == (Outcome.SUCCEEDED, ROWS, None)


def test_a_view_that_is_a_coroutine_harms_no_result() -> None:
    """An async function behind a plain one is told as no text, without a warning."""

    async def late() -> str:
        """Come too late."""
        return "late"

    end = end_with(lambda _: late())

    assert (end.outcome, end.view) == (Outcome.SUCCEEDED, None)


def test_a_view_of_fifty_megabytes_is_cut() -> None:
    """The ledger keeps a screen of it."""
    end = end_with(lambda _: "x" * 50_000_000)

    assert end.view is not None
    assert len(end.view) == MAX_VIEW


def test_a_view_cannot_change_the_result() -> None:
    """The content was taken before."""
    end = end_with(lambda rows: rows.clear() or "gone", [1, 2])

    assert (end.content, end.view) == ([1, 2], "gone")


def test_a_broken_view_is_told_once_with_its_traceback() -> None:
    """A thousand calls fill no log."""
    attempt = attempt_of(lambda: 1, render_result=raising(ValueError("why")))

    with capture_logs() as logs:
        for _ in range(3):
            call_sync(attempt)

    [told] = [log for log in logs if log["event"] == "view.failed"]
    assert (told["tool"], str(told["exc_info"])) == ("sample", "why")


def test_a_failure_has_no_view() -> None:
    """There is no value to see."""
    attempt = attempt_of(lambda: 1 // 0, render_result=str)

    assert call_sync(attempt).view is None


def test_the_limit_stops_a_view() -> None:
    """It is part of the attempt."""
    end = end_with(raising(SoftTimeLimitExceeded()))

    assert end.outcome is Outcome.TIMED_OUT


def test_a_view_that_hangs_is_stopped_at_the_limit_of_its_attempt(shared: Caller) -> None:
    """A worker gets its child back, and runs on."""
    [hung, seen] = shared.run(("hang_in_view", {}), ("count_for_people", {"number": 3}))

    assert hung.outcome is Outcome.TIMED_OUT
    assert (seen.content, seen.view) == (3, "3 things")
