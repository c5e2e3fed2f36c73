"""The refusal of a request, and what all APIs have in common in what they refuse."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any


class Refused(Exception):
    """A request is refused with status 400.

    Args:
        message: Why, in the words of the API where they are known.
        param: The field that is wrong.
    """

    def __init__(self, message: str, param: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.param = param


def need(condition: object, message: str, param: str = "") -> None:
    """Refuse the request unless a condition holds."""
    if not condition:
        raise Refused(message, param)


def need_object(value: Any, where: str) -> Mapping[str, Any]:
    """Refuse anything but a JSON object."""
    if not isinstance(value, Mapping):
        raise Refused(f"Invalid type for '{where}': expected an object.", where)
    return value


def need_list(value: Any, where: str) -> Sequence[Any]:
    """Refuse anything but a JSON array."""
    if not isinstance(value, list):
        raise Refused(f"Invalid type for '{where}': expected an array.", where)
    return value


def need_text(value: Any, where: str) -> str:
    """Refuse anything but a string that UTF-8 can carry."""
    if not isinstance(value, str):
        raise Refused(f"Invalid type for '{where}': expected a string.", where)
    need_encodable(value, where)
    return value


def need_name(value: Any, pattern: str, where: str) -> str:
    """Refuse anything but a string of a pattern."""
    name = need_text(value, where)
    message = f"Invalid '{where}': string does not match pattern. Expected '^{pattern}$'."
    need(re.fullmatch(pattern, name), message, where)
    return name


def need_encodable(text: str, where: str) -> None:
    """Refuse halves of surrogate pairs."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Refused("We could not parse the JSON body of your request.", where) from None


def need_json_object(text: Any, where: str) -> None:
    """Refuse anything but a string that holds one JSON object, by the letter."""
    raw = need_text(text, where)
    try:
        held = json.loads(raw, parse_constant=_no_number)
    except ValueError:
        raise Refused(f"Invalid '{where}': expected a string that holds JSON.", where) from None
    need(isinstance(held, dict), f"Invalid '{where}': expected a JSON object.", where)


def need_unique(values: Sequence[str], message: str, where: str) -> None:
    """Refuse a value that is there twice; `{}` in the message stands for it."""
    for at, value in enumerate(values):
        need(value not in values[:at], message.format(value), where)


def need_schema(schema: Any, where: str) -> None:
    """Refuse a schema of parameters that is no object, or incomplete at some depth."""
    parameters = need_object(schema, where)
    is_object = parameters.get("type") == "object"
    need(is_object, f"Invalid schema for '{where}': schema must be of type 'object'.", where)
    _need_complete(parameters, where)


def _need_complete(schema: Any, where: str) -> None:
    if not isinstance(schema, Mapping):
        return
    if schema.get("type") == "array":
        need("items" in schema, f"Invalid schema for '{where}': array schema missing items.", where)
    if schema.get("type") == "object":
        needed = f"Invalid schema for '{where}': object schema missing properties."
        need("properties" in schema, needed, where)
    for child in _children(schema):
        _need_complete(child, where)


def _children(schema: Mapping[str, Any]) -> list[Any]:
    named = [schema.get(key) for key in ("properties", "$defs")]
    listed = [schema.get(key) for key in ("anyOf", "allOf", "oneOf", "prefixItems")]
    children = [child for one in named if isinstance(one, Mapping) for child in one.values()]
    children += [child for one in listed if isinstance(one, list) for child in one]
    return [*children, schema.get("items")]


def _no_number(name: str) -> Any:
    raise ValueError(name)


def read_request(raw: bytes) -> Any:
    """Read the body of a request by the letter of JSON and UTF-8."""
    try:
        return json.loads(raw.decode(), parse_constant=_no_number)
    except ValueError:
        raise Refused("We could not parse the JSON body of your request.") from None


def need_sendable(request: Any) -> None:
    """Refuse data that JSON or UTF-8 cannot carry, at any depth.

    Raises:
        Refused: There is some.
    """
    try:
        json.dumps(request, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        raise Refused("We could not parse the JSON body of your request.") from None
