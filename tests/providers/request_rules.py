"""What each provider says of all tools of a request together; it shares nothing with the exports.

Sources: shared_params/function_definition.py of `openai`, the class FunctionDeclaration of
`google-genai`, the shape ToolName of `bedrock-runtime` in `botocore`, and the providers' guides on
strict tools.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from tests.providers.schema_rules import nodes

#: The names that each provider takes.
_NAMES: Mapping[str, str] = {
    "openai-chat": r"[a-zA-Z0-9_-]{1,64}",
    "openai-responses": r"[a-zA-Z0-9_-]{1,64}",
    "anthropic": r"[a-zA-Z0-9_-]{1,64}",
    "bedrock-converse": r"[a-zA-Z0-9_-]{1,64}",
    "deepseek": r"[a-zA-Z0-9_-]{1,64}",
    "gemini": r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}",
    "gemini-json-schema": r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}",
    "cohere-v2": r"[a-zA-Z_][a-zA-Z0-9_]{0,63}",
}
#: Where one tool that is not strict makes the request be refused, or none be strict.
_ALL_OR_NONE = frozenset({"deepseek", "gemini", "gemini-json-schema", "cohere-v2"})
#: Where a tool itself says that it is strict; elsewhere the request does.
_MARKED = frozenset(
    {"openai-chat", "openai-responses", "anthropic", "bedrock-converse", "deepseek"}
)


def functions_of(tools: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Give what is said of each function in the tools of a request, wherever a provider has it."""
    inner = [tool.get("function") or tool.get("toolSpec") or tool for tool in tools]
    return [one for tool in inner for one in tool.get("function_declarations", [tool])]


def parameters_of(function: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give the parameters of one function, wherever its provider has them."""
    schema = function.get("inputSchema", {}).get("json")
    for name in ("parameters", "parameters_json_schema", "input_schema"):
        schema = schema or function.get(name)
    # A function of Gemini's that takes nothing has no parameters at all.
    return schema or {"type": "object", "properties": {}}


def broken_rules(
    provider: str, functions: Sequence[Mapping[str, Any]], strict: Collection[int]
) -> Iterator[str]:
    """Say which rules a request breaks.

    Args:
        provider: Whose rules.
        functions: All functions of the request.
        strict: The positions of those that the export says are strict.
    """
    yield from _names(_NAMES[provider], [function["name"] for function in functions])
    for position, function in enumerate(functions):
        if provider in _MARKED and (function.get("strict") is True) is not (position in strict):
            yield f"{function['name']}: the mark and the report differ"
    if provider in _ALL_OR_NONE and len(strict) not in (0, len(functions)):
        yield f"{len(strict)} of {len(functions)} are strict"
    schemas = [parameters_of(functions[position]) for position in sorted(strict)]
    if provider in {"anthropic", "bedrock-converse"}:
        yield from _anthropic_limits(schemas)
    if provider == "cohere-v2" and sum(_members(schema) for schema in schemas) > 200:
        yield "more than 200 strict members"


def _names(legal: str, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        if not re.fullmatch(legal, name):
            yield f"{name}: not a legal name"
    if len(set(names)) < len(names):
        yield "a name is there twice"


def _anthropic_limits(schemas: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    parts = [node for schema in schemas for _, node in nodes(schema)]
    optional = sum(len(set(node.get("properties", ())) - _required(node)) for node in parts)
    unions = sum("anyOf" in node or isinstance(node.get("type"), list) for node in parts)
    for what, number, most in (
        ("strict tools", len(schemas), 20),
        ("optional members", optional, 24),
        ("members of several types", unions, 16),
    ):
        if number > most:
            yield f"{number} {what}, and {most} are taken"


def _required(node: Mapping[str, Any]) -> set[str]:
    return set(node.get("required", ()))


def _members(schema: Mapping[str, Any]) -> int:
    return sum(len(node.get("properties", ())) for _, node in nodes(schema))
