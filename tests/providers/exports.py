"""Definitions exported to every provider, judged by the SDKs' types and by the providers' rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from tests.providers import (
    cohere_types,
    converse_types,
    gemini_types,
    messages_types,
    responses_types,
    wire_types,
)
from tests.providers.schema_rules import JUDGES
from toolferry import Tool
from toolferry_dispatcher.providers import Export, Strictness, export_tools

#: What the SDK of each provider takes as tools.
TYPES: Mapping[str, Callable[[Sequence[Mapping[str, Any]]], Any]] = {
    "openai-chat": wire_types.require_tools,
    "openai-responses": responses_types.require_tools,
    "anthropic": messages_types.require_tools,
    "bedrock-converse": converse_types.require_tools,
    "deepseek": wire_types.require_tools,
    "gemini": gemini_types.require_tools,
    "gemini-json-schema": gemini_types.require_tools,
    "cohere-v2": cohere_types.require_tools,
}


def parameters_of(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Give the parameters of one exported tool, wherever its provider has them."""
    inner = tool.get("function") or tool.get("toolSpec") or tool
    inner = inner.get("function_declarations", [inner])[0]
    schema = inner.get("inputSchema", {}).get("json")
    for name in ("parameters", "parameters_json_schema", "input_schema"):
        schema = schema or inner.get(name)
    # A function of Gemini's that takes nothing has no parameters at all.
    return schema or {"type": "object", "properties": {}}


def tool_of(definition: Mapping[str, Any]) -> Tool:
    """Make a tool of a definition."""
    # An empty description is refused by some, and is no matter of schemas.
    described = definition["description"] or "Undescribed."
    return Tool(name=definition["name"], description=described, parameters=definition["parameters"])


def export_one(provider: str, tool: Tool) -> Export:
    """Export one tool, strict where possible.

    Raises:
        AssertionError: The wire copy breaks a rule of the provider.
        pydantic.ValidationError: The tool is not what the SDK takes.
    """
    before = deepcopy(tool.parameters)
    export = export_tools(provider, [tool], Strictness.WHERE_POSSIBLE)
    TYPES[provider](export.tools)
    broken = list(JUDGES[provider][bool(export.strict)](parameters_of(export.tools[0])))
    assert broken == [], (tool.name, broken)
    assert tool.parameters == before
    return export


def counted(exports: Sequence[Export]) -> dict[str, int]:
    """Count the strict tools, and the losses by keyword and by what became of it."""
    losses = Counter(
        f"{loss.keyword} {loss.what.value}" for export in exports for loss in export.losses
    )
    return {"strict": sum(len(export.strict) for export in exports), **dict(sorted(losses.items()))}
