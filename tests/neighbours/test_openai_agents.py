"""An agent of the OpenAI Agents SDK whose tools run on workers."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path
from typing import Any

import pytest
from agents import Agent, RunConfig, Runner, Tool

from tests.neighbours.openai_script import Script
from tests.neighbours.tools_neighbours import PICTURE
from tests.waiting import wait_until
from toolferry import Context
from toolferry_dispatcher import AsyncDispatcher
from toolferry_dispatcher.neighbours.openai_agents import toolferry_tools

WEATHER = "weather_get_b8affdae8c"
ANN = Context(principal="ann")
QUIET = RunConfig(tracing_disabled=True)


async def run(tools: list[Tool], script: Script, context: object = None) -> list[Any]:
    """Run an agent to its end, and give what its model was told of its calls."""
    agent = Agent[Any](name="agent", model=script, tools=tools)
    done = await Runner.run(agent, "Go.", context=context, run_config=QUIET)
    assert done.final_output == "Done."
    return script.answers


async def test_calls_run_on_workers_on_behalf_of_the_principal(dispatcher: AsyncDispatcher) -> None:
    """Both calls of the response, under their ids, in its order, one turn each."""
    tools = toolferry_tools(dispatcher, context=ANN)

    weather, who = await run(tools, Script((WEATHER, {"city": "Oslo"}), ("who", {})))

    assert json.loads(weather) == {"ok": True, "content": "Oslo: metric"}
    told = json.loads(who)["content"]
    assert (told["principal"], told["call_id"], told["place"]) == ("ann", "c1", "0")


@pytest.mark.parametrize(
    ("name", "given", "code"),
    [
        (WEATHER, {"town": "Oslo"}, "schema"),
        (WEATHER, '{"city": ', "truncated"),
        ("pay", {"amount": 5}, "denied"),
        ("explain", {}, "no_such_city"),
        ("sleepy", {}, "timeout"),
    ],
)
async def test_a_failure_is_told_as_text(
    dispatcher: AsyncDispatcher, name: str, given: Any, code: str
) -> None:
    """Bad arguments, a denied call, a failed one, one that took too long: the run goes on."""
    [answer] = await run(toolferry_tools(dispatcher), Script((name, given)))

    assert json.loads(answer)["error_code"] == code


async def test_dangerous_tools_are_offered_only_when_asked_for(
    dispatcher: AsyncDispatcher,
) -> None:
    """As in a menu."""
    offered = {tool.name for tool in toolferry_tools(dispatcher)}
    asked = [tool.name for tool in toolferry_tools(dispatcher, visible={"launch"})]

    assert WEATHER in offered
    assert "launch" not in offered
    assert asked == ["launch"]


async def test_a_picture_goes_beside_the_text(dispatcher: AsyncDispatcher) -> None:
    """As the Responses API takes it, not as base64 in the text."""
    [answer] = await run(toolferry_tools(dispatcher), Script(("draw", {})))

    text, picture = answer
    assert "[medium 1: image/png, 8 bytes]" in text["text"]
    assert picture["type"] == "input_image"
    assert picture["image_url"].endswith(base64.b64encode(PICTURE).decode())


async def test_each_run_says_on_whose_behalf_it_calls(dispatcher: AsyncDispatcher) -> None:
    """What `options_of` says of a run wins."""
    tools = toolferry_tools(
        dispatcher,
        options_of=lambda call: {"context": Context(principal=call.context)},
        context=ANN,
    )

    [who] = await run(tools, Script(("who", {})), context="bob")

    assert json.loads(who)["content"]["principal"] == "bob"


async def test_the_calls_of_a_cancelled_run_are_cancelled(
    dispatcher: AsyncDispatcher, tmp_path: Path
) -> None:
    """Nobody else knows of them."""
    script = Script(("held", {"folder": str(tmp_path)}))
    running = asyncio.create_task(run(toolferry_tools(dispatcher), script))
    await asyncio.to_thread(wait_until, (tmp_path / "begun").exists, "the call")

    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    await asyncio.to_thread(wait_until, (tmp_path / "ended").exists, "its end")
