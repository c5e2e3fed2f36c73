"""The Responses API in: what is a call, what it says, and how it goes back."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from openai.types.responses import Response, ResponseError
from openai.types.responses.parsed_response import ParsedResponse
from openai.types.responses.response import IncompleteDetails
from openai.types.responses.response_status import ResponseStatus

from tests.providers.responses_samples import (
    RESPONSES,
    call,
    custom,
    follow_up,
    message,
    read,
    reasoning,
    response,
    text,
)
from tests.providers.responses_types import require_input
from toolferry import ErrorCode, ResponseMalformed, ToolCall
from toolferry_dispatcher.providers import find_name
from toolferry_dispatcher.providers.openai_responses_calls import CALL_ID
from toolferry_dispatcher.providers.openai_responses_endings import (
    ENDING_OF_REASON,
    ENDING_OF_STATUS,
)
from toolferry_dispatcher.providers.settling import cut_off
from toolferry_dispatcher.providers.wire_ids import wire_id
from toolferry_dispatcher.reply import Ending, ReplyKind

REASONS = get_args(get_args(IncompleteDetails.model_fields["reason"].annotation)[0])
ERRORS = get_args(ResponseError.model_fields["code"].annotation)
REFUSALS = {"bio_policy", "misalignment_policy_violation", "image_content_policy_violation"}
LONG = "call_" + "0" * 64


@pytest.mark.parametrize("status", get_args(ResponseStatus))
def test_every_status_of_the_api_means_something(status: str) -> None:
    """The table is closed: a new one is noticed with the next SDK."""
    assert ENDING_OF_STATUS.keys() == set(get_args(ResponseStatus))
    kind = read(message(text("hi")), status=status).kind

    assert kind is {
        "completed": ReplyKind.FINAL,
        "failed": ReplyKind.PROVIDER_ERROR,
    }.get(status, ReplyKind.INCOMPLETE)


@pytest.mark.parametrize("status", ["", "done", None, 7])
def test_a_status_that_nobody_knows_says_nothing(status: Any) -> None:
    """What the response holds decides."""
    assert read(call(), status=status).kind is ReplyKind.CALLS
    assert read(message(text("hi")), status=status).kind is ReplyKind.FINAL


@pytest.mark.parametrize("reason", [*REASONS, "unheard_of", None])
def test_every_reason_of_an_incomplete_response_means_something(reason: str | None) -> None:
    """A filter has refused; a limit leaves whole calls; everything else was broken off."""
    assert ENDING_OF_REASON.keys() == set(REASONS)
    details = {"incomplete_details": {"reason": reason}}

    reply = read(status="incomplete", **details)
    with_calls = read(call(), call(call_id="b"), status="incomplete", **details)

    refused = reason == "content_filter"
    assert reply.kind is (ReplyKind.REFUSED if refused else ReplyKind.INCOMPLETE)
    assert reply.finish_reason == (reason or "incomplete")
    assert with_calls.kind is ReplyKind.CALLS
    assert (with_calls.ending is Ending.LENGTH) is (str(reason).startswith("max_"))
    assert [getattr(one.fault, "code", None) for one in with_calls.calls] == [None, "truncated"]


@pytest.mark.parametrize("code", [*ERRORS, "unheard_of"])
def test_every_error_of_a_failed_response_is_told(code: str) -> None:
    """Rules about what may be said are a refusal; calls beside an error are not asked for."""
    error = {"code": code, "message": "It did not work."}

    reply = read(call(), status="failed", error=error)

    assert reply.kind is (ReplyKind.REFUSED if code in REFUSALS else ReplyKind.PROVIDER_ERROR)
    assert (reply.calls, reply.text, reply.finish_reason) == ((), "It did not work.", code)
    require_input(follow_up(reply))


def test_an_error_in_place_of_a_response_is_a_reply() -> None:
    """As the API sends it with another status than 200."""
    body = {"error": {"message": "No quota.", "type": "insufficient_quota", "code": None}}

    reply = RESPONSES.read(body)

    assert (reply.kind, reply.text) == (ReplyKind.PROVIDER_ERROR, "No quota.")


def test_no_call_of_a_response_that_was_cut_off_runs_unasked() -> None:
    """Those before the last one may, when the application says so, and only at a limit."""
    calls = (call(), call(call_id="b"))
    limit = read(*calls, status="incomplete", incomplete_details={"reason": "max_output_tokens"})
    filtered = read(*calls, status="incomplete", incomplete_details={"reason": "content_filter"})

    ran = [
        [one.fault is None for one in cut_off(reply, run_complete=run).calls]
        for reply in (limit, filtered)
        for run in (False, True)
    ]

    assert ran == [[False, False], [True, False], [False, False], [False, False]]


def test_a_refusal_of_the_model_is_no_answer() -> None:
    """Its words are the text; beside a call it is only talk."""
    declined = message({"type": "refusal", "refusal": "I will not."})

    assert (read(declined).kind, read(declined).text) == (ReplyKind.REFUSED, "I will not.")
    assert read(declined, call()).kind is ReplyKind.CALLS


@pytest.mark.parametrize("items", [(), (reasoning(),), (message(),), (message(text("  ")),)])
def test_nothing_but_thoughts_is_degenerate(items: tuple[dict[str, Any], ...]) -> None:
    """There is nothing to run and nothing to show."""
    assert read(*items).kind is ReplyKind.DEGENERATE


@pytest.mark.parametrize(
    "kind",
    [
        "apply_patch_call",
        "code_interpreter_call",
        "computer_call",
        "file_search_call",
        "image_generation_call",
        "local_shell_call",
        "mcp_approval_request",
        "mcp_call",
        "mcp_list_tools",
        "program",
        "shell_call",
        "tool_search_call",
        "web_search_call",
        "a_call_of_the_future",
    ],
)
def test_what_is_no_call_of_ours_is_never_run_or_answered(kind: str) -> None:
    """Even with a call id and the name of a tool; it goes back in its place."""
    item = {"type": kind, "id": "x_1", "call_id": "call_x", "name": "now", "arguments": "{}"}

    reply = read(item, call())

    assert [one.call.call_id for one in reply.calls] == ["call_1"]
    assert follow_up(reply)[0] == item
    assert len(follow_up(reply)) == 3
    assert read(item).kind is ReplyKind.FINAL


def test_a_call_that_the_response_answers_itself_is_not_ours() -> None:
    """A second output would be refused."""
    output = {"type": "function_call_output", "id": "o_1", "call_id": "call_1", "output": "noon"}

    reply = read(call(), output, call(call_id="b"))

    assert [one.call.call_id for one in reply.calls] == ["b"]


def test_a_custom_call_gives_its_text_to_its_tool() -> None:
    """Under `input`, and is answered in its own form."""
    reply = read(custom("SELECT '\ud83d'", status="completed", created_by="x"))

    [one] = reply.calls
    echo, output = follow_up(reply)
    assert one.call == ToolCall("call_1", "query", {"input": "SELECT '�'"})
    assert echo == custom("SELECT '�'")
    assert output == {"type": "custom_tool_call_output", "call_id": "call_1", "output": "done"}


@pytest.mark.parametrize("arguments", ["", " ", "null", None, {}, "{}"])
def test_no_arguments_at_all_are_an_empty_object(arguments: Any) -> None:
    """In the history as well, where the API takes nothing else."""
    reply = read(call(arguments=arguments))

    assert reply.calls[0].call.arguments == {}
    assert reply.calls[0].fault is None
    assert follow_up(reply)[0]["arguments"] == "{}"


def test_arguments_go_back_to_the_letter() -> None:
    """Blanks, escapes and long integers as they came."""
    raw = '{ "id": 9007199254740993,  "name": "\\u4f60\\u597d"}'

    reply = read(call(arguments=raw))

    assert reply.calls[0].call.arguments == {"id": 9007199254740993, "name": "你好"}
    assert follow_up(reply)[0]["arguments"] == raw


@pytest.mark.parametrize(
    ("item", "code"),
    [
        (call(arguments='{"path": "a'), ErrorCode.TRUNCATED),
        (call(arguments='{"a": 1}{"a": 2}'), ErrorCode.MULTIPLE_OBJECTS),
        (call(arguments=[1]), ErrorCode.INVALID_JSON),
        (call(status="incomplete"), ErrorCode.TRUNCATED),
        (call(name=""), ErrorCode.UNKNOWN_TOOL),
        (custom(name=None), ErrorCode.UNKNOWN_TOOL),
    ],
)
def test_what_is_wrong_with_one_call_leaves_its_sibling_alone(
    item: dict[str, Any], code: ErrorCode
) -> None:
    """It is answered like any other."""
    reply = read(item, call(call_id="b"))

    bad, good = reply.calls
    assert bad.fault is not None
    assert (bad.fault.code, good.fault) == (code, None)
    require_input(follow_up(reply))


def test_every_call_has_an_id_of_its_own() -> None:
    """Those that share one, or have none, get one that is the same when it is read again."""
    items = (call(), call(), call(call_id=None), call(call_id=" "))

    first, again = read(*items), read(*items)

    ids = [one.call.call_id for one in first.calls]
    assert ids[0] == "call_1"
    assert len(set(ids)) == 4
    assert ids == [one.call.call_id for one in again.calls]
    require_input(follow_up(first))


def test_an_id_that_is_too_long_is_short_on_the_wire_only() -> None:
    """On both sides, told apart from others, and found again."""
    given = [LONG, LONG + "1"]

    reply = read(*(call(call_id=one) for one in given))

    sent = [item["call_id"] for item in follow_up(reply)]
    assert [one.call.call_id for one in reply.calls] == given
    assert sent[:2] == sent[2:]
    assert [find_name(one, given, lambda one: wire_id(one, CALL_ID)) for one in sent[:2]] == given
    require_input(follow_up(reply))


def test_an_id_that_is_the_short_form_of_another_gets_a_made_one() -> None:
    """So that both are answered."""
    short = follow_up(read(call(call_id=LONG)))[0]["call_id"]

    reply = read(call(call_id=LONG), call(call_id=short))

    assert len({one.call.call_id for one in reply.calls}) == 2
    require_input(follow_up(reply))


def test_a_namespace_says_nothing_about_the_name() -> None:
    """It goes back beside it."""
    reply = read(call("find", namespace="crm"))

    assert reply.calls[0].call.name == "find"
    assert follow_up(reply)[0]["namespace"] == "crm"


def test_a_name_that_is_not_legal_is_mapped_in_the_history() -> None:
    """The model may write a tool's own name."""
    reply = read(call("calendar.add"))

    assert reply.calls[0].call.name == "calendar.add"
    assert follow_up(reply)[0]["name"] == RESPONSES.wire_name("calendar.add")


