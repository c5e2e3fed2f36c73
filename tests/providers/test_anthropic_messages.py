"""The Messages API out: the model's message as received, its results, and the tools."""

from __future__ import annotations

import base64
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.providers.messages_types import require_messages, require_tools
from tests.providers.recorded import fields_of, told_of
from toolferry import Tool
from toolferry_dispatcher.providers import (
    Anthropic,
    ExamplePlace,
    Media,
    Strictness,
    Told,
    export_tools,
)
from toolferry_dispatcher.providers.names import find_name

ANTHROPIC = Anthropic()
SAID = {"type": "text", "text": "Let me see."}
PNG = Media("image/png", "iVBORw0KGgo=")


def call(call_id: Any = "toolu_1", **fields: Any) -> dict[str, Any]:
    """Write a block that calls a tool."""
    return {"type": "tool_use", "id": call_id, "name": "now", "input": {}, **fields}


def turn(*blocks: Any, stop_reason: str = "tool_use") -> list[dict[str, Any]]:
    """Give the messages that follow a response of these blocks."""
    reply = ANTHROPIC.read({"id": "msg_1", "content": list(blocks), "stop_reason": stop_reason})
    return ANTHROPIC.results(reply.message, told_of(reply))


def echo(*blocks: Any, stop_reason: str = "tool_use") -> list[dict[str, Any]]:
    """Give the blocks that go back for these; the API takes them, with all results."""
    messages = turn(*blocks, stop_reason=stop_reason)
    require_messages(messages)
    return list(messages[0]["content"])


def shown(*media: Media, is_error: bool = False) -> dict[str, Any]:
    """Give the result of a call with media."""
    told = [Told("toolu_1", "draw", "Drawn.", is_error, media)]
    _, answer = messages = ANTHROPIC.results({"role": "assistant", "content": [call()]}, told)
    require_messages(messages)
    return dict(answer["content"][0])


def test_a_message_goes_back_as_it_was_received() -> None:
    """Thoughts, signatures, callers, cache marks, and what only the server knows."""
    blocks = [
        {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "ZGF0YQ=="},
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"q": "x"}},
        {"type": "text", "text": "See.", "citations": None, "cache_control": {"type": "ephemeral"}},
        call(caller={"type": "code_execution_20260120", "tool_id": "srvtoolu_1"}),
    ]

    assert echo(*blocks) == blocks


def test_a_block_of_a_kind_that_is_not_known_goes_back_too() -> None:
    """The API grows faster than its clients."""
    new = {"type": "a_new_one", "opaque": {"n": 2**70}}

    assert turn(new, call())[0]["content"] == [new, call()]


def test_calls_go_last() -> None:
    """What stands behind a call makes the API look for its result there."""
    after = {"type": "text", "text": "Both at once."}

    assert echo(SAID, call("a"), after, call("b")) == [SAID, after, call("a"), call("b")]


def test_what_the_server_has_run_goes_before_a_call() -> None:
    """A server's call and its result stand together; case 14's threads."""
    use = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
    result = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}

    assert echo(call(), use, result) == [use, result, call()]


def test_what_the_server_has_yet_to_run_stays_behind_a_call() -> None:
    """The API itself sends it so, and runs it when the results have come."""
    use = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_fetch", "input": {}}

    assert echo(call(), use) == [call(), use]


def test_a_text_without_ink_is_left_out() -> None:
    """The API sends it and does not take it."""
    assert echo({"type": "text", "text": "\n "}, call()) == [call()]


def test_a_thought_that_was_cut_off_is_left_out() -> None:
    """It has no signature yet; one in an earlier place is its server's business."""
    unsigned = {"type": "thinking", "thinking": "Hm", "signature": ""}

    assert echo(SAID, unsigned, stop_reason="max_tokens") == [SAID]
    assert echo(unsigned, SAID, stop_reason="max_tokens") == [unsigned, SAID]


def test_a_caller_that_is_null_is_left_out() -> None:
    """Some servers fill in what they do not know; the types refuse it."""
    assert echo(call(caller=None)) == [call()]


def test_ids_that_are_not_legal_are_so_on_the_wire_alone() -> None:
    """On both sides alike, and found again."""
    given_id = "functions.now:0"

    reply = ANTHROPIC.read({"content": [call(given_id)]})
    messages = ANTHROPIC.results(reply.message, told_of(reply))

    require_messages(messages)
    assert reply.calls[0].call.call_id == given_id
    [wired] = fields_of(messages[0]["content"], "id")
    assert re.fullmatch("functions_now_0_[0-9a-f]{20}", wired)


def test_ids_that_are_there_twice_or_not_at_all_are_told_apart() -> None:
    """The first keeps its own; case 08."""
    messages = turn(call("a"), call("a"), call(None), call(" "), call(7), call("\ud800"))

    require_messages(messages)
    ids = fields_of(messages[0]["content"], "id")
    assert ids[0] == "a"
    assert len(set(ids)) == 6


