"""The service model of Bedrock Converse as a judge of what we send."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import zip_longest
from typing import Any

from botocore.model import OperationModel, Shape  # type: ignore[import-untyped]  # it has no types
from botocore.session import get_session  # type: ignore[import-untyped]  # as above
from botocore.validate import ParamValidator  # type: ignore[import-untyped]  # as above

from toolferry_dispatcher.providers import for_boto3


@cache
def operation(name: str) -> OperationModel:
    """Give the model of an operation: what goes in, what comes out."""
    return get_session().get_service_model("bedrock-runtime").operation_model(name)


def require_messages(messages: Sequence[Mapping[str, Any]]) -> None:
    """Require messages that the API takes: the model, and the rules that no model tells."""
    sent = for_boto3(messages)
    _require({"modelId": "any", "messages": sent})
    _require_patterns(operation("Converse").input_shape.members["messages"], sent)
    for message, answer in zip_longest(messages, messages[1:]):
        assert message["content"], "a message must have content"
        _require_answered(message, answer)


def require_tools(tools: Sequence[Mapping[str, Any]]) -> None:
    """Require tools that the API takes."""
    config = {"tools": list(tools)}
    _require({"modelId": "any", "messages": [], "toolConfig": config})
    _require_patterns(operation("Converse").input_shape.members["toolConfig"], config)


def _require(params: Mapping[str, Any]) -> None:
    report = ParamValidator().validate(params, operation("Converse").input_shape)
    assert not report.has_errors(), report.generate_report()


def _require_patterns(shape: Shape, value: Any) -> None:
    """Require what the model says of texts, which the client leaves to the service."""
    if shape.type_name == "structure" and not getattr(shape, "is_document_type", False):
        for name, member in value.items():
            _require_patterns(shape.members[name], member)
    elif shape.type_name == "list":
        for item in value:
            _require_patterns(shape.member, item)
    elif shape.type_name == "string":
        rules = shape.metadata
        assert value in rules.get("enum", [value]), f"{value!r} is none of {rules}"
        assert rules.get("min", 0) <= len(value) <= rules.get("max", len(value))
        assert re.fullmatch(rules.get("pattern", ".*"), value, re.DOTALL)


def _require_answered(message: Mapping[str, Any], answer: Mapping[str, Any] | None) -> None:
    """Require the results of all calls in the next message, and calls last in this one."""
    if message["role"] != "assistant":
        return
    uses = [block["toolUse"] for block in message["content"] if "toolUse" in block]
    calls = [use["toolUseId"] for use in uses if "type" not in use]
    assert len(set(calls)) == len(calls), "ids must be unique"
    assert all("toolUse" in block for block in message["content"][-len(calls) :] if calls)
    results = [block["toolResult"]["toolUseId"] for block in (answer["content"] if answer else ())]
    assert results == calls
    assert not any(
        block.keys() == {"text"} and not block["text"].strip() for block in message["content"]
    )
