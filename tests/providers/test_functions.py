"""Conversations with models that are functions, in the formats whose clients are not at hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from examples.scripted.server import ScriptedServer
from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.talks import lead, outcome_of, talk_tools
from tests.providers.server import ScriptedTurn, calls
from toolferry_dispatcher import Dispatcher
from toolferry_dispatcher.conversation import Conversation, ask_on
from toolferry_ledger import Settings

SCRIPT = [
    calls(("look_up", {"city": "Oslo"}), ("no_such_tool", {})),
    calls(("look_up", {"city": "Rome"})),
    ScriptedTurn(text="Fine."),
]


class Model:
    """Asks a scripted server without HTTP.

    Args:
        path: Of the API.
    """

    def __init__(self, path: str) -> None:
        self.script = ScriptedServer(SCRIPT)
        self._path = path

    def __call__(self, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> Any:
        """Take a request and respond."""
        request: dict[str, Any] = {"model": "m", "messages": messages, "tools": tools}
        if self._path.endswith("/converse"):
            request = {"messages": messages, "toolConfig": {"tools": tools}}
        status, _, body = self.script.answer(self._path, json.dumps(request).encode())
        assert status == 200, body
        return json.loads(body)


@pytest.mark.parametrize(
    ("provider", "path", "said"),
    [
        ("deepseek", "/deepseek/chat/completions", "Go on."),
        ("bedrock-converse", "/model/m/converse", [{"text": "Go on."}]),
        ("cohere-v2", "/v2/chat", "Go on."),
    ],
)
def test_a_person_says_something_behind_a_failure(
    settings: Settings, worker: HandWorker, provider: str, path: str, said: Any
) -> None:
    """Asked after the failure, and told to go on; every request passes the rules."""
    model = Model(path)
    question = {"role": "user", "content": said}
    with Dispatcher(talk_tools(), settings) as dispatcher:
        conversation = Conversation(
            dispatcher, model, provider=provider, on_failure=ask_on("unknown_tool")
        )
        asked = outcome_of(lead(conversation.events([question]), worker))
        state = asked.state.adding(question)
        outcome = outcome_of(lead(conversation.resume_events(state), worker))

    assert [one.name for one in asked.failures] == ["no_such_tool"]
    assert outcome.text == "Fine."
    assert model.script.refusals == []
    assert len(model.script.requests) == 3
