"""The rules of `generateContent` for a request.

Source: types.py of the `google-genai` package 3.6; Gemini API, Function calling and Thought
signatures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from examples.scripted.refusal import (
    need,
    need_list,
    need_name,
    need_object,
    need_text,
    need_unique,
)

NAME: Final = "[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}"
_PARAMETER: Final = "[A-Za-z_][A-Za-z0-9_]{0,63}"
_KINDS: Final = frozenset(
    {
        *("text", "inlineData", "fileData", "functionCall", "functionResponse"),
        *("executableCode", "codeExecutionResult", "toolCall", "toolResponse"),
    }
)

Parts = Sequence[Mapping[str, Any]]


def check(request: Mapping[str, Any]) -> None:
    """Refuse a request as the API would. Keys are those of the wire, in camel case.

    Raises:
        Refused: A rule is broken.
    """
    _check_tools(request.get("tools"))
    contents = need_list(request.get("contents"), "contents")
    need(contents, "GenerateContentRequest.contents: contents is not specified", "contents")
    for at, content in enumerate(contents):
        _check_content(need_object(content, "contents"), f"contents[{at}]")
    _check_pairs(contents)


def _check_tools(tools: Any) -> None:
    if tools is None:
        return
    declared = [
        function
        for tool in need_list(tools, "tools")
        for function in need_object(tool, "tools").get("functionDeclarations", ())
    ]
    for at, function in enumerate(declared):
        where = f"tools[0].function_declarations[{at}]"
        need_name(function.get("name"), NAME, f"{where}.name")
        need_text(function.get("description", ""), f"{where}.description")
        both = "parameters" in function and "parametersJsonSchema" in function
        need(not both, f"{where}: parameters and parameters_json_schema are exclusive", where)
        _check_parameters(function.get("parameters"), f"{where}.parameters")
        _check_parameters(function.get("parametersJsonSchema"), f"{where}.parameters_json_schema")
    names = [function["name"] for function in declared]
    need_unique(names, "Duplicate function declaration found: {}", "tools")


def _check_parameters(schema: Any, where: str) -> None:
    if schema is None:
        return
    kind = str(need_object(schema, where).get("type", "")).lower()
    need(kind == "object", f"{where}.type: should be OBJECT", where)
    for name in schema.get("properties", {}):
        need_name(name, _PARAMETER, f"{where}.properties")


def _check_content(content: Mapping[str, Any], where: str) -> None:
    roles = {"user", "model", None}
    need(content.get("role") in roles, "Please use a valid role: user, model.", where)
    parts = need_list(content.get("parts"), f"{where}.parts")
    need(parts, f"{where}.parts must not be empty.", where)
    for at, part in enumerate(parts):
        _check_part(need_object(part, where), f"{where}.parts[{at}]")


def _check_part(part: Mapping[str, Any], where: str) -> None:
    kinds = part.keys() & _KINDS
    is_signature_alone = not kinds and "thoughtSignature" in part
    one = len(kinds) == 1 or is_signature_alone
    need(one, f"{where}.data: required oneof field 'data' must have one initialized field", where)
    if "text" in part:
        need_text(part["text"], f"{where}.text")
    if "functionCall" in part:
        call = need_object(part["functionCall"], where)
        need_name(call.get("name"), NAME, f"{where}.function_call.name")
        need_object(call.get("args", {}), f"{where}.function_call.args")
    if "functionResponse" in part:
        response = need_object(part["functionResponse"], where)
        need_name(response.get("name"), NAME, f"{where}.function_response.name")
        need_object(response.get("response"), f"{where}.function_response.response")


def _check_pairs(contents: Sequence[Mapping[str, Any]]) -> None:
    """Require one response for each call, in the very next content, and nothing else there."""
    calls: list[Mapping[str, Any]] = []
    for at, content in enumerate(contents):
        where = f"contents[{at}]"
        responses = _of_kind(content["parts"], "functionResponse")
        need(
            len(responses) == len(calls),
            "Please ensure that the number of function response parts is equal to the number of"
            " function call parts of the function call turn.",
            where,
        )
        if responses:
            is_alone = len(responses) == len(content["parts"])
            need(is_alone, "A function response turn may hold function responses only.", where)
            need(content.get("role") != "model", "Function responses are of the user.", where)
        for call, response in zip(calls, responses, strict=True):
            same = call["name"] == response["name"] and call.get("id") == response.get("id")
            need(same, f"function_response.name {response['name']} answers no call", where)
        calls = _of_kind(content["parts"], "functionCall")
        is_models = not calls or content.get("role") == "model"
        need(is_models, "Function calls are of the model.", where)
    need(not calls, "Please ensure that function call turn comes before its responses.", "contents")


def _of_kind(parts: Parts, kind: str) -> list[Mapping[str, Any]]:
    return [part[kind] for part in parts if kind in part]


def check_signatures(contents: Sequence[Mapping[str, Any]]) -> None:
    """Refuse calls that came from a thinking model and lost their signature, as Gemini 3 does.

    The first call of each turn of the model has one.

    Raises:
        Refused: One has none.
    """
    for at, content in enumerate(contents):
        calls = [part for part in content["parts"] if "functionCall" in part]
        if calls:
            message = f"Function call is missing a thought_signature in content {at}"
            need(calls[0].get("thoughtSignature"), message, f"contents[{at}]")
