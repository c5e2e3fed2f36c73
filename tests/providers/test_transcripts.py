"""Stored conversations that a provider would refuse, and what is made of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples.scripted import (
    anthropic_rules,
    bedrock_rules,
    cohere_rules,
    gemini_rules,
    openai_chat_rules,
    openai_responses_rules,
)
from examples.scripted.refusal import Refused
from toolferry import CallError, Effect, ErrorCode, Outcome, ResponseMalformed, ToolResult
from toolferry_dispatcher.providers import Told, provider
from toolferry_dispatcher.transcripts import (
    WireRule,
    guess_provider,
    lint_messages,
    mend_messages,
)

CASE = json.loads(
    (Path(__file__).parents[1] / "data/cases/32-cancelled-turn-orphans.json").read_text("utf-8")
)
#: One call as a model makes it: its id, and the tool.
Call = tuple[str, str]


@dataclass(frozen=True)
class Format:
    """How a format has a response, a question and a request."""

    body: Callable[[list[Call]], dict[str, Any]]
    question: dict[str, Any]
    check: Callable[[Mapping[str, Any]], None]
    request: Callable[[list[Any]], dict[str, Any]]


def _asked(blocks: list[dict[str, Any]]) -> dict[str, Any]:
    return {"role": "assistant", "content": blocks}


FORMATS = {
    "openai-chat": Format(
        lambda calls: {
            "role": "assistant",
            "content": "Hm." if not calls else None,
            "tool_calls": [
                {"id": one, "type": "function", "function": {"name": name, "arguments": "{}"}}
                for one, name in calls
            ],
        },
        {"role": "user", "content": "How?"},
        openai_chat_rules.check,
        lambda messages: {"model": "m", "messages": messages},
    ),
    "openai-responses": Format(
        lambda calls: {
            "output": [
                {"type": "function_call", "call_id": one, "name": name, "arguments": "{}"}
                for one, name in calls
            ]
        },
        {"role": "user", "content": "How?"},
        openai_responses_rules.check,
        lambda messages: {"model": "m", "input": messages},
    ),
    "anthropic": Format(
        lambda calls: _asked(
            [{"type": "text", "text": "Hm."}]
            + [{"type": "tool_use", "id": one, "name": name, "input": {}} for one, name in calls]
        ),
        {"role": "user", "content": [{"type": "text", "text": "How?"}]},
        anthropic_rules.check,
        lambda messages: {"model": "m", "max_tokens": 9, "messages": messages},
    ),
    "bedrock-converse": Format(
        lambda calls: _asked(
            [{"text": "Hm."}]
            + [{"toolUse": {"toolUseId": one, "name": name, "input": {}}} for one, name in calls]
        ),
        {"role": "user", "content": [{"text": "How?"}]},
        bedrock_rules.check,
        lambda messages: {
            "messages": messages,
            "toolConfig": {
                "tools": [
                    {
                        "toolSpec": {
                            "name": "look",
                            "inputSchema": {"json": {"type": "object", "properties": {}}},
                        }
                    }
                ]
            },
        },
    ),
    "gemini": Format(
        lambda calls: {
            "role": "model",
            "parts": [{"text": "Hm."}]
            + [{"functionCall": {"name": name, "args": {}}} for _, name in calls],
        },
        {"role": "user", "parts": [{"text": "How?"}]},
        gemini_rules.check,
        lambda messages: {"contents": messages},
    ),
    "cohere-v2": Format(
        lambda calls: {
            "role": "assistant",
            **({"tool_plan": "Hm."} if calls else {"content": [{"type": "text", "text": "Hm."}]}),
            "tool_calls": [
                {"id": one, "type": "function", "function": {"name": name, "arguments": "{}"}}
                for one, name in calls
            ],
        },
        {"role": "user", "content": "How?"},
        cohere_rules.check,
        lambda messages: {"model": "m", "messages": messages},
    ),
}


def conversation(name: str, rounds: list[list[Call]]) -> list[dict[str, Any]]:
    """A conversation as its own adapter writes it."""
    form, adapter = FORMATS[name], provider(name)
    messages = [form.question]
    for calls in rounds:
        reply = adapter.read(form.body(calls))
        told = [Told(one.call.call_id, one.call.name, "done") for one in reply.calls]
        messages += [*adapter.results(reply.message, told), form.question]
    return deepcopy(list(messages))


def _blocks(message: dict[str, Any]) -> list[Any]:
    found = message.get("content") or message.get("parts")
    return found if isinstance(found, list) else []


def _lose(messages: list[Any], one: int, _other: int) -> None:
    del messages[one]


def _repeat(messages: list[Any], one: int, other: int) -> None:
    messages.insert(other, deepcopy(messages[one]))


def _swap(messages: list[Any], one: int, other: int) -> None:
    messages[one], messages[other] = messages[other], messages[one]


def _turn_round(messages: list[Any], one: int, _other: int) -> None:
    _blocks(messages[one]).reverse()


def _thin_out(messages: list[Any], one: int, other: int) -> None:
    blocks = _blocks(messages[one])
    if len(blocks) > 1:
        del blocks[other % len(blocks)]


BLOWS = (_lose, _repeat, _swap, _turn_round, _thin_out)
#: What goes wrong, and the messages that it hits.
Blow = tuple[Callable[[list[Any], int, int], None], int, int]


def broken(messages: list[Any], blows: list[Blow]) -> list[dict[str, Any]]:
    """The same after something has gone wrong with it; its first message stays."""
    for blow, first, second in blows:
        if len(messages) > 2:
            blow(messages, 1 + first % (len(messages) - 1), 1 + second % (len(messages) - 1))
    return messages


#: Ids come again, within a turn and in later ones.
calls = st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.just("look")), max_size=4)
rounds = st.lists(calls, min_size=1, max_size=3)
blows = st.lists(
    st.tuples(
        st.sampled_from(BLOWS),
        st.integers(0, 50),
        st.integers(0, 50),
    ),
    max_size=5,
)


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=20)
@given(rounds=rounds, blows=blows)
def test_whatever_went_wrong_is_mended(
    name: str, rounds: list[list[Call]], blows: list[Blow]
) -> None:
    """The API takes it, and there is nothing more to mend."""
    messages = broken(conversation(name, rounds), blows)
    kept = deepcopy(messages)

    mended = mend_messages(messages, name)

    FORMATS[name].check(FORMATS[name].request(mended))
    assert lint_messages(mended, name) == ()
    assert mend_messages(mended, name) == mended
    assert messages == kept


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=400)
@given(rounds=rounds, blows=blows)
def test_of_many_conversations_each_is_mended(
    name: str, rounds: list[list[Call]], blows: list[Blow]
) -> None:
    """The same with twenty times as many."""
    mended = mend_messages(broken(conversation(name, rounds), blows), name)

    FORMATS[name].check(FORMATS[name].request(mended))
    assert mend_messages(mended, name) == mended


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=20)
@given(rounds=rounds, blows=blows)
def test_the_linter_finds_whatever_the_api_refuses(
    name: str, rounds: list[list[Call]], blows: list[Blow]
) -> None:
    """A conversation without faults is one that the API takes, and that mending leaves alone."""
    messages = broken(conversation(name, rounds), blows)
    faults = lint_messages(messages, name)

    if not faults:
        FORMATS[name].check(FORMATS[name].request(messages))
        assert mend_messages(messages, name) == messages


def test_a_cancelled_turn_tells_the_truth_of_each_call() -> None:
    """Case 32: what is known of a call is said, the stray result is no call's any more."""
    history = CASE["scenario"]["history"]
    told = {
        "toolu_a": CallError.of(ErrorCode.CANCELLED, "It was interrupted.").doubtful(),
        "toolu_b": CallError.of(ErrorCode.CANCELLED, "It was not started."),
    }
    effects = {"toolu_a": Effect.POSSIBLE, "toolu_b": Effect.NONE}
    known = {
        call_id: ToolResult(
            call_id=call_id,
            name="",
            outcome=Outcome.CANCELLED,
            effect=effects[call_id],
            error=error,
        )
        for call_id, error in told.items()
    }

    _, _, answer, *behind = mend_messages(history, "anthropic", known)

    first, second, text = answer["content"]
    assert [first["tool_use_id"], second["tool_use_id"]] == ["toolu_a", "toolu_b"]
    assert "interrupted" in first["content"]
    assert '"effect":"possible"' in first["content"]
    assert "not started" in second["content"]
    assert text == {"type": "text", "text": "never mind"}
    assert "toolu_zzz" not in json.dumps(behind)
    assert "stray" in json.dumps(behind)


