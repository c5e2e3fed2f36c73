"""Servers that speak another one's format, each with its declared differences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.providers.wire_types import require_messages
from toolferry import ConfigurationError, Tool
from toolferry_dispatcher import Dialect, alias
from toolferry_dispatcher.providers import (
    IdForm,
    Media,
    MediaKind,
    OpenAIChat,
    Provider,
    Strictness,
    StrictTools,
    Told,
    base_providers,
    export_tools,
    forget_provider,
    provider,
)
from toolferry_dispatcher.providers.aliases import ALIASES

#: Those that differ in what may be asked of them only, or in nothing that is known.
LIKE_OPENAI = ["azure", "fireworks", "huggingface", "llamacpp", "lmstudio", "ollama", "together"]
LIKE_OPENAI += ["vllm", "xai"]


@pytest.fixture
def new() -> Iterator[str]:
    """Give a name that is taken back after the test."""
    yield "my-server"
    forget_provider("my-server")


def a_message(call_id: str = "call_1", **fields: object) -> dict[str, Any]:
    """An assistant message with one call, and these fields."""
    call = {"id": call_id, "type": "function", "function": {"name": "now", "arguments": "{}"}}
    return {"role": "assistant", "content": None, "tool_calls": [call], **fields}


def messages_of(name: str, message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What goes back to a server for this message of its model."""
    spoken = provider(name)
    reply = spoken.read({"id": "r1", "choices": [{"message": message}]})
    told = [Told(read.call.call_id, read.call.name, "noon") for read in reply.calls]
    return spoken.results(reply.message, told)


def dialect_of(name: str) -> Dialect:
    """In what a server differs."""
    spoken: Provider = provider(name)
    assert isinstance(spoken, OpenAIChat)
    return spoken.dialect


@pytest.mark.parametrize("name", sorted(ALIASES))
def test_a_known_server_is_found_by_its_name(name: str) -> None:
    """It keeps that name in the records of its turns, and takes what the official types allow."""
    messages = messages_of(name, a_message("a1b2c3d4e"))

    assert provider(name).name == name
    require_messages(messages)


@pytest.mark.parametrize("name", LIKE_OPENAI)
def test_a_server_without_differences_is_answered_as_openai(name: str) -> None:
    """Fields that only it knows go back to it."""
    message = a_message(reasoning="I need the time.", reasoning_content="The same.")

    assert messages_of(name, message) == messages_of("openai-chat", message)


@pytest.mark.parametrize(
    ("name", "strict"),
    [
        ("openai-chat", StrictTools.EACH),
        ("azure", StrictTools.EACH),
        ("deepseek", StrictTools.ALL),
        ("cerebras", StrictTools.ALL),
        ("groq", StrictTools.NONE),
        ("fireworks", StrictTools.NONE),
        ("huggingface", StrictTools.NONE),
        ("llamacpp", StrictTools.NONE),
        ("lmstudio", StrictTools.NONE),
        ("ollama", StrictTools.NONE),
        ("together", StrictTools.NONE),
        ("vllm", StrictTools.NONE),
    ],
)
def test_what_strict_means_is_declared(name: str, strict: StrictTools) -> None:
    """Some want all tools of a request marked, others none."""
    assert dialect_of(name).strict is strict


def test_deepseek_gets_its_thoughts_back_and_text_as_it_is() -> None:
    """It refuses a conversation without them; nothing is escaped."""
    message = a_message(reasoning_content="I should read 你好世界.")

    echo, result = messages_of("deepseek", message)

    assert echo == message
    assert result["tool_call_id"] == "call_1"
    assert "你好世界" in json.dumps(echo, ensure_ascii=False)


def test_openrouter_gets_the_details_of_its_thoughts_back() -> None:
    """With their signatures, whichever model they are of."""
    details = [{"type": "reasoning.text", "text": "hm", "signature": "EvAB", "index": 0}]

    echo, _ = messages_of("openrouter", a_message(reasoning_details=details))

    assert echo["reasoning_details"] == details


@pytest.mark.parametrize(
    ("name", "refused"),
    [
        ("groq", ["reasoning_content", "channel", "executed_tools"]),
        ("cerebras", ["reasoning_content"]),
    ],
)
def test_fields_that_a_server_refuses_do_not_go_back(name: str, refused: list[str]) -> None:
    """One of them would make every later request fail; its own field for thoughts stays."""
    unknown = dict.fromkeys(refused, "x")

    echo, _ = messages_of(name, a_message(reasoning="I need the time.", **unknown))

    assert echo == a_message(reasoning="I need the time.")


