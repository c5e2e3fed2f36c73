"""Strict mode in conversations and in the schemas that a dispatcher gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.dispatcher.talks import QUESTION, says, talk_tools
from toolferry import ConfigurationError, Registry, Tool, ToolInvalid
from toolferry_dispatcher import AsyncDispatcher, Dispatcher
from toolferry_dispatcher.conversation import Conversation, ConversationState
from toolferry_dispatcher.menu import Menu
from toolferry_dispatcher.providers import Strictness
from toolferry_ledger import Settings

#: A tool that takes whatever it is given: no strict mode can say that.
OPEN = Tool(
    name="keep",
    parameters={"type": "object", "properties": {"what": {"type": "object"}}},
)


class Model:
    """A model that answers at once, and keeps what it was given.

    Args:
        answer: Its response.
    """

    def __init__(self, answer: Any) -> None:
        self._answer = answer
        #: The tools of each request.
        self.given: list[list[dict[str, Any]]] = []

    def __call__(self, _messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> Any:
        """Take a request and respond."""
        self.given.append(tools)
        return self._answer


class CohereClient:
    """A client of the form of Cohere's.

    Args:
        answer: What it is told.
    """

    def __init__(self, answer: Any) -> None:
        self._answer = answer
        #: What it was asked for.
        self.requests: list[dict[str, Any]] = []

    def chat(self, **request: Any) -> Any:
        """Take a request and respond."""
        self.requests.append(request)
        return self._answer


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher that knows the tools of the conversations."""
    with Dispatcher(talk_tools(), settings) as dispatcher:
        yield dispatcher


@pytest.mark.parametrize("strictness", ["where_possible", Strictness.DEMANDED])
def test_a_function_is_given_strict_tools(dispatcher: Dispatcher, strictness: str) -> None:
    """The word will do."""
    model = Model(says("Fine."))

    Conversation(dispatcher, model, strictness=strictness).run(QUESTION)

    [tools] = model.given
    assert [one["function"]["strict"] for one in tools] == [True, True]


def test_examples_go_where_they_are_wanted(settings: Settings) -> None:
    """Into the descriptions, for an API that has no place for them."""
    tool = Tool(name="add", description="Add.", examples=({"a": 1},))
    registry = Registry()
    registry.declare(tool)
    model = Model(says("Fine."))

    with Dispatcher(registry, settings) as dispatcher:
        Conversation(dispatcher, model, examples="description").run(QUESTION)

    [[offered]] = model.given
    assert offered["function"]["description"] == 'Add.\n\nExamples of arguments:\n{"a":1}'


def test_a_place_for_examples_that_there_is_not_is_refused(dispatcher: Dispatcher) -> None:
    """When the conversation is made, not at its first request."""
    with pytest.raises(ConfigurationError, match="examples: 'margin' is no place"):
        Conversation(dispatcher, Model(says("Fine.")), examples="margin")


def test_a_resumed_conversation_asks_as_it_is_led_now(dispatcher: Dispatcher) -> None:
    """How strict it is does not stand in its state."""
    model = Model(says("Fine."))
    state = ConversationState(messages=tuple(QUESTION), provider="openai-chat")

    Conversation(dispatcher, model).resume(state)
    Conversation(dispatcher, model, strictness="demanded").resume(state.to_json())

    assert ["strict" in tools[0]["function"] for tools in model.given] == [False, True]


def test_a_client_of_cohere_is_asked_for_strict_tools(dispatcher: Dispatcher) -> None:
    """The whole request is, unless the application says something else."""
    said = {"role": "assistant", "content": [{"type": "text", "text": "Fine."}]}
    client = CohereClient({"id": "1", "finish_reason": "COMPLETE", "message": said})

    for request in ({"model": "m"}, {"strict_tools": False}):
        Conversation(
            dispatcher, client, provider="cohere-v2", request=request, strictness="demanded"
        ).run(QUESTION)

    assert [one["strict_tools"] for one in client.requests] == [True, False]


def test_a_function_cannot_be_given_what_goes_beside_the_tools(dispatcher: Dispatcher) -> None:
    """Said before it is asked anything: its tools would be strict in name only."""
    model = Model({"candidates": []})
    conversation = Conversation(dispatcher, model, provider="gemini", strictness="where_possible")

    with pytest.raises(ConfigurationError, match=r"VALIDATED.*give a client, or ask"):
        conversation.run([{"role": "user", "parts": [{"text": "How is it?"}]}])

    assert model.given == []


def test_what_cannot_be_strict_ends_the_conversation_before_the_model_is_asked(
    dispatcher: Dispatcher,
) -> None:
    """Where it is demanded; the error names the tool."""
    model = Model(says("Fine."))
    conversation = Conversation(dispatcher, model, menu=Menu((OPEN,)), strictness="demanded")

    with pytest.raises(ToolInvalid, match="keep: it cannot be strict"):
        conversation.run(QUESTION)

    assert model.given == []


def test_an_unknown_strictness_is_refused_at_once(dispatcher: Dispatcher) -> None:
    """With those there are."""
    with pytest.raises(ConfigurationError, match="never, where_possible, demanded"):
        Conversation(dispatcher, Model(says("Fine.")), strictness="always")


async def test_both_dispatchers_give_strict_schemas(settings: Settings) -> None:
    """The same as in an export; none is strict unless it is said."""
    registry = talk_tools()
    with Dispatcher(registry, settings) as dispatcher:
        strict = dispatcher.schemas(strictness="where_possible")
        plain = dispatcher.schemas()
        exported = dispatcher.export(strictness="where_possible").tools
    async with AsyncDispatcher(registry, settings) as other:
        assert other.schemas("openai-chat", "native", "where_possible") == strict

    assert strict == exported
    assert [("strict" in one["function"]) for one in (strict[0], plain[0])] == [True, False]


def test_strict_schemas_cannot_be_demanded_where_tools_alone_do_not_say_it(
    dispatcher: Dispatcher,
) -> None:
    """Whoever demands it would believe it; where it is a wish, the tools are as in an export."""
    with pytest.raises(ConfigurationError, match=r"put `request` of `export` beside"):
        dispatcher.schemas("gemini", strictness="demanded")

    wished = dispatcher.schemas("gemini", strictness="where_possible")
    assert wished == dispatcher.export("gemini", "where_possible").tools
