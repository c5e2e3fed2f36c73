"""Whatever comes in place of a response: read or refused, never more."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.providers.responses_samples import RESPONSES, follow_up, response
from tests.providers.responses_types import MAX_CALL_ID
from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.openai_responses_approvals import open_approvals
from toolferry_dispatcher.providers.openai_responses_outputs import outputs_alone

#: Of each test, so that all of them take about a second.
EXAMPLES = 30
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
KINDS = st.sampled_from(
    [
        "function_call",
        "custom_tool_call",
        "function_call_output",
        "message",
        "reasoning",
        "mcp_approval_request",
        "mcp_call",
    ]
)
#: Items with every field right, wrong or missing.
ITEMS = st.fixed_dictionaries(
    {"type": KINDS | JSON},
    optional={
        "id": st.sampled_from(["1", "2"]) | JSON,
        "call_id": st.sampled_from(["a", "b", "c" * 70]) | JSON,
        "name": st.sampled_from(["now", "no.good"]) | JSON,
        "arguments": st.sampled_from(["{}", "", '{"a"']) | JSON,
        "input": JSON,
        "content": st.lists(
            JSON | st.fixed_dictionaries({"type": st.just("output_text"), "text": JSON}),
            max_size=2,
        )
        | JSON,
        "summary": JSON,
        "async": st.booleans(),
        "status": st.sampled_from(["completed", "incomplete"]) | JSON,
    },
)
STATUS = st.sampled_from(["completed", "incomplete", "failed", "in_progress"]) | JSON
EVENTS = st.fixed_dictionaries(
    {
        "type": st.sampled_from(
            [
                "response.created",
                "response.completed",
                "response.incomplete",
                "response.output_item.added",
                "response.output_item.done",
                "response.function_call_arguments.delta",
                "response.function_call_arguments.done",
                "response.output_text.delta",
                "response.reasoning_summary_text.delta",
                "error",
            ]
        )
        | JSON
    },
    optional={
        "item": ITEMS | JSON,
        "item_id": st.sampled_from(["1", "2"]) | JSON,
        "output_index": st.integers(-1, 3) | JSON,
        "content_index": st.integers(-1, 3) | JSON,
        "sequence_number": st.integers(0, 9) | JSON,
        "delta": st.text() | JSON,
        "arguments": st.text() | JSON,
        "response": st.fixed_dictionaries({}, optional={"output": JSON, "status": STATUS}) | JSON,
        "error": JSON,
    },
)


@settings(max_examples=EXAMPLES)
@given(JSON | st.text() | st.binary())
def test_whatever_comes_is_read_or_refused(body: Any) -> None:
    """With the one error that there is for it."""
    with suppress(ResponseMalformed):
        RESPONSES.read(body)
    with suppress(ResponseMalformed):
        RESPONSES.assembler().add(body)


@settings(max_examples=EXAMPLES)
@given(st.lists(ITEMS, max_size=5), STATUS, JSON)
def test_every_call_of_any_response_is_answered_once(
    items: list[Any], status: Any, error: Any
) -> None:
    """In JSON that can be sent, with ids that are unique and short, and the same every time."""
    body = response(*items, status=status, error=error)
    try:
        reply = RESPONSES.read(body)
    except ResponseMalformed:
        return

    sent = follow_up(reply)

    json.dumps(sent, allow_nan=False).encode()
    answers = [one["call_id"] for one in outputs_alone(sent)[-len(reply.calls) or len(sent) :]]
    assert len(set(answers)) == len(answers) == len(reply.calls)
    assert all(len(call_id) <= MAX_CALL_ID for call_id in answers)
    assert RESPONSES.read(body) == reply
    open_approvals(sent)


@settings(max_examples=EXAMPLES)
@given(st.lists(EVENTS | JSON, max_size=8))
def test_any_stream_gives_something_that_can_be_read(events: list[Any]) -> None:
    """An event that is none is refused and changes nothing."""
    assembler = RESPONSES.assembler()
    for event in events:
        with suppress(ResponseMalformed):
            assembler.add(event)

    body = assembler.body()

    with suppress(ResponseMalformed):
        RESPONSES.read(body)