def test_a_call_of_which_nothing_is_known_may_have_happened() -> None:
    """Nobody tells a model that it did not."""
    message = FORMATS["openai-chat"].body([("a", "look")])

    _, answer = mend_messages([message])

    assert answer["tool_call_id"] == "a"
    assert "It may or may not have happened." in answer["content"]


def test_each_fault_is_told_with_its_place() -> None:
    """In the order of the messages."""
    look = FORMATS["openai-chat"].body
    messages = [
        {"role": "tool", "tool_call_id": "lost", "content": "?"},
        look([("a", "look.up")]),
        {"role": "user", "content": "Well?"},
        {"role": "tool", "tool_call_id": "a", "content": "1"},
        {"role": "tool", "tool_call_id": "a", "content": "2"},
        look([("a", "look")]),
    ]

    faults = lint_messages(messages)

    assert [(fault.rule, fault.message) for fault in faults] == [
        (WireRule.RESULT_WITHOUT_CALL, 0),
        (WireRule.CALL_ILLEGAL, 1),
        (WireRule.RESULT_MISPLACED, 1),
        (WireRule.ID_TWICE, 5),
        (WireRule.RESULT_MISPLACED, 5),
    ]


@pytest.mark.parametrize("name", FORMATS)
def test_the_format_is_told_by_the_messages(name: str) -> None:
    """Nobody has to know it by heart."""
    assert guess_provider(conversation(name, [[("a", "look")]])) == name


