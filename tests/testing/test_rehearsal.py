"""The rehearsal: turns in process, with real checks and replaced handlers."""

from __future__ import annotations

import json
from typing import Annotated, Any, cast

import pytest
from pydantic import AfterValidator

from tests.dispatcher.samples import make_registry, response
from toolferry import (
    Context,
    Effect,
    EffectClass,
    ErrorCode,
    Outcome,
    Registry,
    RetryCall,
    ToolCall,
    ToolContext,
    ToolError,
    Trim,
    Verified,
    tool,
)
from toolferry_dispatcher import result_tools
from toolferry_testing import Delays, Raises, Rehearsal, Returns, TimesOut

OSLO = ("look_up", {"city": "Oslo"})


@pytest.fixture
def rehearsal() -> Rehearsal:
    """Give a rehearsal with the dispatcher's sample tools."""
    return Rehearsal(make_registry())


def test_a_handler_that_is_not_replaced_really_runs(rehearsal: Rehearsal) -> None:
    """Arguments are parsed, defaults filled in, and the handler's result comes back."""
    turn = rehearsal.dispatch(response(OSLO))

    assert turn.calls == (ToolCall("call_0", "look_up", {"city": "Oslo"}),)
    assert turn.results[0].content == "Oslo: 1"


def test_a_replaced_handler_is_not_called(rehearsal: Rehearsal) -> None:
    """Its part is played instead, and the result is shaped as the real one would be."""
    turn = rehearsal.replace("look_up", Returns({"rain"})).dispatch(response(OSLO))

    assert turn.results[0].content == ["rain"]
    assert [call.name for call in rehearsal.handled] == ["look_up"]


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (("look_up", {}), ErrorCode.SCHEMA),
        (("look_up", {"city": 7}), ErrorCode.SCHEMA),
        (("look_up", "not json"), ErrorCode.INVALID_JSON),
        (("unheard_of", {}), ErrorCode.UNKNOWN_TOOL),
        (("cancel_order", {"order_id": 1}), ErrorCode.DENIED),
    ],
)
def test_a_refused_call_never_reaches_its_handler(
    rehearsal: Rehearsal, call: tuple[str, object], code: ErrorCode
) -> None:
    """A missing field, a wrong type, bad JSON, an unknown tool, a missing permission."""
    turn = rehearsal.dispatch(response(call))

    assert turn.results[0].error is not None
    assert turn.results[0].error.code == code
    assert rehearsal.handled == []


def test_a_tool_that_was_not_visible_never_reaches_its_handler(rehearsal: Rehearsal) -> None:
    """A model may only call what it was shown."""
    turn = rehearsal.dispatch(response(OSLO), visible={"write_file"})

    assert turn.results[0].error is not None
    assert turn.results[0].error.code == ErrorCode.TOOL_NOT_ALLOWED
    assert rehearsal.handled == []


def test_the_context_decides_what_is_permitted(rehearsal: Rehearsal) -> None:
    """With the permission the same call runs."""
    context = Context(permissions=frozenset({"orders:write"}))
    turn = rehearsal.dispatch(response(("cancel_order", {"order_id": 1})), context=context)

    assert turn.results[0].outcome is Outcome.SUCCEEDED


def test_a_handler_that_fails_twice_is_tried_a_third_time(rehearsal: Rehearsal) -> None:
    """Attempts follow the tool's own policy; nobody waits for the backoff."""
    rehearsal.replace("look_up", Raises(ConnectionError(), times=2, then="sun"))

    turn = rehearsal.dispatch(response(OSLO))

    assert (turn.results[0].outcome, turn.results[0].attempts) == (Outcome.SUCCEEDED, 3)
    assert turn.results[0].finished_at > turn.results[0].requested_at


