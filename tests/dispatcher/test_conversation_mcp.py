"""Conversations in which a server of the provider asks a person, not this system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.talks import QUESTION, Script, lead, outcome_of, talk_tools
from toolferry_dispatcher import Dispatcher
from toolferry_dispatcher.conversation import Conversation, EndReason
from toolferry_dispatcher.providers.openai_responses import open_approvals
from toolferry_ledger import Settings

ASKED = {
    "type": "mcp_approval_request",
    "id": "mcpr_1",
    "server_label": "files",
    "name": "delete",
    "arguments": "{}",
}
CALL = {
    "type": "function_call",
    "call_id": "a",
    "name": "look_up",
    "arguments": '{"city": "Oslo"}',
}
SAID = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "No."}]}


def _response(*items: dict[str, Any]) -> dict[str, Any]:
    return {"object": "response", "status": "completed", "output": list(items)}


class Model(Script):
    """A model that speaks by the Responses API."""

    def __call__(self, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> Any:
        """Take a request and respond; its tools are written another way."""
        return super().__call__(messages, [{"function": tool} for tool in tools])


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher that knows the tools of the conversations."""
    with Dispatcher(talk_tools(), settings) as dispatcher:
        yield dispatcher


@pytest.mark.parametrize("items", [[ASKED], [ASKED, CALL]], ids=["alone", "beside a call"])
def test_a_conversation_pauses_until_an_mcp_server_is_answered(
    dispatcher: Dispatcher, worker: HandWorker, items: list[dict[str, Any]]
) -> None:
    """The API refuses a request without the answer; with it, the conversation goes on."""
    model = Model(_response(*items), _response(SAID))
    conversation = Conversation(dispatcher, model, provider="openai-responses")

    paused = outcome_of(lead(conversation.events(QUESTION), worker))
    again = conversation.resume(paused.state)
    [approval] = open_approvals(paused.messages)
    ended = conversation.resume(paused.state.adding(approval.answer(approve=False)))

    assert paused.reason is again.reason is EndReason.APPROVAL
    assert "add the answers to the state" in paused.detail
    assert len(model.asked) == 2
    assert model.asked[1][-1]["type"] == "mcp_approval_response"
    assert (ended.reason, ended.text) == (EndReason.FINAL, "No.")
