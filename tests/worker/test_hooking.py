"""Hooks around a handler and after it, in both lanes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Annotated, Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from pydantic import Field
from structlog.testing import capture_logs

from tests.worker.test_calling import attempt_of
from toolferry import (
    Effect,
    EffectClass,
    Extensions,
    Hooks,
    Outcome,
    Registry,
    RetryPolicy,
    ToolCall,
    ToolResult,
    Verified,
    envelope,
    tool,
)
from toolferry_policies import Accept, Aftermath, Block, Replace, Underway
from toolferry_testing import Raises, Rehearsal
from toolferry_testing.parts import Part
from toolferry_worker.attempt import Attempt
from toolferry_worker.calling import call_async, call_sync

WHERE: ContextVar[str] = ContextVar("where", default="nowhere")
TWICE = RetryPolicy(max_attempts=2)


class Notes(list[str]):
    """What happened, in its order, as hooks and handler write it down."""

    def add(self, number: int) -> int:
        """Add one."""
        self.append(f"handler {WHERE.get()}")
        return number + 1

    @contextmanager
    def outer(self, call: Underway) -> Iterator[None]:
        """Note when it is entered and left, and mark the context."""
        self.append(f"outer in {call.attempt}")
        token = WHERE.set("inside")
        try:
            yield
        except ValueError as error:
            self.append(f"outer saw {error}")
            raise
        finally:
            WHERE.reset(token)
            self.append("outer out")

    @asynccontextmanager
    async def inner(self, call: Underway) -> AsyncIterator[None]:
        """Note the same, async."""
        await asyncio.sleep(0)
        self.append(f"inner in {call.call.arguments}")
        try:
            yield
        finally:
            await asyncio.sleep(0)
            self.append("inner out")

    def accepts(self, came: Aftermath) -> Accept:
        """Note what the model would read."""
        self.append(f"accepts {came.content} of {came.attempt}")
        return Accept()

    async def doubles(self, came: Aftermath) -> Replace:
        """Replace a number by its double."""
        await asyncio.sleep(0)
        return Replace(came.content * 2, "doubled")


@pytest.fixture
def notes() -> Notes:
    """Give a notebook for one test."""
    return Notes()


def run(notes: Notes, hooks: Hooks, part: Part | None = None, **options: Any) -> ToolResult:
    """Run one call of `add`, in process."""
    extensions = Extensions(hooks=[hooks])
    rehearsal = Rehearsal(Registry([tool(notes.add, **options)]), extensions=extensions)
    if part:
        rehearsal.replace("add", part)
    return rehearsal.dispatch([ToolCall("c1", "add", {"number": 1})]).results[0]


def hooked(attempt: Attempt, hooks: Hooks) -> Attempt:
    """Give an attempt with hooks."""
    return replace(attempt, hooks=(hooks,))


def raising(error: BaseException) -> Callable[[Any], Any]:
    """Give a hook that raises."""

    def broken(_told: Any) -> Any:
        raise error

    return broken


@contextmanager
def broken_exit(_call: Underway) -> Iterator[None]:
    """Break when the handler has ended."""
    yield
    raise RuntimeError("the tracer is away")


@contextmanager
def swallowing(_call: Underway) -> Iterator[None]:
    """Swallow what the handler raises."""
    try:
        yield
    except ValueError:
        return


def test_an_attempt_is_wrapped_in_all_hooks(notes: Notes) -> None:
    """The first is the outermost; a sync one reaches the context of the handler."""
    result = run(notes, Hooks(execute=[notes.outer, notes.inner]))

    assert result.content == 2
    assert notes == [
        "outer in 1",
        "inner in {'number': 1}",
        "handler inside",
        "inner out",
        "outer out",
    ]


async def test_an_async_handler_is_wrapped_in_its_own_task(notes: Notes) -> None:
    """What its hooks set is found in its context, as with a sync one."""

    async def handler() -> str:
        """Do what the test is about."""
        await asyncio.sleep(0)
        return WHERE.get()

    attempt = hooked(attempt_of(handler), Hooks(execute=[notes.outer, notes.inner]))

    assert (await call_async(attempt)).content == "inside"
    assert notes == ["outer in 1", "inner in {}", "inner out", "outer out"]


def test_every_attempt_is_wrapped_and_what_was_returned_is_judged_once(notes: Notes) -> None:
    """A hook may see what the handler raised."""
    hooks = Hooks(execute=[notes.outer], post_execute=[notes.accepts])
    part = Raises(ValueError("busy"), times=1, then=7)

    with capture_logs():
        result = run(notes, hooks, part, effect=EffectClass.READ, retry=TWICE)

    assert result.content == 7
    assert notes == [
        "outer in 1",
        "outer saw busy",
        "outer out",
        "outer in 2",
        "outer out",
        "accepts 7 of 2",
    ]


@pytest.mark.parametrize("hook", [swallowing, broken_exit])
def test_the_error_of_a_handler_counts_whatever_its_hooks_do(notes: Notes, hook: Any) -> None:
    """No hook can swallow it, or put its own in its place."""
    with capture_logs():
        result = run(notes, Hooks(execute=[hook]), Raises(ValueError("busy")))

    assert result.error is not None
    assert result.error.code == "execution_failed"
    assert "ValueError" in result.error.message


def test_a_hook_that_cannot_be_entered_keeps_the_handler_from_being_called(notes: Notes) -> None:
    """Those that were entered are left; nothing has happened, and no other attempt follows."""
    hooks = Hooks(execute=[notes.outer, raising(OSError("down")), notes.inner])

    result = run(notes, hooks, retry=TWICE, effect=EffectClass.WRITE)

    assert notes == ["outer in 1", "outer out"]
    assert (result.outcome, result.effect, result.attempts) == (Outcome.FAILED, Effect.NONE, 1)
    assert result.error is not None
    assert result.error.code == "denied"


@pytest.mark.parametrize(
    ("effect_class", "effect"),
    [(EffectClass.READ, Effect.NONE), (EffectClass.WRITE, Effect.COMMITTED)],
)
def test_a_hook_that_breaks_after_the_handler_keeps_its_result_back(
    notes: Notes, effect_class: EffectClass, effect: Effect
) -> None:
    """What has happened is told truthfully: it is not in doubt."""
    result = run(notes, Hooks(execute=[broken_exit]), effect=effect_class)

    told = envelope(result)
    assert (told["ok"], told["error_code"], told["effect"]) == (False, "blocked", effect.value)
    assert told["message"] == "add has run, but a policy could not judge its result."
    assert "content" not in told


def test_hooks_after_a_handler_see_what_those_before_them_made_of_it(notes: Notes) -> None:
    """In their order; the call has succeeded all the same."""
    hooks = Hooks(post_execute=[notes.accepts, notes.doubles, notes.accepts])

    result = run(notes, hooks)

    assert notes == ["handler nowhere", "accepts 2 of 1", "accepts 4 of 1"]
    assert (result.outcome, result.content) == (Outcome.SUCCEEDED, 4)


def test_what_replaces_a_result_keeps_to_the_limits_of_its_tool(notes: Notes) -> None:
    """It is cut as the handler's own would be."""
    hooks = Hooks(post_execute=[lambda _came: Replace("x" * 5000, "padded")])

    result = run(notes, hooks, max_result_bytes=1024)

    assert result.truncated
    assert len(result.content) == 1022