def test_an_error_for_the_model_comes_back_in_its_words(rehearsal: Rehearsal) -> None:
    """`ToolError` is the only exception whose text a model reads."""
    error = ToolError("not_found", "There is no such city.", suggestion="Ask for another.")
    rehearsal.replace("look_up", Raises(error))

    (_, answer) = rehearsal.dispatch(response(OSLO)).messages()

    assert json.loads(answer["content"]) == {
        "ok": False,
        "error_code": "not_found",
        "message": "There is no such city.",
        "retryable": False,
        "suggestion": "Ask for another.",
        "effect": "none",
    }


def test_any_other_error_keeps_its_text(rehearsal: Rehearsal) -> None:
    """What an exception says may hold a secret."""
    rehearsal.replace("look_up", Raises(ValueError("password=hunter2")))

    (_, answer) = rehearsal.dispatch(response(OSLO)).messages()

    assert "hunter2" not in answer["content"]


def test_a_write_that_failed_is_not_tried_again(rehearsal: Rehearsal) -> None:
    """It may have happened: the model is told so."""
    rehearsal.replace("write_file", Raises(OSError()))

    turn = rehearsal.dispatch(response(("write_file", {"path": "a"})))

    assert (turn.results[0].attempts, turn.results[0].effect) == (1, Effect.POSSIBLE)


def test_a_write_that_says_it_did_nothing_is_tried_again(rehearsal: Rehearsal) -> None:
    """The handler's word that nothing happened permits another attempt."""
    rehearsal.replace("write_file", Raises(RetryCall(effect=Effect.NONE), times=1))

    turn = rehearsal.dispatch(response(("write_file", {"path": "a"})))

    assert (turn.results[0].attempts, turn.results[0].effect) == (2, Effect.COMMITTED)


@pytest.mark.parametrize("part", [TimesOut(), Delays(seconds=31)])
def test_a_handler_that_takes_too_long_is_timed_out(
    rehearsal: Rehearsal, part: TimesOut | Delays
) -> None:
    """The limit is the tool's own, and no second of it is waited for."""
    turn = rehearsal.replace("look_up", part).dispatch(response(OSLO))

    assert turn.results[0].outcome is Outcome.TIMED_OUT
    assert turn.results[0].finished_at - turn.results[0].requested_at == 30


def test_a_delay_within_the_limit_is_no_timeout(rehearsal: Rehearsal) -> None:
    """A slow handler's result is its result."""
    turn = rehearsal.replace("look_up", Delays(29, "late sun")).dispatch(response(OSLO))

    assert turn.results[0].content == "late sun"


def test_messages_are_what_a_dispatcher_would_send(rehearsal: Rehearsal) -> None:
    """The assistant message as received, then one result per call."""
    received = response(OSLO, OSLO)

    messages = rehearsal.dispatch(received).messages()

    assert messages[0] == received["choices"][0]["message"]
    assert [m["tool_call_id"] for m in messages[1:]] == ["call_0", "call_1"]


def test_a_final_answer_runs_nothing(rehearsal: Rehearsal) -> None:
    """A response without calls is told from one with them."""
    turn = rehearsal.dispatch(response(finish="stop", content="Hello."))

    assert (turn.kind, turn.results) == ("final", ())


async def test_a_rehearsal_works_inside_a_running_loop(rehearsal: Rehearsal) -> None:
    """Async applications can use it from their async tests."""
    assert rehearsal.dispatch(response(OSLO)).results[0].outcome is Outcome.SUCCEEDED


def test_a_handler_gets_its_context() -> None:
    """Identity, attempt and key are there; progress goes nowhere."""

    @tool
    def who(ctx: ToolContext) -> list[str]:
        """Say who asks."""
        ctx.progress(0.5, "half way")
        return [ctx.identity.principal, ctx.call_key, str(ctx.attempt)]

    turn = Rehearsal(Registry([who])).dispatch(
        [ToolCall("a", "who")], context=Context(principal="ada"), turn_id="t"
    )

    assert turn.results[0].content == ["ada", "t:0", "1"]