def test_a_name_that_is_not_legal_goes_back_as_the_tool_was_shown() -> None:
    """Or the API refuses the whole request."""
    [block] = echo(call(name="calendar.update"))

    assert block["name"] == ANTHROPIC.wire_name("calendar.update")


def test_the_result_for_a_toolset_s_member_names_the_toolset() -> None:
    """The API refuses one that does not."""
    messages = turn(call("a", toolset_name="browser"), call("b"))

    require_messages(messages)
    assert [block.get("toolset_name") for block in messages[1]["content"]] == ["browser", None]


def test_pictures_and_documents_stand_in_the_result() -> None:
    """Text first, then each in the API's own form."""
    words = Media("text/csv", base64.b64encode("größe,1".encode()).decode(), "sizes.csv")

    result = shown(PNG, Media("application/pdf", "JVBERi0="), words)

    assert result["content"] == [
        {"type": "text", "text": "Drawn."},
        {
            "type": "image",
            "source": {"type": "base64", "media_type": "image/png", "data": PNG.data},
        },
        {
            "type": "document",
            "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="},
        },
        {
            "type": "document",
            "source": {"type": "text", "media_type": "text/plain", "data": "größe,1"},
            "title": "sizes.csv",
        },
    ]


def test_an_error_holds_nothing_but_text() -> None:
    """A picture in it would be answered with 400."""
    result = shown(PNG, is_error=True)

    assert result["is_error"] is True
    assert result["content"] == "Drawn.\n[medium 1 (image/png) cannot be shown to you here]"


def test_a_text_without_ink_is_no_block_and_no_error() -> None:
    """A handler may return a line break; the API refuses it in these two places."""
    message = {"role": "assistant", "content": [call("a"), call("b"), call("c")]}
    told = [
        Told("a", "now", "\n"),
        Told("b", "now", "\n", media=(PNG,)),
        Told("c", "now", "\n", is_error=True),
    ]

    messages = ANTHROPIC.results(message, told)

    require_messages(messages)
    contents = fields_of(messages[1]["content"], "content")
    assert contents[0] == "\n"
    assert [block["type"] for block in contents[1]] == ["image"]
    assert contents[2] == "The call failed without a word."


@pytest.mark.parametrize(
    "medium",
    [Media("audio/wav", "AAAA"), Media("image/bmp", "AAAA"), Media("text/plain", "//8=")],
    ids=["sound", "bitmap", "no text"],
)
def test_what_the_api_does_not_take_is_said_in_words(medium: Media) -> None:
    """The model knows that there was something."""
    assert "cannot be shown to you here" in shown(medium)["content"]


def test_a_late_result_is_a_message_of_its_own() -> None:
    """Half characters do not keep it from being sent."""
    late = ANTHROPIC.late("Done \ud83d!")

    assert late == {"role": "user", "content": "Done \ufffd!"}


def test_tools_are_described_as_the_api_wants_them() -> None:
    """Examples have a place of their own."""
    tool = Tool(
        name="calendar.add",
        description="Add.",
        parameters={"type": "object", "properties": {"day": {"type": "string"}}},
        examples=({"day": "Monday"},),
    )

    tools = ANTHROPIC.tools([tool, Tool(name="now")])

    require_tools(tools)
    assert tools[0] == {
        "name": ANTHROPIC.wire_name("calendar.add"),
        "description": "Add.",
        "input_schema": {"type": "object", "properties": {"day": {"type": "string"}}},
        "input_examples": [{"day": "Monday"}],
    }
    assert "description" not in tools[1]


def test_examples_go_where_they_are_wanted() -> None:
    """Behind the description, and then not in their own place."""
    tool = Tool(name="add", description="Add.", examples=({"a": 1},))

    [described] = ANTHROPIC.tools([tool], ExamplePlace.DESCRIPTION)

    assert "input_examples" not in described
    assert '{"a":1}' in described["description"]


def test_a_tool_that_may_be_strict_is() -> None:
    """Where it is asked for."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}

    export = export_tools(
        "anthropic", [Tool(name="add", parameters=schema)], Strictness.WHERE_POSSIBLE
    )

    require_tools(export.tools)
    assert export.tools[0]["strict"] is True
    assert export.tools[0]["input_schema"]["additionalProperties"] is False


NAMES = st.lists(st.text(min_size=1, max_size=90), unique=True, max_size=8)


@given(NAMES)
def test_every_name_is_legal_on_the_wire_and_found_again(names: list[str]) -> None:
    """Whatever characters it has, and however long it is."""
    for name in names:
        wired = ANTHROPIC.wire_name(name)
        assert re.fullmatch("[a-zA-Z0-9_-]{1,64}", wired)
        assert find_name(wired, names, ANTHROPIC.wire_name) == (wired if wired in names else name)