def test_a_blocked_result_is_a_failure_that_says_why(notes: Notes) -> None:
    """The hooks after it are not asked, and what was returned is logged nowhere but its size."""
    hooks = Hooks(
        post_execute=[lambda _came: Block("it names a customer"), notes.accepts], tools=["add"]
    )

    with capture_logs() as logs:
        result = run(notes, hooks, effect=EffectClass.WRITE)

    told = envelope(result)
    assert told["message"] == "add has run, but it is withheld: it names a customer."
    assert (told["error_code"], told["effect"], told["retryable"]) == (
        "blocked",
        "committed",
        False,
    )
    assert notes == ["handler nowhere"]
    blocked = next(line for line in logs if line["event"] == "result.blocked")
    assert blocked["bytes"] == 1


def test_what_a_hook_says_of_a_secret_is_taken_out_of_it() -> None:
    """Of its reason, of what takes the place of a result, and of the log."""
    planted = "c4na-ry-0815"

    @tool
    def log_in(password: Annotated[str, Field(json_schema_extra={"writeOnly": True})]) -> str:
        """Log in."""
        return f"in, with {len(password)} characters"

    def words_of(hook: Any) -> str:
        rehearsal = Rehearsal(
            Registry([log_in]), extensions=Extensions(hooks=[Hooks(post_execute=[hook])])
        )
        with capture_logs() as logs:
            turn = rehearsal.dispatch([ToolCall("c1", "log_in", {"password": planted})])
        return f"{turn.results[0]} {logs}"

    assert planted not in words_of(lambda came: Block(f"it has {came.call.arguments['password']}."))
    assert planted not in words_of(lambda came: Replace(dict(came.call.arguments), "instead"))


