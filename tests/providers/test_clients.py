"""Conversations over the real clients of the SDKs, with a server that checks every request."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.talks import talk_tools
from tests.providers.server import CLIENTS, ScriptedServer, ScriptedTurn, Sdk, calls, serving
from toolferry_dispatcher import Approver, AsyncDispatcher, Dispatcher
from toolferry_dispatcher.conversation import (
    ApprovalWanted,
    AsyncConversation,
    CallsAsked,
    Conversation,
    EndReason,
    Finished,
)
from toolferry_ledger import Settings

ANN = Approver("ann", verified=True)
#: Parallel calls of which one fails, a call that a person has to approve, one more, the answer.
SCRIPT = [
    calls(("look_up", {"city": "Oslo"}), ("look_up", {"city": "東京"}), text="Let me look."),
    calls(("pay", {"amount": 5})),
    calls(("look_up", {"city": "Rome"})),
    ScriptedTurn(text="Fine everywhere."),
]


#: The requests that want a response as a whole, by their SDK's provider.
WHOLE = frozenset(sdk.provider for sdk in CLIENTS.values())
BEDROCK_STREAMED = "bedrock-converse-streamed"


def cases() -> list[Any]:
    """Give each SDK and its requests, whole and streamed; most of the latter are slow."""
    return _cases(CLIENTS.values(), lambda name: name in WHOLE or name == BEDROCK_STREAMED)


def async_cases() -> list[Any]:
    """The same of the SDKs that have a client for event loops; those that are whole are slow."""
    sdks = [sdk for sdk in CLIENTS.values() if sdk.provider != "bedrock-converse"]
    return _cases(sdks, lambda name: name not in WHOLE)


def _cases(sdks: Iterable[Sdk], is_quick: Callable[[str], bool]) -> list[Any]:
    found = {
        f"{sdk.provider}{'-streamed' if more else ''}": (sdk, {**sdk.request, **more})
        for sdk in sdks
        for more in ({}, {"stream": True})
    }
    return [
        pytest.param(*case, id=name, marks=() if is_quick(name) else pytest.mark.slow)
        for name, case in found.items()
    ]


@pytest.fixture
def script() -> Iterator[ScriptedServer]:
    """Run the script."""
    with serving(SCRIPT) as served:
        yield served


def work(worker: HandWorker) -> None:
    """End what is to be done: well, but for the call about Oslo."""
    for claim in worker.take():
        (worker.fail if b"Oslo" in claim.spec else worker.succeed)(claim)


def check(script: ScriptedServer, outcome: Any) -> None:
    """Say what came of every such conversation."""
    assert script.refusals == []
    assert (outcome.reason, outcome.text) == (EndReason.FINAL, "Fine everywhere.")
    assert len(script.requests) == 4
    assert outcome.state.spent.calls == 4
    results = json.dumps(script.requests[1], ensure_ascii=False)
    assert '\\"content\\":{\\"city\\":\\"東京\\"}' in results
    assert "execution_failed" in results


@pytest.mark.parametrize(("sdk", "request_"), cases())
def test_a_conversation_passes_the_rules(
    settings: Settings, worker: HandWorker, script: ScriptedServer, sdk: Sdk, request_: Any
) -> None:
    """Parallel calls, a failure and an approval; every request is taken."""
    with Dispatcher(talk_tools(), settings) as dispatcher, sdk.client(script.url) as client:
        conversation = Conversation(dispatcher, client, provider=sdk.provider, request=request_)
        for event in conversation.events(sdk.question("How is it?")):
            if isinstance(event, ApprovalWanted):
                dispatcher.approvals.approve(event.approval.call_key, ANN)
            if isinstance(event, ApprovalWanted | CallsAsked):
                work(worker)

    assert isinstance(event, Finished)
    check(script, event.outcome)


@pytest.mark.parametrize(("sdk", "request_"), async_cases())
async def test_an_async_conversation_passes_the_rules(
    settings: Settings, worker: HandWorker, script: ScriptedServer, sdk: Sdk, request_: Any
) -> None:
    """The same on an event loop."""
    client = sdk.aclient(script.url)
    async with AsyncDispatcher(talk_tools(), settings) as dispatcher:
        conversation = AsyncConversation(
            dispatcher, client, provider=sdk.provider, request=request_
        )
        async for event in conversation.events(sdk.question("How is it?")):
            if isinstance(event, ApprovalWanted):
                key = event.approval.call_key
                await asyncio.to_thread(dispatcher.approvals.approve, key, ANN)
            if isinstance(event, ApprovalWanted | CallsAsked):
                await asyncio.to_thread(work, worker)
    await _close(client)

    assert isinstance(event, Finished)
    check(script, event.outcome)


async def _close(client: Any) -> None:
    if hasattr(client, "aio"):
        await client.aio.aclose()
        client.close()
    elif hasattr(client, "close"):
        await client.close()
    else:
        await client.__aexit__(None, None, None)