def test_thoughts_and_programs_go_back_in_their_places() -> None:
    """Adjacent to their calls, with everything that nobody but the provider can read."""
    program = {
        "type": "program",
        "id": "prg_1",
        "call_id": "call_p",
        "code": "await now()",
        "fingerprint": "f",
    }
    caller = {"type": "program", "caller_id": "call_p"}
    items = (reasoning("rs_1"), program, call(caller=caller), reasoning("rs_2"), call(call_id="b"))

    sent = follow_up(read(*items))

    require_input(sent)
    assert sent[:5] == list(items)
    assert [one.get("caller") for one in sent[5:]] == [caller, None]


def test_thoughts_that_lead_to_nothing_stay_out() -> None:
    """A request with them is refused."""
    assert follow_up(read(message(text("hi")), reasoning())) == [message(text("hi"))]


def test_what_the_sdk_adds_is_not_sent_back() -> None:
    """An object of the SDK is read like the JSON that it was made of."""
    said = {**text("hi"), "parsed": {"a": 1}, "logprobs": []}
    body = response(call(parsed_arguments={"a": 1}, created_by="me"), message(said))
    made: list[Any] = [
        body,
        json.dumps(body),
        json.dumps(body).encode(),
        Response.construct(**body),
        ParsedResponse.construct(**body),
        body["output"],
        {"type": "response.completed", "response": body},
    ]

    replies = [RESPONSES.read(one) for one in made]

    assert {reply.text for reply in replies} == {"hi"}
    for reply in replies:
        assert follow_up(reply)[:2] == [call(), message({**text("hi"), "logprobs": []})]


