"""Calling handlers: whatever they do, it is the end of an attempt."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from structlog.testing import capture_logs

from tests.worker.caller import make_spec
from toolferry import (
    CancelCall,
    Effect,
    EffectClass,
    Outcome,
    Registry,
    RetryCall,
    Tool,
    ToolCall,
    ToolError,
    tool,
)
from toolferry_ledger import Claim
from toolferry_policies import AttemptEnd
from toolferry_testing import Rehearsal
from toolferry_worker.attempt import Attempt
from toolferry_worker.calling import call_async, call_sync
from toolferry_worker.capture import install_capture


def attempt_of(handler: Callable[..., Any], **options: Any) -> Attempt:
    """Give an attempt of a tool with this handler."""
    tool = Tool(name="sample", handler=handler, **options)
    spec = make_spec(tool, "t", 0, {})
    claim = Claim("t:0", 1, b"", "", 1, 1000.0, 1001.0, 1120.0, tool.timeout)
    return Attempt(claim, 0.0, spec, tool, ((), {}))


def raising(error: BaseException) -> Callable[[], None]:
    """Give a handler that raises."""

    def handler() -> None:
        raise error

    return handler


def end_of(error: BaseException, **options: Any) -> AttemptEnd:
    """Say how an attempt ends whose handler raises this."""
    return call_sync(attempt_of(raising(error), **options))


def code_of(end: AttemptEnd) -> str:
    """Give the error code of an end."""
    assert end.error is not None
    return end.error.code


def test_what_is_returned_is_the_content() -> None:
    """A sync handler's value becomes JSON data."""
    end = call_sync(attempt_of(lambda: (1, 2)))

    assert (end.outcome, end.content) == (Outcome.SUCCEEDED, [1, 2])


async def test_an_async_handler_is_awaited() -> None:
    """So does an async handler's."""

    async def handler() -> str:
        """Do what the test is about."""
        await asyncio.sleep(0)
        return "done"

    end = await call_async(attempt_of(handler))

    assert (end.outcome, end.content) == (Outcome.SUCCEEDED, "done")


def test_an_async_handler_has_a_loop_of_its_own_in_a_child() -> None:
    """Without a running loop one is made for the call."""

    async def handler() -> str:
        """Do what the test is about."""
        await asyncio.sleep(0)
        return "done"

    assert call_sync(attempt_of(handler)).content == "done"


@pytest.mark.parametrize(
    "error",
    [ValueError("secret"), SystemExit(1), KeyboardInterrupt(), GeneratorExit(), MemoryError()],
    ids=lambda error: type(error).__name__,
)
def test_any_exception_is_a_failure_whose_text_stays_here(error: BaseException) -> None:
    """The model reads the kind and a reference; the log has the rest under the reference."""
    with capture_logs() as logs:
        end = end_of(error)

    assert (end.outcome, code_of(end), end.retryable) == (Outcome.FAILED, "execution_failed", True)
    assert end.error is not None
    assert [log["event"] for log in logs] == ["attempt.started", "attempt.failed"]
    assert logs[1]["reference"] in end.error.message
    assert type(error).__name__ in end.error.message
    assert "secret" not in end.error.message


async def test_a_cancellation_by_the_handler_itself_is_a_failure() -> None:
    """Nobody else had asked for it."""

    async def handler() -> None:
        """Do what the test is about."""
        raise asyncio.CancelledError

    end = await call_async(attempt_of(handler))

    assert (end.outcome, code_of(end)) == (Outcome.FAILED, "execution_failed")


def test_an_exception_that_the_tool_calls_final_is_not_retried() -> None:
    """Another attempt cannot help."""
    assert not end_of(KeyError("x"), non_retryable=(LookupError,)).retryable


def test_a_tool_error_is_handed_to_the_model() -> None:
    """Code, message, suggestion, and whether it may be tried again."""
    end = end_of(ToolError("busy", "Come back later.", retryable=True, suggestion="Wait."))

    assert end.error is not None
    assert (end.error.code, end.error.message) == ("busy", "Come back later.")
    assert (end.error.suggestion, end.retryable) == ("Wait.", True)


def test_a_handler_that_asks_for_another_attempt_says_when_and_what_it_did() -> None:
    """RetryCall carries the wait and the handler's word on its effect."""
    end = end_of(RetryCall(after=3.0, effect=Effect.NONE))

    assert (end.asked, end.after, end.effect) == (True, 3.0, Effect.NONE)


def test_a_handler_may_end_its_call_as_cancelled() -> None:
    """CancelCall carries the reason."""
    end = end_of(CancelCall("Changed my mind."))

    assert end.outcome is Outcome.CANCELLED
    assert end.error is not None
    assert end.error.message == "Changed my mind."


def test_the_soft_limit_is_a_timeout() -> None:
    """A handler that lets it through has timed out."""
    end = end_of(SoftTimeLimitExceeded())

    assert (end.outcome, code_of(end)) == (Outcome.TIMED_OUT, "timeout")


def test_what_cannot_become_json_is_a_bad_result_and_final() -> None:
    """The handler would return the same again."""
    end = call_sync(attempt_of(object))

    assert (code_of(end), end.retryable) == ("bad_result", False)


def test_what_a_handler_prints_is_told_with_its_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """One event for all of it."""
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    install_capture()

    with capture_logs() as logs:
        call_sync(attempt_of(lambda: print("hello")))  # noqa: T201 -- that is what it is about

    assert [log["event"] for log in logs] == ["attempt.started", "handler.printed"]
    assert logs[1]["text"] == "hello\n"


@pytest.mark.parametrize("effect", EffectClass)
def test_a_result_that_does_not_fit_its_schema_is_not_tried_again(effect: EffectClass) -> None:
    """Its effect is that of a call whose handler broke; nothing that it returned is told."""

    @tool(result_schema={"type": "integer"}, effect=effect, confirm=False, idempotent=True)
    def count() -> str:
        """Count."""
        return "hunter2"

    rehearsal = Rehearsal(Registry([count]))
    [result] = rehearsal.dispatch([ToolCall("c1", "count", {})]).results

    assert result.error is not None
    assert (result.error.code, result.attempts, len(rehearsal.handled)) == ("bad_result", 1, 1)
    assert result.effect is (Effect.NONE if effect is EffectClass.READ else Effect.POSSIBLE)
    assert "hunter2" not in str(result)
