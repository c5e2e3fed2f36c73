"""The official types of the Responses API as a judge of what we send."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args, get_type_hints

from openai.types.responses import EasyInputMessageParam, FunctionToolParam, NamespaceToolParam
from openai.types.responses.custom_tool_param import CustomToolParam
from openai.types.responses.response_input_param import ResponseInputItemParam, ResponseInputParam
from pydantic import TypeAdapter

_INPUT: TypeAdapter[Any] = TypeAdapter(ResponseInputParam)
_TOOLS: Mapping[str, TypeAdapter[Any]] = {
    "function": TypeAdapter(FunctionToolParam),
    "custom": TypeAdapter(CustomToolParam),
    "namespace": TypeAdapter(NamespaceToolParam),
}
#: The longest id of a call that the API takes.
MAX_CALL_ID = 64


def type_of(form: type) -> str:
    """The value of `type` in items of a form; a message's is optional."""
    hint = get_type_hints(form).get("type")
    return next((one for one in _literals(hint) if isinstance(one, str)), "")


def _literals(hint: Any) -> Iterable[Any]:
    """What a type allows, through all that is wrapped around it."""
    for one in get_args(hint):
        yield one if isinstance(one, str) else None
        yield from _literals(one)


#: The forms that an item of a request may have, by its type.
FORMS: dict[str, list[type]] = {}
for _form in get_args(ResponseInputItemParam):
    FORMS.setdefault(type_of(_form) or "message", []).append(_form)
_ADAPTERS: dict[type, TypeAdapter[Any]] = {
    form: TypeAdapter(form) for forms in FORMS.values() for form in forms
}


def require_input(items: list[dict[str, Any]]) -> None:
    """Require the input of a request that the API takes: its types, and its rules on calls.

    Raises:
        pydantic.ValidationError: An item has none of the forms of its type.
        AssertionError: An item has a field too many, or a call is not answered exactly once.
    """
    _exhaust(_INPUT.validate_python(items))
    for item in items:
        _require_item(item)
    _require_answers(items)


def require_tools(tools: Iterable[Mapping[str, Any]]) -> None:
    """Require tools that the API takes."""
    for tool in tools:
        _exhaust(_TOOLS[tool["type"]].validate_python(tool))


def _require_item(item: Mapping[str, Any]) -> None:
    """Require one of the forms of the item's type, with no field besides."""
    kind = item.get("type", "message")
    forms = FORMS[kind] if "type" in item else [EasyInputMessageParam]
    fitting = [form for form in forms if item.keys() <= get_type_hints(form).keys()]
    assert fitting, f"{kind} has a field that is not taken: {sorted(item)}"
    if len(fitting) == 1:
        _exhaust(_ADAPTERS[fitting[0]].validate_python(item))


def _require_answers(items: list[dict[str, Any]]) -> None:
    """Require one output for each call, behind it, under an id that is short enough."""
    calls = [one["call_id"] for one in items if one.get("type") in _CALLS]
    answers = [one["call_id"] for one in items if one.get("type") in _OUTPUTS]
    assert calls == answers
    assert len(set(calls)) == len(calls)
    assert all(len(call_id) <= MAX_CALL_ID for call_id in calls)


_CALLS = {"function_call", "custom_tool_call"}
_OUTPUTS = {"function_call_output", "custom_tool_call_output"}


def _exhaust(value: Any) -> None:
    """Walk through what was validated: lists are judged only when they are walked."""
    if isinstance(value, Mapping):
        for child in value.values():
            _exhaust(child)
    elif isinstance(value, Iterable) and not isinstance(value, str | bytes):
        for child in value:
            _exhaust(child)
