"""Gemini out: tools, and one content of results right behind the model's."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.providers.corpus import Corpus
from tests.providers.gemini_types import require_contents, require_tools
from toolferry import Tool, ToolInvalid
from toolferry_dispatcher.conversation.recurring import tell_apart
from toolferry_dispatcher.providers import Gemini, Media, Told
from toolferry_dispatcher.providers.gemini import GEMINI_2

GEMINI = Gemini()
PICTURE = Media("image/png", "AAAA")


def test_the_tools_of_the_sample_are_declared_as_the_api_wants_them() -> None:
    """In one entry, under names that tell them apart."""
    registry = Corpus().registry()

    tools = GEMINI.tools(registry.visible())

    declared = require_tools(tools)
    assert len(tools) == 1
    assert len({function.name for function in declared}) == len(registry.names())


def test_no_tools_are_no_entry() -> None:
    """The API refuses an entry that declares nothing."""
    assert GEMINI.tools([]) == []


def test_tools_that_would_go_by_one_name_are_refused() -> None:
    """One is really called as the other one goes on the wire."""
    names = ["no good", GEMINI.wire_name("no good")]

    with pytest.raises(ToolInvalid):
        GEMINI.tools([Tool(name=name, description="") for name in names])


@settings(max_examples=100, deadline=None)
@given(st.text(min_size=1, max_size=80))
def test_every_name_is_made_legal(name: str) -> None:
    """A letter or `_` first; 64 characters at the most; the same every time."""
    wire = GEMINI.wire_name(name)

    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}", wire)
    assert GEMINI.wire_name(wire) == wire


def test_a_result_goes_by_the_name_and_the_id_of_its_call() -> None:
    """The id only where the call had one; an error under a key of its own."""
    reply = GEMINI.read(
        {
            "role": "model",
            "parts": [
                {"functionCall": {"id": "a", "name": "calendar.add", "args": {}}},
                {"text": "and"},
                {"functionCall": {"name": "now", "args": {}}},
            ],
        }
    )
    told = [
        Told("a", "calendar.add", "added"),
        Told(reply.calls[1].call.call_id, "now", "no clock", is_error=True),
    ]

    messages = GEMINI.results(reply.message, told)

    require_contents(messages)
    assert [part["functionResponse"] for part in messages[1]["parts"]] == [
        {"id": "a", "name": "calendar.add", "response": {"output": "added"}},
        {"name": "now", "response": {"error": "no clock"}},
    ]


def test_results_without_a_message_stand_alone() -> None:
    """For an application that keeps the model's content itself."""
    (content,) = GEMINI.results({}, [Told("call_1", "look up", "ok")])

    (part,) = content["parts"]
    assert part["functionResponse"]["name"] == GEMINI.wire_name("look up")


def test_media_stand_inside_of_their_result() -> None:
    """A part beside it would be one result too many."""
    message = {"role": "model", "parts": [{"functionCall": {"name": "draw", "args": {}}}]}

    messages = GEMINI.results(message, [Told("a", "draw", "Done.", media=(PICTURE,))])

    require_contents(messages)
    (part,) = messages[1]["parts"]
    assert part["functionResponse"]["parts"] == [
        {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}
    ]
    assert part["functionResponse"]["response"] == {"output": "Done."}


@pytest.mark.parametrize(
    ("gemini", "medium"),
    [
        (GEMINI, Media("audio/wav", "AAAA")),
        (GEMINI, Media("image/tiff", "AAAA")),
        (GEMINI.speaking("gemini-2", GEMINI_2), PICTURE),
    ],
)
def test_media_that_cannot_be_shown_are_told_in_words(gemini: Gemini, medium: Media) -> None:
    """Models before Gemini 3 look at none inside of a result."""
    (content,) = gemini.results({}, [Told("a", "draw", "Done.", media=(medium,))])

    response = content["parts"][0]["functionResponse"]
    assert "parts" not in response
    assert medium.media_type in response["response"]["output"]


def test_a_late_result_is_a_content_of_the_user() -> None:
    """With text that UTF-8 can hold."""
    content = GEMINI.late("call_1 ended: caf\u00e9 \ud83d")

    require_contents([{"role": "model", "parts": [{"text": "Hi"}]}, content])
    json.dumps(content, ensure_ascii=False).encode()


def test_a_response_that_the_model_invented_has_no_id_to_tell_apart() -> None:
    """Such a part is whatever the model wrote; the turn is told all the same."""
    call = {"functionCall": {"id": "a", "name": "f", "args": {}}}
    content = {"role": "model", "parts": [{"functionResponse": "?"}, call]}

    turn = GEMINI.results(GEMINI.read(content).message, [Told("a", "f", "8")])

    assert tell_apart(turn, [], "t") == turn
