"""Strict conversations over the real clients: what is asked of the provider is in the request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.talks import lead, outcome_of, talk_tools
from tests.providers.server import CLIENTS, ScriptedServer, ScriptedTurn, Sdk, calls, serving
from toolferry_dispatcher import AsyncDispatcher, Dispatcher
from toolferry_dispatcher.conversation import AsyncConversation, Conversation
from toolferry_ledger import Settings

SCRIPT = [calls(("look_up", {"city": "Oslo"})), ScriptedTurn(text="Fine.")]
GEMINI = CLIENTS["gemini"]


@pytest.fixture
def script() -> Iterator[ScriptedServer]:
    """Run the script."""
    with serving(SCRIPT) as served:
        yield served


def marks(request: Mapping[str, Any]) -> list[Any]:
    """Give how the tools of a request are marked."""
    return [one.get("function", one).get("strict") for one in request["tools"]]


def mode(request: Mapping[str, Any]) -> Any:
    """Give how a request to Gemini has functions called."""
    return request.get("toolConfig", {}).get("functionCallingConfig")


def ask(
    settings: Settings, worker: HandWorker, script: ScriptedServer, sdk: Sdk, **options: Any
) -> Any:
    """Lead the conversation to its end; give its last request."""
    request = {**sdk.request, **options.pop("request", {})}
    with Dispatcher(talk_tools(), settings) as dispatcher, sdk.client(script.url) as client:
        options = {"provider": sdk.provider, "request": request, **options}
        conversation = Conversation(dispatcher, client, **options)
        events = lead(conversation.events(sdk.question("How is it?")), worker)

    assert outcome_of(events).text == "Fine."
    assert script.refusals == []
    return script.requests[-1]


@pytest.mark.parametrize("name", ["openai-chat", "openai-responses", "anthropic"])
def test_tools_are_marked_in_every_request(
    settings: Settings, worker: HandWorker, script: ScriptedServer, name: str
) -> None:
    """As the provider marks them."""
    request = ask(settings, worker, script, CLIENTS[name], strictness="demanded")

    assert marks(request) == [True, True]
    assert marks(script.requests[0]) == [True, True]


@pytest.mark.parametrize("provider", ["gemini", "gemini-json-schema"])
def test_what_a_request_needs_beside_its_tools_is_in_it(
    settings: Settings, worker: HandWorker, script: ScriptedServer, provider: str
) -> None:
    """Gemini has no mark: a mode of the request holds the model to the schemas."""
    request = ask(settings, worker, script, GEMINI, strictness="where_possible", provider=provider)

    assert mode(request) == {"mode": "VALIDATED"}


@pytest.mark.parametrize(
    ("config", "calling"),
    [("tool_config", "function_calling_config"), ("toolConfig", "functionCallingConfig")],
)
def test_what_an_application_says_of_a_request_stays(
    settings: Settings, worker: HandWorker, script: ScriptedServer, config: str, calling: str
) -> None:
    """Whichever way it spells the fields; clients refuse a field that is there in both."""
    own = {"temperature": 0.5, config: {calling: {"mode": "ANY"}}}

    request = ask(settings, worker, script, GEMINI, strictness="demanded", request={"config": own})

    assert mode(request) == {"mode": "ANY"}
    assert request["generationConfig"] == {"temperature": 0.5}


@pytest.mark.parametrize("name", ["anthropic", "gemini"])
def test_nothing_is_asked_unless_it_is_said(
    settings: Settings, worker: HandWorker, script: ScriptedServer, name: str
) -> None:
    """Requests are as they were."""
    request = ask(settings, worker, script, CLIENTS[name])

    assert marks(request)[0] is None
    assert mode(request) is None


async def test_an_async_conversation_asks_alike(settings: Settings) -> None:
    """On an event loop; the model answers at once."""
    with serving([ScriptedTurn(text="Fine.")]) as script:
        client = GEMINI.aclient(script.url)
        async with AsyncDispatcher(talk_tools(), settings) as dispatcher:
            conversation = AsyncConversation(
                dispatcher,
                client,
                provider="gemini",
                request=GEMINI.request,
                strictness="where_possible",
            )
            outcome = await conversation.run(GEMINI.question("How is it?"))
        await client.aio.aclose()
        client.close()

    assert outcome.text == "Fine."
    assert mode(script.requests[0]) == {"mode": "VALIDATED"}
