"""Whole registries exported to every provider: one for each source of definitions.

The sample lies in tests/data/corpus; `TOOLFERRY_CORPUS` names a folder with the whole corpus.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.providers.corpus import SAMPLE
from tests.providers.exports import TYPES, export_judged
from tests.providers.request_rules import functions_of
from tests.providers.sources import Source, sources_of
from toolferry import Tool
from toolferry_dispatcher.providers import Export, Strictness, export_tools

WHOLE = Path(os.environ.get("TOOLFERRY_CORPUS", SAMPLE))
by_provider = pytest.mark.parametrize("provider", TYPES)


@cache
def sources_in(file: Path) -> list[Source]:
    """Make the registries of a file of definitions, once: thousands of schemas take their time."""
    with file.open(encoding="utf-8") as lines:
        return sources_of(map(json.loads, lines))


def by_name(export: Export) -> dict[str, Any]:
    """Give what is told of each function."""
    return {function["name"]: function for function in functions_of(export.tools)}


def flag(name: str, *, is_open: bool = False) -> Tool:
    """Make a tool with one member, whose value may be anything when it is open."""
    member = {} if is_open else {"type": "boolean"}
    return Tool(
        name=name,
        parameters={"type": "object", "properties": {"on": member}, "required": ["on"]},
    )


AWKWARD = sources_in(SAMPLE / "awkward.jsonl")


@by_provider
def test_registries_are_what_a_provider_takes_in_one_request(provider: str) -> None:
    """All their tools, by the types of its SDK and by its rules."""
    for source in AWKWARD:
        export = export_judged(provider, source.tools)

        assert source.refused == {}
        assert len(by_name(export)) == source.definitions


@by_provider
def test_the_order_of_a_registry_changes_no_name_and_no_schema(provider: str) -> None:
    """Whether strict is asked for or not; only limits of a request go by the order."""
    tools = [tool for source in AWKWARD for tool in source.tools[:20]]
    tools = list({tool.name: tool for tool in tools}.values())
    asked = [Strictness.NEVER]
    if provider not in {"anthropic", "bedrock-converse"}:
        asked.append(Strictness.WHERE_POSSIBLE)

    for strictness in asked:
        forwards = export_tools(provider, tools, strictness)
        backwards = export_tools(provider, tools[::-1], strictness)

        assert by_name(forwards) == by_name(backwards)
        assert forwards.strict == backwards.strict


@pytest.mark.parametrize("provider", ["deepseek", "gemini", "cohere-v2"])
def test_one_tool_that_cannot_be_strict_is_named_by_all_the_others(provider: str) -> None:
    """Where a request is strict as a whole; the tool itself says why it cannot be."""
    tools = [flag("first"), flag("second"), flag("last", is_open=True)]

    export = export_tools(provider, tools, Strictness.WHERE_POSSIBLE)

    reasons = {loss.tool: loss.detail for loss in export.losses if loss.keyword == "strict"}
    assert export.strict == frozenset()
    assert reasons["first"] == reasons["second"]
    assert reasons["first"].startswith("last cannot be strict")
    assert "last" not in reasons["last"]


@pytest.mark.slow
@by_provider
def test_all_registries_are_what_a_provider_takes_in_one_request(provider: str) -> None:
    """Those of the whole corpus, where it is at hand; no definition is left out."""
    for source in sources_in(WHOLE / "tools.jsonl"):
        export = export_judged(provider, source.tools)

        assert source.refused == {}
        assert len(by_name(export)) == source.definitions
