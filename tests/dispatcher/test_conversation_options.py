"""What a conversation may be told: options of a wrong type, and what a server's dialect says."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from tests.dispatcher.talks import QUESTION, says, talk_tools
from toolferry import ConfigurationError, Registry
from toolferry_dispatcher import Dialect, Dispatcher, alias
from toolferry_dispatcher.conversation import AsyncConversation, Conversation
from toolferry_dispatcher.providers import forget_provider
from toolferry_ledger import Settings


class ChatClient:
    """A client of the form of OpenAI's, which keeps what it was asked for."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.chat = SimpleNamespace(completions=self)

    def create(self, **request: Any) -> Any:
        """Take a request and respond."""
        self.requests.append(request)
        return says("Fine.")


@pytest.fixture
def one_by_one() -> Iterator[str]:
    """Give the name of a server that takes one call at a time, and streams none."""
    alias("one-by-one", dialect=Dialect(parallel_calls=False, streams=False))
    yield "one-by-one"
    forget_provider("one-by-one")


def asked(
    settings: Settings, one_by_one: str, registry: Registry, **request: Any
) -> dict[str, Any]:
    """Give the request that a conversation makes of a server."""
    client = ChatClient()
    with Dispatcher(registry, settings) as dispatcher:
        Conversation(dispatcher, client, provider=one_by_one, request=request).run(QUESTION)
    return client.requests[0]


@pytest.mark.parametrize("kind", [Conversation, AsyncConversation])
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"limits": 5}, "limits: must be a ConversationLimits, not 5"),
        ({"menu": ["look_up"]}, "menu: must be a Menu, or None, not ['look_up']"),
        ({"tries": {"refused": 2}}, "tries: must be a Tries, not {'refused': 2}"),
        ({"context": "ada"}, "context: must be a Context, not 'ada'"),
        ({"dispatch": None}, "dispatch: must be a Mapping, not None"),
        ({"request": [1]}, "request: must be a Mapping, not [1]"),
        ({"provider": None}, "provider: must be a str, not None"),
        ({"price": 0.2}, "price: must be a function, not 0.2"),
        ({"on_failure": "ask"}, "on_failure: must be a function, not 'ask'"),
        ({"store": {}}, "store: must be a function, not {}"),
    ],
)
def test_an_option_of_a_wrong_type_is_refused_in_one_sentence(
    kind: Any, options: dict[str, Any], sentence: str
) -> None:
    """Before anything else: it says what was given, and what is wanted."""
    with pytest.raises(ConfigurationError) as refused:
        kind(None, ChatClient(), **options)

    assert str(refused.value) == sentence


def test_a_server_without_parallel_calls_is_asked_for_one_at_a_time(
    settings: Settings, one_by_one: str
) -> None:
    """Others are asked for nothing."""
    assert asked(settings, one_by_one, talk_tools())["parallel_tool_calls"] is False
    assert "parallel_tool_calls" not in asked(settings, "openai-chat", talk_tools())


def test_what_an_application_says_of_parallel_calls_stays(
    settings: Settings, one_by_one: str
) -> None:
    """It may know better."""
    request = asked(settings, one_by_one, talk_tools(), parallel_tool_calls=True)

    assert request["parallel_tool_calls"] is True


def test_nothing_is_said_of_calls_where_there_are_no_tools(
    settings: Settings, one_by_one: str
) -> None:
    """A request without tools is refused for it."""
    assert asked(settings, one_by_one, Registry()).keys() == {"messages"}


def test_no_stream_is_asked_of_a_server_that_gives_none(
    settings: Settings, one_by_one: str
) -> None:
    """The conversation says so when it is set up."""
    with (
        Dispatcher(talk_tools(), settings) as dispatcher,
        pytest.raises(ConfigurationError, match=r"request\.stream: 'one-by-one' streams no resp"),
    ):
        Conversation(dispatcher, ChatClient(), provider=one_by_one, request={"stream": True})