class Rethrowing:
    """A hook's manager that raises what it is told, as some do."""

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Raise it."""
        if error:
            raise error


@pytest.mark.parametrize("error", [ValueError("busy"), SoftTimeLimitExceeded()])
def test_all_managers_are_left_whatever_one_of_them_raises(
    notes: Notes, error: BaseException
) -> None:
    """Also when it is what ends the attempt."""
    hooks = Hooks(execute=[notes.outer, lambda _call: Rethrowing(), notes.inner])

    with capture_logs():
        run(notes, hooks, Raises(error))

    assert notes.count("outer out") == notes.count("inner out") > 0
    assert notes[-1] == "outer out"


class Hanging:
    """A hook's manager that hangs where it is told to."""

    def __init__(self, where: str) -> None:
        self._where = where
        self.hangs = asyncio.Event()

    def __call__(self, _call: Underway) -> Hanging:
        """Give itself."""
        return self

    async def __aenter__(self) -> None:
        """Hang, or not."""
        await self._pass("in")

    async def __aexit__(self, *_: object) -> None:
        """Hang, or not."""
        await self._pass("out")

    async def _pass(self, where: str) -> None:
        if where == self._where:
            self.hangs.set()
            await asyncio.Event().wait()


@pytest.mark.parametrize("where", ["in", "out"])
async def test_all_managers_are_left_of_an_attempt_that_is_ended_in_a_hook(
    notes: Notes, where: str
) -> None:
    """By its limit or a cancellation, while one of them hangs."""

    async def handler() -> None:
        """Do nothing."""

    hanging = Hanging(where)
    hooks = Hooks(execute=[notes.outer, hanging], within=60)
    ends = asyncio.create_task(call_async(hooked(attempt_of(handler), hooks)))
    await hanging.hangs.wait()

    ends.cancel()

    assert (await ends).outcome is not Outcome.SUCCEEDED
    assert notes == ["outer in 1", "outer out"]


def test_what_was_found_to_have_happened_has_happened_though_it_is_withheld() -> None:
    """A `verify` that finds the effect of a call in doubt, and a hook that blocks what it gives."""

    @tool(effect=EffectClass.WRITE, verify=lambda: Verified(Effect.COMMITTED, "receipt"))
    def pay() -> str:
        """Pay."""
        raise OSError("the line broke")

    hooks = Hooks(post_execute=[lambda came: Block(f"no {came.content}")])
    with capture_logs():
        turn = Rehearsal(Registry([pay]), extensions=Extensions(hooks=[hooks])).dispatch(
            [ToolCall("c1", "pay", {})]
        )

    told = envelope(turn.results[0])
    assert (told["error_code"], told["effect"]) == ("blocked", "committed")
    assert told["message"] == "pay has run, but it is withheld: no receipt."


def test_hooks_of_other_tools_are_not_asked(notes: Notes) -> None:
    """They cost a call nothing."""
    hooks = Hooks(
        execute=[notes.outer],
        post_execute=[lambda _came: Block("no")],
        pre_execute=[raising(OSError())],
        tools={"subtract"},
    )

    assert run(notes, hooks).content == 2
    assert notes == ["handler nowhere"]


def test_a_hook_cannot_change_a_result_in_passing() -> None:
    """Only its answer can."""

    def meddles(came: Aftermath) -> Accept:
        came.content.append("more")
        came.call.arguments["number"] = 9  # type: ignore[index]  # what a hook must not do
        return Accept()

    hooks = Hooks(post_execute=[meddles])
    attempt = hooked(attempt_of(lambda: [1]), hooks)

    assert call_sync(attempt).content == [1]
