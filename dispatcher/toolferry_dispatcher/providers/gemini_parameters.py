"""The parameters of a tool as Gemini takes them."""

from __future__ import annotations

from typing import Any

from toolferry import Tool
from toolferry_dispatcher.providers.examples import ExamplePlace, parameters_for
from toolferry_dispatcher.providers.wire_schema import complete_parameters


def declared_parameters(tool: Tool, examples: ExamplePlace) -> dict[str, Any]:
    """Give the field of a function's declaration that holds its parameters.

    As JSON Schema: `parameters`, the other field, takes a few of its keywords only, and parameters
    whose names are letters, digits and `_`.
    """
    return {"parameters_json_schema": complete_parameters(parameters_for(tool, examples))}
