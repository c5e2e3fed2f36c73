"""docs/neighbours.md: each agent of the page is made as it stands, and has a call carried."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from agents import RunConfig, Runner
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.messages.tool import tool_call
from pydantic_ai.models.test import TestModel

from tests.dispatcher.samples import make_registry
from tests.neighbours.openai_script import Script
from toolferry_dispatcher import AsyncDispatcher
from toolferry_ledger import Settings

PAGE = Path(__file__).parents[2] / "docs" / "neighbours.md"
TEXT = PAGE.read_text(encoding="utf-8")
PYDANTIC_AI, LANGGRAPH, OPENAI_AGENTS = re.findall(
    r"<!-- example -->\n```python\n(.*?)```", TEXT, re.DOTALL
)


class BoundModel(GenericFakeChatModel):
    """A model that takes tools, and says what it was told to all the same."""

    def bind_tools(self, tools: Any, **_: Any) -> Any:
        """Take the tools."""
        return self


@pytest.fixture
async def dispatcher(settings: Settings) -> AsyncIterator[AsyncDispatcher]:
    """Give a dispatcher one of whose tools needs a permission that nobody has here."""
    async with AsyncDispatcher(make_registry(), settings) as dispatcher:
        yield dispatcher


def agent_of(code: str, dispatcher: AsyncDispatcher, model: Any) -> Any:
    """Make an agent as the page does."""
    names: dict[str, Any] = {"dispatcher": dispatcher, "model": model}
    exec(compile(code, str(PAGE), "exec", dont_inherit=True), names)  # noqa: S102 -- our own page
    return names["agent"]


async def test_the_agent_of_pydantic_ai(dispatcher: AsyncDispatcher) -> None:
    """Its model is told that the call was denied."""
    agent = agent_of(PYDANTIC_AI, dispatcher, TestModel(call_tools=["cancel_order"]))

    done = await agent.run("Go.")

    assert '"error_code":"denied"' in done.all_messages_json().decode().replace("\\", "")


async def test_the_agent_of_langgraph(dispatcher: AsyncDispatcher) -> None:
    """Its model is told that the call was denied."""
    asked = tool_call(name="cancel_order", args={"order_id": 1}, id="c0")
    said = [AIMessage("", tool_calls=[asked]), AIMessage("Done.")]
    agent = agent_of(LANGGRAPH, dispatcher, BoundModel(messages=iter(said)))

    done = await agent.ainvoke({"messages": []})

    assert json.loads(done["messages"][1].text)["error_code"] == "denied"
    assert done["messages"][2].text == "Done."


async def test_the_agent_of_openai(dispatcher: AsyncDispatcher) -> None:
    """Its model is told that the call was denied."""
    script = Script(("cancel_order", {"order_id": 1}))
    agent = agent_of(OPENAI_AGENTS, dispatcher, script)

    await Runner.run(agent, "Go.", run_config=RunConfig(tracing_disabled=True))

    assert json.loads(script.answers[0])["error_code"] == "denied"
