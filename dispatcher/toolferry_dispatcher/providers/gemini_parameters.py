"""The field of a function's declaration that holds its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

#: The provider that declares parameters as JSON Schema instead of the subset of OpenAPI.
WITH_JSON_SCHEMA: Final = "gemini-json-schema"


def declared_parameters(parameters: Mapping[str, Any], provider: str) -> dict[str, Any]:
    """Give the field with the wire copy of a tool's parameters.

    Args:
        parameters: As the provider spells them.
        provider: Its name.

    >>> declared_parameters({"type": "object", "properties": {}}, "gemini")
    {}
    """
    if provider == WITH_JSON_SCHEMA:
        return {"parameters_json_schema": dict(parameters)}
    # "should be non-empty for OBJECT type", says the API of an object without members.
    return {"parameters": dict(parameters)} if parameters.get("properties") else {}
