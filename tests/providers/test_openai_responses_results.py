"""The Responses API out: outputs, what they show, late ones, approvals, and tools."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from tests.providers.responses_samples import (
    RESPONSES,
    call,
    custom,
    follow_up,
    read,
    reasoning,
)
from tests.providers.responses_types import require_input, require_tools
from toolferry import Tool, ToolInvalid
from toolferry_dispatcher.providers import Media, Told, free_form
from toolferry_dispatcher.providers.openai_responses_approvals import open_approvals
from toolferry_dispatcher.providers.openai_responses_forms import (
    answered_later,
    in_namespace,
)
from toolferry_dispatcher.providers.openai_responses_outputs import outputs_alone

PNG = Media("image/png", "iVBORw0=", "chart.png")
ASKED = {
    "type": "mcp_approval_request",
    "id": "mcpr_1",
    "server_label": "files",
    "name": "delete",
    "arguments": '{"path": "a"}',
}


def opened() -> dict[str, Any]:
    """A call that may stay open."""
    return {**call(), "async": True}


def output_of(one: Told, item: dict[str, Any] | None = None) -> dict[str, Any]:
    """What goes back for one call."""
    return RESPONSES.results(read(item or call()).message, [one])[-1]


def test_every_call_is_answered_once_and_in_order() -> None:
    """Behind all items of the response."""
    sent = follow_up(read(reasoning(), call(call_id="b"), custom(call_id="a")))

    require_input(sent)
    assert [one["type"] for one in sent[3:]] == ["function_call_output", "custom_tool_call_output"]


def test_the_text_is_whole_and_readable() -> None:
    """Half characters are folded, all others stay."""
    assert output_of(Told("call_1", "now", "你好世界 \ud83d!"))["output"] == "你好世界 �!"


@pytest.mark.parametrize("item", [call(), custom()], ids=["function", "custom"])
@pytest.mark.parametrize("is_error", [False, True])
def test_media_are_shown_beside_the_text(item: dict[str, Any], is_error: bool) -> None:  # noqa: FBT001 -- a row of the table
    """Pictures and documents as parts, each in its own form."""
    media = (PNG, Media("application/pdf", "JVBERi0=", number=2), Media("text/csv", "YQ==", "a"))

    sent = RESPONSES.results(
        read(item).message, [Told("call_1", "now", "See:", is_error=is_error, media=media)]
    )

    require_input(sent)
    assert sent[-1]["output"] == [
        {"type": "input_text", "text": "See:"},
        {"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,iVBORw0="},
        {
            "type": "input_file",
            "filename": "medium-2",
            "file_data": "data:application/pdf;base64,JVBERi0=",
        },
        {"type": "input_file", "filename": "a", "file_data": "data:text/csv;base64,YQ=="},
    ]


@pytest.mark.parametrize("media_type", ["audio/wav", "video/mp4", "image/tiff", "application/zip"])
def test_what_cannot_be_shown_is_told_in_words(media_type: str) -> None:
    """The API would refuse the request."""
    output = output_of(Told("call_1", "now", "See:", media=(Media(media_type, "YQ=="),)))

    assert output["output"] == f"See:\n[medium 1 ({media_type}) cannot be shown to you here]"


def test_with_the_response_on_the_server_the_outputs_go_alone() -> None:
    """What the response holds is there already, also what it answered itself."""
    answered = {"type": "function_call_output", "id": "o", "call_id": "x", "output": "noon"}
    caller = {"type": "program", "caller_id": "p"}
    reply = read(reasoning(), call(call_id="x"), answered, call(caller=caller), custom(call_id="c"))

    sent = outputs_alone(follow_up(reply))

    assert sent == [
        {
            "type": "function_call_output",
            "call_id": "call_1",
            "output": "done",
            "caller": caller,
        },
        {"type": "custom_tool_call_output", "call_id": "c", "output": "done"},
    ]


def test_outputs_need_no_message() -> None:
    """Then all calls are functions."""
    assert RESPONSES.results({}, [Told("a", "now", "noon")]) == [
        {"type": "function_call_output", "call_id": "a", "output": "noon"}
    ]


def test_an_async_call_that_still_runs_stays_open() -> None:
    """Its result is its one output, in a later request; its siblings are answered."""
    message = read(opened(), call(call_id="b")).message
    running = [Told(one, "now", "It still runs.", is_running=True) for one in ("call_1", "b")]

    sent = RESPONSES.results(message, running)
    late = RESPONSES.late_output(message, Told("call_1", "now", "noon"))

    assert [one["call_id"] for one in sent[2:]] == ["b"]
    assert late == {"type": "function_call_output", "call_id": "call_1", "output": "noon"}
    assert RESPONSES.late_output(message, Told("b", "now", "noon")) is None


def test_an_async_call_that_has_ended_is_answered_at_once() -> None:
    """There is nothing to wait for."""
    require_input(follow_up(read(opened())))


def test_a_late_result_of_another_call_is_a_message() -> None:
    """A second output for a call is refused."""
    message = RESPONSES.late("It has ended.")

    require_input([message])
    assert message == {"role": "user", "content": "It has ended."}


def test_a_request_for_approval_is_answered_behind_the_outputs() -> None:
    """By the application: what it asks for is never run here."""
    reply = read(ASKED, call())
    sent = follow_up(reply)

    [approval] = open_approvals(sent)
    sent.append(approval.answer(approve=False, reason="Not \ud83dthat."))

    require_input(sent)
    assert (approval.server, approval.tool) == ("files", "delete")
    assert approval.arguments == {"path": "a"}
    assert open_approvals(sent) == ()


def test_arguments_that_cannot_be_read_are_a_fault_of_the_request() -> None:
    """Nobody should approve of them."""
    approvals = open_approvals([{**ASKED, "arguments": "{"}, {**ASKED, "id": ["odd"], "name": 7}])

    assert [one.fault is None for one in approvals] == [False, True]
    assert approvals[1].request_id == approvals[1].tool == ""


def test_an_approved_call_that_has_run_is_not_asked_for_again() -> None:
    """Its item names the request."""
    ran = {"type": "mcp_call", "id": "mcp_1", "approval_request_id": "mcpr_1"}

    assert open_approvals([ASKED, ran]) == ()


def test_tools_are_flat_and_hold_the_model_to_nothing_that_is_not_written() -> None:
    """Without `strict` the API would rewrite schemas by itself."""
    schema = {"type": "object", "properties": {"ids": {"type": "array"}}}
    tool = Tool(name="calendar.add", description="Add.", parameters=schema)

    [described] = RESPONSES.tools([tool])

    require_tools([described])
    assert described["name"] == RESPONSES.wire_name("calendar.add")
    assert described["parameters"]["properties"]["ids"] == {"type": "array", "items": {}}
    assert described["strict"] is False


def test_two_tools_under_one_name_are_refused() -> None:
    """The model could call one of them only."""
    tools = [Tool(name="a.b"), Tool(name=RESPONSES.wire_name("a.b"))]

    with pytest.raises(ToolInvalid, match="goes by the same name on the wire"):
        RESPONSES.tools(tools)


def test_the_other_forms_of_tools_are_what_the_api_takes() -> None:
    """Groups, calls that stay open, and free text."""
    schema = {"type": "object", "properties": {"input": {"type": "string"}}}
    find, query = RESPONSES.tools([Tool(name="find"), Tool(name="query", parameters=schema)])

    custom_tool = free_form(query, {"type": "text"})
    tools = [in_namespace("crm", "Customers.", [find, custom_tool]), answered_later(find)]

    require_tools([*tools, custom_tool, free_form(query)])
    assert tools[1]["async"] is True
    assert "parameters" not in custom_tool


@pytest.mark.parametrize("properties", [{}, {"a": {"type": "string"}}, {"input": {"type": "null"}}])
def test_a_tool_that_takes_more_than_text_cannot_be_free_form(properties: dict[str, Any]) -> None:
    """Its handler would miss what it needs."""
    schema = {"type": "object", "properties": properties}
    [described] = RESPONSES.tools([Tool(name="find", parameters=schema)])

    with pytest.raises(ToolInvalid, match="takes free text only when 'input'"):
        free_form(described)


def test_the_judge_of_these_tests_is_strict() -> None:
    """It finds a field too many, a type that is wrong deep inside, and a call without answer."""
    good = {"type": "function_call_output", "call_id": "a", "output": "x"}

    with pytest.raises(AssertionError):
        require_input([call(call_id="a", parsed_arguments={}), good])
    with pytest.raises(ValidationError):
        require_input([call(call_id="a"), {**good, "output": [{"type": "input_text"}]}])
    with pytest.raises(AssertionError):
        require_input([call(call_id="a")])
