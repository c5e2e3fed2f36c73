"""A Pydantic AI agent whose tools run on workers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import (
    Agent,
    BinaryContent,
    ModelMessage,
    ModelResponse,
    RunContext,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from tests.neighbours.tools_neighbours import PICTURE
from tests.waiting import wait_until
from toolferry import Context
from toolferry_dispatcher import AsyncDispatcher, DispatchOptions
from toolferry_dispatcher.neighbours.pydantic_ai import ToolferryToolset

WEATHER = "weather_get_b8affdae8c"
ANN = Context(principal="ann")


class Script:
    """A model that makes the calls that it is told to, one list a response, and then ends.

    Args:
        steps: The calls of each response: names and arguments.
    """

    def __init__(self, *steps: Sequence[tuple[str, Any]]) -> None:
        self._steps = list(steps)
        self.answers: list[ToolReturnPart] = []
        self.offered: set[str] = set()
        self.model = FunctionModel(self._respond)

    def _respond(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.offered = {one.name for one in info.function_tools}
        parts = (part for message in messages for part in message.parts)
        self.answers = [part for part in parts if isinstance(part, ToolReturnPart)]
        if not self._steps:
            return ModelResponse([TextPart("Done.")])
        calls = enumerate(self._steps.pop(0))
        return ModelResponse([ToolCallPart(name, given, f"c{at}") for at, (name, given) in calls])


def text_of(answer: ToolReturnPart) -> str:
    """Give what a tool has told."""
    assert isinstance(answer.content, str)
    return answer.content


def content(answer: ToolReturnPart) -> Any:
    """Give what a tool that succeeded has told."""
    told = json.loads(text_of(answer))
    assert told["ok"]
    return told["content"]


async def test_calls_run_on_workers_on_behalf_of_the_principal(dispatcher: AsyncDispatcher) -> None:
    """Both calls of the response, under their ids, in its order, one turn each."""
    script = Script([(WEATHER, {"city": "Oslo"}), ("who", {})])
    agent = Agent(script.model, toolsets=[ToolferryToolset(dispatcher, context=ANN)])

    done = await agent.run("Go.")

    weather, who = script.answers
    assert done.output == "Done."
    assert content(weather) == "Oslo: metric"
    assert {**content(who), "turn": ""} == {
        "principal": "ann",
        "call_id": "c1",
        "turn": "",
        "place": "0",
    }


async def test_the_test_model_calls_every_tool_that_is_visible(
    dispatcher: AsyncDispatcher,
) -> None:
    """With arguments that it makes of the schemas."""
    toolset = ToolferryToolset[None](dispatcher, visible={"weather.get", "who"})
    agent = Agent(TestModel(), toolsets=[toolset])

    done = await agent.run("Go.")

    assert json.loads(done.output).keys() == {WEATHER, "who"}


async def test_dangerous_tools_are_offered_only_when_asked_for(
    dispatcher: AsyncDispatcher,
) -> None:
    """As in a menu; one that is not offered is unknown to the agent."""
    few, asked = Script(), Script()

    await Agent(few.model, toolsets=[ToolferryToolset[None](dispatcher)]).run("Go.")
    named = ToolferryToolset[None](dispatcher, visible=["launch"])
    await Agent(asked.model, toolsets=[named]).run("Go.")

    assert "launch" not in few.offered
    assert asked.offered == {"launch"}


@pytest.mark.parametrize(
    ("name", "given", "code"),
    [
        ("pay", {"amount": 5}, "denied"),
        ("explain", {}, "no_such_city"),
        ("sleepy", {}, "timeout"),
    ],
)
async def test_what_the_model_cannot_mend_is_a_failed_answer(
    dispatcher: AsyncDispatcher, name: str, given: dict[str, Any], code: str
) -> None:
    """A denied call, a failed one, one that took too long: the run goes on, no retry is counted."""
    script = Script([(name, given)])
    toolset = ToolferryToolset[None](dispatcher, max_retries=0)

    done = await Agent(script.model, toolsets=[toolset]).run("Go.")

    [answer] = script.answers
    assert done.output == "Done."
    assert answer.outcome == "failed"
    assert json.loads(text_of(answer))["error_code"] == code


async def test_the_model_is_asked_to_mend_what_it_can(dispatcher: AsyncDispatcher) -> None:
    """It is told what is wrong with the arguments, and may try once more."""
    script = Script([(WEATHER, {"town": "Oslo"})], [(WEATHER, {"city": "Oslo"})])
    toolset = ToolferryToolset[None](dispatcher, max_retries=1)

    await Agent(script.model, toolsets=[toolset]).run("Go.")

    wrong, right = script.answers
    assert wrong.outcome == "retried"
    assert json.loads(text_of(wrong))["error_code"] == "schema"
    assert content(right) == "Oslo: metric"


async def test_a_picture_goes_beside_the_text(dispatcher: AsyncDispatcher) -> None:
    """As Pydantic AI gives it to models, not as base64 in the text."""
    script = Script([("draw", {})])

    await Agent(script.model, toolsets=[ToolferryToolset[None](dispatcher)]).run("Go.")

    [answer] = script.answers
    text, picture = answer.content_items()
    assert "[medium 1: image/png, 8 bytes]" in str(text)
    assert picture == BinaryContent(PICTURE, media_type="image/png")


async def test_each_run_says_on_whose_behalf_it_calls(dispatcher: AsyncDispatcher) -> None:
    """What `options_of` says of a run wins."""

    def options_of(run: RunContext[str]) -> DispatchOptions:
        """Take the principal from the deps."""
        return {"context": Context(principal=run.deps)}

    script = Script([("who", {})])
    toolset = ToolferryToolset[str](dispatcher, options_of=options_of, context=ANN)
    agent = Agent(script.model, deps_type=str, toolsets=[toolset.prefixed("my")])
    script = Script([("my_who", {})])

    await agent.run("Go.", deps="bob", model=script.model)

    assert content(script.answers[0])["principal"] == "bob"


async def test_the_calls_of_a_cancelled_run_are_cancelled(
    dispatcher: AsyncDispatcher, tmp_path: Path
) -> None:
    """Nobody else knows of them."""
    script = Script([("held", {"folder": str(tmp_path)})])
    agent = Agent(script.model, toolsets=[ToolferryToolset[None](dispatcher)])
    run = asyncio.create_task(agent.run("Go."))
    await asyncio.to_thread(wait_until, (tmp_path / "begun").exists, "the call")

    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run

    await asyncio.to_thread(wait_until, (tmp_path / "ended").exists, "its end")
