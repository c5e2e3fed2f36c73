"""Tools exported to every provider, judged by the SDKs' types and by the providers' rules."""

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
from tests.providers.request_rules import broken_rules, functions_of, parameters_of
from tests.providers.schema_rules import JUDGES
from toolferry import Tool
from toolferry_dispatcher.providers import Export, Strictness, export_tools, find_name
from toolferry_dispatcher.providers import provider as provider_of

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


def tool_of(definition: Mapping[str, Any]) -> Tool:
    """Make a tool of a definition."""
    return Tool(
        name=definition["name"],
        description=definition["description"],
        parameters=definition["parameters"],
    )


def export_judged(provider: str, tools: Sequence[Tool]) -> Export:
    """Export tools as those of one request, strict where possible.

    Raises:
        AssertionError: A wire copy breaks a rule of the provider, or the request as a whole does;
            a name does not lead back to its tool; or a tool's own schema was changed.
        pydantic.ValidationError: The tools are not what the SDK takes.
    """
    before = deepcopy([tool.parameters for tool in tools])

    export = export_tools(provider, tools, Strictness.WHERE_POSSIBLE)

    TYPES[provider](export.tools)
    functions = functions_of(export.tools)
    strict = {at for at, tool in enumerate(tools) if tool.name in export.strict}
    assert list(broken_rules(provider, functions, strict)) == []
    _require_names(provider, tools, functions)
    for at, function in enumerate(functions):
        broken = list(JUDGES[provider][at in strict](parameters_of(function)))
        assert broken == [], (tools[at].name, broken)
    assert [tool.parameters for tool in tools] == before
    return export


def export_one(provider: str, tool: Tool) -> Export:
    """Export one tool as the only one of a request; see `export_judged`."""
    return export_judged(provider, [tool])


def counted(exports: Sequence[Export]) -> dict[str, int]:
    """Count the strict tools, and the losses by keyword and by what became of it."""
    losses = Counter(
        f"{loss.keyword} {loss.what.value}" for export in exports for loss in export.losses
    )
    return {"strict": sum(len(export.strict) for export in exports), **dict(sorted(losses.items()))}


def _require_names(
    provider: str, tools: Sequence[Tool], functions: Sequence[Mapping[str, Any]]
) -> None:
    """Require one function a tool, in order, under a name that leads back to it."""
    known = [tool.name for tool in tools]
    wire_name = provider_of(provider).wire_name
    assert [find_name(function["name"], known, wire_name) for function in functions] == known