def test_a_message_that_is_no_object_is_refused_with_its_place() -> None:
    """One sentence, no traceback."""
    with pytest.raises(ResponseMalformed, match=r"messages\[1\]: must be an object, not a string"):
        lint_messages([{"role": "user", "content": "x"}, "y"])


@pytest.mark.parametrize("odd", [[], {}, ["tool"], None, 1])
@pytest.mark.parametrize("name", FORMATS)
def test_a_role_and_a_type_may_be_anything(name: str, odd: object) -> None:
    """Then it is nobody's call and nobody's result, and stays as it is."""
    strange: dict[str, Any] = {"role": odd, "type": odd, "content": [], "parts": []}
    messages = [strange, {"role": "user"}]

    assert guess_provider(messages)
    assert lint_messages(messages, name) == ()
    assert mend_messages(messages, name) == messages


@pytest.mark.parametrize("name", FORMATS)
def test_what_no_request_can_carry_is_told_and_mended(name: str) -> None:
    """In a person's words as in a call; JSON has neither."""
    messages = conversation(name, [[("a", "look")]])
    messages[0]["mood"] = float("nan")
    messages.append({"role": "user", "half": "\ud83d"})

    mended = mend_messages(messages, name)

    rules = [(fault.rule, fault.message) for fault in lint_messages(messages, name)]
    assert rules[:1] == [(WireRule.UNSENDABLE, 0)]
    assert (WireRule.UNSENDABLE, len(messages) - 1) in rules
    assert mended[0]["mood"] is None
    assert lint_messages(mended, name) == ()


def test_results_of_calls_that_cannot_be_read_stay_with_them() -> None:
    """Wherever they stood, and only once: nothing is lost, and nothing is told again and again."""
    asked = {"role": "assistant", "content": 7, "tool_calls": [{"id": "a"}]}
    lone = {"role": "tool", "tool_call_id": "lost", "content": "?"}
    late = {"role": "tool", "tool_call_id": "a", "content": "8"}

    mended = mend_messages([asked, lone, {"role": "user", "content": "Well?"}, late])

    assert mended == [asked, late, lone, {"role": "user", "content": "Well?"}]
    assert mend_messages(mended) == mended


def test_what_was_parted_by_a_misplaced_result_is_mended_as_one() -> None:
    """Thoughts that stood before the result belong to the calls behind it once that is moved."""
    thought = {"type": "reasoning", "id": "rs_1", "summary": None}
    told = {"type": "function_call_output", "call_id": "a", "output": "8"}
    call = {"type": "function_call", "call_id": "a", "name": "look", "arguments": "{}"}

    mended = mend_messages([thought, told, call], "openai-responses")

    assert mend_messages(mended, "openai-responses") == mended
    assert lint_messages(mended, "openai-responses") == ()


def test_what_cannot_be_read_stays_as_it_is() -> None:
    """It is told, and nothing is lost."""
    messages = [{"role": "assistant", "content": 7, "tool_calls": [{"id": "a"}]}]

    assert [fault.rule for fault in lint_messages(messages)] == [WireRule.UNREADABLE]
    assert mend_messages(messages) == messages


def test_the_rules_of_the_scripted_server_can_refuse() -> None:
    """Else the tests above would prove nothing."""
    messages = [FORMATS["openai-chat"].question, FORMATS["openai-chat"].body([("a", "look")])]

    with pytest.raises(Refused):
        openai_chat_rules.check(FORMATS["openai-chat"].request(messages))