def test_mistral_gets_ids_of_nine_letters_and_digits() -> None:
    """Its own stay; another one is made, the same for call and result, and for each reading."""
    own, _ = messages_of("mistral", a_message("FI5qQGzDE"))
    echo, result = messages_of("mistral", a_message("call_0fypS1hVX"))

    assert own["tool_calls"][0]["id"] == "FI5qQGzDE"
    assert echo["tool_calls"][0]["id"] == result["tool_call_id"]
    assert len(result["tool_call_id"]) == 9
    assert result["tool_call_id"].isalnum()
    assert messages_of("mistral", a_message("call_0fypS1hVX")) == [echo, result]


def test_mistral_gets_no_message_behind_its_results() -> None:
    """A `user` message there is refused, so that the text says what it cannot show."""
    told = Told("FI5qQGzDE", "draw", "Done.", media=(Media("image/png", "AAAA"),))

    [result] = provider("mistral").results({}, [told])

    assert result["content"] == "Done.\n[medium 1 (image/png) cannot be shown to you here]"


def test_azure_is_shown_pictures_and_no_documents() -> None:
    """Documents go to its other API only."""
    assert dialect_of("azure").media == {MediaKind.IMAGE}


def test_a_server_can_be_declared_with_its_differences(new: str) -> None:
    """What is declared is done: arguments as an object, an empty content, ids of its form."""
    dialect = Dialect(
        arguments_as_text=False, null_content=False, call_id=IdForm("t[0-9a-f]{4}", "t", 4)
    )

    made = alias(new, dialect=dialect)
    echo, result = messages_of(new, a_message())

    assert provider(new) is made
    assert echo["content"] == ""
    assert echo["tool_calls"][0]["function"]["arguments"] == {}
    assert result["tool_call_id"].startswith("t")
    assert len(result["tool_call_id"]) == 5


def test_a_server_can_be_like_another_one_but_for_one_thing(new: str) -> None:
    """A base may be an alias itself; without a dialect it is the same."""
    alias(new, "deepseek", replace(ALIASES["deepseek"], parallel_calls=False))

    assert dialect_of(new).strict is StrictTools.ALL
    assert not dialect_of(new).parallel_calls


@pytest.mark.parametrize("base", ["openai-chat", "gemini"])
def test_what_is_declared_of_strict_tools_holds_for_every_format(new: str, base: str) -> None:
    """Nothing is asked of a server that has no strict mode."""
    tool = Tool(name="now", description="Tell the time.", parameters={"type": "object"})

    alias(new, base, Dialect(strict=StrictTools.NONE))

    assert export_tools(base, [tool], Strictness.WHERE_POSSIBLE).strict
    assert not export_tools(new, [tool], Strictness.WHERE_POSSIBLE).strict


def test_a_server_without_a_dialect_of_its_own_has_its_bases(new: str) -> None:
    """A second name for the same thing."""
    alias(new, "groq")

    assert dialect_of(new) == dialect_of("groq")


@pytest.mark.parametrize(
    ("name", "base", "sentence"),
    [
        ("groq", "openai-chat", "provider: 'groq' is taken by another provider"),
        ("auto", "openai-chat", "provider: 'auto' is taken by another provider"),
        ("my-server", "plain", "provider: 'plain' has no dialects: register it by that name"),
        ("my-server", "deepsek", "provider: 'deepsek' is not known, did you mean deepseek"),
    ],
)
def test_an_alias_that_cannot_be_is_refused(name: str, base: str, sentence: str) -> None:
    """One sentence says why."""
    with pytest.raises(ConfigurationError) as refused:
        alias(name, base)

    assert str(refused.value).startswith(sentence)


def test_tools_are_described_alike_for_every_dialect() -> None:
    """The format of tools is one; only what `strict` means differs."""
    tool = Tool(name="calendar.add", description="Add.", parameters={"type": "object"})

    described = {json.dumps(provider(name).tools([tool])) for name in ("openai-chat", *ALIASES)}

    assert len(described) == 1


def test_a_dialect_is_no_format_of_its_own() -> None:
    """A response does not say by which server it was sent."""
    names = {one.name for one in base_providers()}

    assert "openai-chat" in names
    assert not names & ALIASES.keys()


def test_every_server_stands_on_its_page() -> None:
    """With its differences, for those who look it up."""
    page = Path(__file__).parents[2] / "docs" / "chat-completions.md"
    rows = [row for row in page.read_text(encoding="utf-8").splitlines() if row.startswith("| `")]

    named = {name for row in rows for name in re.findall("`([a-z]+)`", row.split("|")[1])}

    assert named >= ALIASES.keys()