def test_only_a_registered_tool_can_be_replaced(rehearsal: Rehearsal) -> None:
    """A part for a misspelt name is told at once."""
    with pytest.raises(KeyError, match="lookup"):
        rehearsal.replace("lookup", Returns(1))


def test_a_validator_that_breaks_is_a_result_like_any_other() -> None:
    """What a tool's own types raise while arguments are bound ends that call alone."""

    def divide(value: int) -> int:
        return value // 0

    @tool
    def halve(number: Annotated[int, AfterValidator(divide)]) -> int:
        """Halve a number."""
        return number // 2

    turn = Rehearsal(Registry([halve])).dispatch([ToolCall("a", "halve", {"number": 4})])

    result = turn.results[0]
    assert (result.outcome, result.effect) == (Outcome.FAILED, Effect.NONE)
    assert result.error is not None
    assert result.error.code == ErrorCode.EXECUTION_FAILED


@pytest.mark.parametrize(
    "error", [RetryCall(after=cast("Any", "soon")), RetryCall(effect=cast("Any", "maybe"))]
)
def test_a_signal_that_makes_no_sense_is_an_error(rehearsal: Rehearsal, error: RetryCall) -> None:
    """The handler failed; nobody else does."""
    rehearsal.replace("look_up", Raises(error))

    result = rehearsal.dispatch(response(OSLO)).results[0]

    assert result.error is not None
    assert result.error.code == ErrorCode.EXECUTION_FAILED


def test_what_a_handler_tells_the_model_is_cut(rehearsal: Rehearsal) -> None:
    """An error's sentence is a sentence, however much was written."""
    rehearsal.replace("look_up", Raises(ToolError("too_much", "y" * 100_000 + "\ud800")))

    result = rehearsal.dispatch(response(OSLO)).results[0]

    assert result.error is not None
    assert len(result.error.message) == 2000


def test_what_handlers_share_is_handed_in() -> None:
    """A fake in the place of what a lifespan provides; nothing is started."""

    @tool
    def read(ctx: ToolContext) -> list[str]:
        """Read the names."""
        return sorted(ctx.resource(dict))

    turn = Rehearsal(Registry([read]), resources={dict: {"b": 1, "a": 2}}).dispatch(
        [ToolCall("a", "read")]
    )

    assert turn.results[0].content == ["a", "b"]


def test_what_is_not_known_of_a_replaced_handler_is_found_out() -> None:
    """The tool's own `verify` really runs, after a timeout that nobody waits for."""

    async def find(amount: int, ctx: ToolContext) -> Verified:
        """Look."""
        return Verified(Effect.COMMITTED, [amount, ctx.attempt])

    @tool(effect=EffectClass.WRITE, verify=find)
    async def pay(amount: int) -> None:
        """Pay."""

    rehearsal = Rehearsal(Registry([pay])).replace("pay", TimesOut())

    (result,) = rehearsal.dispatch([ToolCall("c", "pay", {"amount": 7})]).results

    assert (result.outcome, result.effect) == (Outcome.SUCCEEDED, Effect.COMMITTED)
    assert (result.content, len(rehearsal.handled)) == ([7, 1], 1)


def test_a_result_that_was_cut_is_read_on() -> None:
    """In the turns that follow."""

    @tool(trim=Trim(max_tokens=16))
    async def count(to: int) -> str:
        """Count."""
        return " ".join(map(str, range(to)))

    rehearsal = Rehearsal(Registry([count, *result_tools()]))
    [first] = rehearsal.dispatch([ToolCall("a", "count", {"to": 99})]).results

    page = ToolCall("b", "result.read", {"cursor": first.next_cursor})
    other = Context(principal="bob")
    [rest] = rehearsal.dispatch([page]).results
    [refused] = rehearsal.dispatch([page], context=other).results

    assert first.content + rest.content == " ".join(map(str, range(99)))
    assert refused.error is not None
    assert refused.error.code == "no_such_result"
