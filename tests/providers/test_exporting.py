"""Tools exported to providers: real definitions, strict where possible, with their report."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

from tests.providers.corpus import SAMPLE
from tests.providers.exports import TYPES, export_one, tool_of
from toolferry import ConfigurationError, Tool, ToolInvalid
from toolferry_dispatcher.providers import (
    Change,
    Loss,
    Strictness,
    export_tools,
)

LINES = (SAMPLE / "awkward.jsonl").read_text(encoding="utf-8").splitlines()
AWKWARD: list[dict[str, Any]] = [json.loads(line) for line in LINES]
TOOLS = [tool_of(definition) for definition in AWKWARD]
FORECAST = Tool(
    name="forecast",
    parameters={
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer", "default": 3}},
        "required": ["city"],
    },
)


@pytest.mark.parametrize("provider", TYPES)
def test_awkward_definitions_become_what_a_provider_takes(provider: str) -> None:
    """By the types of its SDK, and by its rules; what is not strict says why."""
    for tool in TOOLS:
        export = export_one(provider, tool)

        assert export.strict or any(loss.keyword == "strict" for loss in export.losses)


def test_the_report_names_the_tool_the_place_and_what_became_of_it() -> None:
    """One loss a difference, in the order of the schema."""
    lost, days = partial(Loss, "forecast"), "#/properties/days"

    export = export_tools("openai-chat", [FORECAST], Strictness.WHERE_POSSIBLE)

    assert export.strict == {"forecast"}
    assert export.losses == (
        lost("#", "additionalProperties", Change.REWRITTEN, "false: only the named members"),
        lost(days, "required", Change.REWRITTEN, "null stands for leaving it out"),
        lost(days, "default", Change.MOVED, "into the description"),
    )


def test_nothing_is_strict_unless_it_is_asked_for() -> None:
    """And nothing gets lost of a plain schema."""
    export = export_tools("openai-chat", [FORECAST])

    assert "strict" not in export.tools[0]["function"]
    assert (export.strict, export.losses) == (frozenset(), ())


@pytest.mark.parametrize(
    ("provider", "request_needs"),
    [
        ("openai-chat", {}),
        ("cohere-v2", {"strict_tools": True}),
        ("gemini", {"tool_config": {"function_calling_config": {"mode": "VALIDATED"}}}),
    ],
)
def test_what_a_request_needs_for_its_tools_to_be_strict_is_told(
    provider: str, request_needs: dict[str, Any]
) -> None:
    """Only where one is strict."""
    strict = export_tools(provider, [FORECAST], Strictness.WHERE_POSSIBLE)
    plain = export_tools(provider, [FORECAST])

    assert dict(strict.request) == request_needs
    assert dict(plain.request) == {}


def test_each_provider_marks_strict_tools_in_its_own_way() -> None:
    """Responses says of the others that they are not, since it would rewrite them else."""
    chat = export_tools("openai-chat", [FORECAST], Strictness.DEMANDED).tools[0]
    anthropic = export_tools("anthropic", [FORECAST], Strictness.DEMANDED).tools[0]
    bedrock = export_tools("bedrock-converse", [FORECAST], Strictness.DEMANDED).tools[0]
    responses = export_tools("openai-responses", [FORECAST]).tools[0]

    assert chat["function"]["strict"] is True
    assert anthropic["strict"] is True
    assert bedrock["toolSpec"]["strict"] is True
    assert responses["strict"] is False


@pytest.mark.parametrize("provider", ["plain", "ollama"])
def test_strict_cannot_be_demanded_of_a_server_without_it(provider: str) -> None:
    """Where it is only wished for, tools go as they are."""
    assert export_tools(provider, [FORECAST], Strictness.WHERE_POSSIBLE).strict == frozenset()

    with pytest.raises(ToolInvalid, match="strict is demanded"):
        export_tools(provider, [FORECAST], Strictness.DEMANDED)


def test_words_are_read_as_plain_text() -> None:
    """One that is demanded is not taken for one that is wished for, and a wrong one is refused."""
    tools = [Tool(name="keep", parameters={"properties": {"what": {"type": "object"}}})]

    with pytest.raises(ToolInvalid, match="cannot be strict"):
        export_tools("openai-chat", tools, "demanded")
    with pytest.raises(ConfigurationError, match="'perhaps' is none of never"):
        export_tools("openai-chat", tools, "perhaps")
    with pytest.raises(ConfigurationError, match="'margin' is no place"):
        export_tools("openai-chat", tools, examples="margin")


def test_an_unknown_provider_is_refused() -> None:
    """With the known ones."""
    with pytest.raises(ConfigurationError, match="openai-chat"):
        export_tools("open-ai", [FORECAST])


def test_every_awkward_definition_says_where_it_comes_from() -> None:
    """Under a licence whose text lies beside it."""
    texts = {path.stem for path in (SAMPLE / "licences").glob("*.txt")}

    for definition in AWKWARD:
        source = definition["source"]
        corpus = {"wire": "pydantic-ai"}.get(source["corpus"], source["corpus"])
        assert source["licence"] in texts or f"{corpus}.{source['licence']}" in texts
