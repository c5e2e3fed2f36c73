"""A tool's `verify`: what it may be, what it is given, and what it may say."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from tests.contract.samples import made
from toolferry import (
    Context,
    Effect,
    EffectClass,
    Registry,
    Tool,
    ToolContext,
    ToolInvalid,
    Verified,
    read_finding,
    tool,
)

CTX = ToolContext(
    identity=Context(),
    turn_id="t",
    call_id="c",
    call_key="t:0",
    attempt=1,
    deadline=0.0,
    idempotency_key="key",
)


def book(day: date, seats: int, ctx: ToolContext) -> str:
    """Book seats."""
    return f"{day} {seats} {ctx.call_id}"


def find(ctx: ToolContext, day: date, note: str = "") -> Verified:
    """Look whether seats were booked."""
    return Verified(Effect.POSSIBLE, [ctx.call_id, str(day), note])


def find_more(day: date, price: int) -> Verified:
    """Look for what the handler knows nothing of."""
    return Verified(Effect.NONE, [str(day), price])


async def find_later(day: date) -> Verified:
    """Look, on a loop."""
    return Verified(Effect.NONE, str(day))


def booking(verify: Any) -> Tool:
    """Give a tool with a `verify`."""
    return tool(effect=EffectClass.WRITE, verify=verify)(book)


def test_verify_gets_those_of_the_arguments_that_it_names() -> None:
    """As the handler's type hints say, with the context; its own defaults stay."""
    args, kwargs = booking(find).bind_verify({"day": "2025-11-29", "seats": 2}, CTX)

    assert (args, kwargs) == ((), {"day": date(2025, 11, 29), "ctx": CTX})


def test_verify_of_an_explicit_schema_gets_json_data() -> None:
    """As its handler does."""
    schema = {
        "type": "object",
        "properties": {"day": {"type": "string"}, "seats": {"type": "integer"}},
        "required": ["day", "seats"],
    }
    made_ = made(schema, handler=book, verify=find)

    _, kwargs = made_.bind_verify({"day": "2025-11-29", "seats": 2}, CTX)

    assert kwargs == {"day": "2025-11-29", "ctx": CTX}


@pytest.mark.parametrize(
    ("verify", "words"),
    [
        (find_more, "needs price, which the handler does not take"),
        (7, "must be a function"),
    ],
)
def test_a_verify_that_cannot_be_called_is_refused(verify: Any, words: str) -> None:
    """When the tool is made or registered, not when it is needed."""
    with pytest.raises(ToolInvalid, match=words):
        Registry([booking(verify)])


def test_a_verify_of_the_async_lane_is_async() -> None:
    """Another would stall the loop."""

    async def book_later(day: date) -> str:
        """Book."""
        return str(day)

    with pytest.raises(ToolInvalid, match="verify is not async"):
        tool(verify=find)(book_later)
    assert tool(verify=find_later)(book_later).verifiable


def test_a_tool_with_a_verify_is_another_one() -> None:
    """A worker that could not find out must not run its calls; without one nothing changed."""
    without, with_one = tool(effect=EffectClass.WRITE)(book), booking(find)

    assert (without.verifiable, with_one.verifiable) == (False, True)
    assert without.digest != with_one.digest


@pytest.mark.parametrize(
    ("said", "read"),
    [
        (Effect.COMMITTED, Verified(Effect.COMMITTED)),
        ("none", Verified(Effect.NONE)),
        (Verified(Effect.COMMITTED, [1]), Verified(Effect.COMMITTED, [1])),
        (Verified("possible"), Verified(Effect.POSSIBLE)),  # type: ignore[arg-type]  # plain text
    ],
)
def test_a_finding_is_an_effect_with_or_without_content(said: object, read: Verified) -> None:
    """Also as plain text."""
    assert read_finding(said) == read


@pytest.mark.parametrize("said", [None, True, "yes", {"effect": "none"}])
def test_anything_else_is_no_finding(said: object) -> None:
    """Who says nothing clear clears nothing."""
    with pytest.raises(ValueError, match="Effect"):
        read_finding(said)