def test_numbers_that_json_has_not_and_half_characters_are_mended() -> None:
    """The rest of the item stays."""
    item = {"type": "file_search_call", "id": "fs_1", "score": float("nan"), "text": "\ud83d!"}

    assert follow_up(read(item)) == [{**item, "score": None, "text": "�!"}]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (7, "response: body: must be an object, a dict or JSON text, not int"),
        ("7", "response: body: must be an object, not a number"),
        ({}, "response: output: is missing: this is no response of the Responses API"),
        ({"output": 7}, "response: output: must be an array, not a number"),
        ({"output": ["hi"]}, "response: output[0]: must be an object, not a string"),
        ({"output": [{}]}, "response: output[0].type: must be a string, not null"),
        (
            [{"type": "tool_use"}],
            "response: [0].type: 'tool_use' is no item of this API: name the provider that sent it",
        ),
        (
            {"type": "response.output_text.delta"},
            "response: type: is that of one event of a stream, not of a response",
        ),
    ],
)
def test_what_is_no_response_is_refused_by_its_place(body: object, sentence: str) -> None:
    """One clear sentence says where and what."""
    with pytest.raises(ResponseMalformed) as refused:
        RESPONSES.read(body)

    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("body", "known"),
    [
        (response(), True),
        ({"output": []}, True),
        ({"type": "response.created", "response": {}}, True),
        ({"type": "error", "message": "x", "sequence_number": 3}, True),
        ({"type": "error", "error": {"message": "of another API"}}, False),
        ({"output": {"message": {"content": []}}}, False),
        ({"choices": []}, False),
        ([], False),
        (None, False),
    ],
)
def test_a_response_is_recognised_by_its_looks(body: Any, known: bool) -> None:  # noqa: FBT001 -- a row of the table
    """So are the events of a stream; what others send is not."""
    assert RESPONSES.recognises(body) is known


def test_an_output_that_failed_says_so_before_its_status() -> None:
    """An error that comes with a good status is an error."""
    assert read(call(), error={"code": "server_error", "message": "x"}).calls == ()
