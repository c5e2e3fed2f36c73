"""Tools that a model calls with free text in place of JSON: custom ones, as OpenAI has them.

>>> from toolferry import Tool
>>> from toolferry_dispatcher.providers import OpenAIChat, OpenAIResponses
>>> query = Tool(
...     name="query",
...     description="Run a query.",
...     parameters={"type": "object", "properties": {"input": {"type": "string"}}},
... )
>>> [chat], [item] = OpenAIChat().tools([query]), OpenAIResponses().tools([query])
>>> free_form(chat)
{'type': 'custom', 'custom': {'name': 'query', 'description': 'Run a query.'}}
>>> free_form(item)
{'type': 'custom', 'name': 'query', 'description': 'Run a query.'}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolferry import ToolInvalid

#: What a call with free text gives its tool: the text under this name.
FREE_TEXT: Final = "input"


def free_form(tool: Mapping[str, Any], form: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Let a model call a tool with free text in place of JSON: its handler gets it as `input`.

    Args:
        tool: One whose only parameter is the text `input`, as Chat Completions or Responses
            takes it.
        form: The API's `format`: `{"type": "text"}` or a grammar; any text when it is None.

    Raises:
        ToolInvalid: The tool takes something else.
    """
    is_nested = isinstance(tool.get("function"), Mapping)
    custom = _custom(tool["function"] if is_nested else tool, form)
    return {"type": "custom", "custom": custom} if is_nested else {"type": "custom", **custom}


def _custom(function: Mapping[str, Any], form: Mapping[str, Any] | None) -> dict[str, Any]:
    properties = function["parameters"].get("properties", {})
    wanted = properties.get(FREE_TEXT)
    is_text = isinstance(wanted, Mapping) and wanted.get("type") == "string"
    if not is_text or len(properties) > 1:
        reason = f"takes free text only when {FREE_TEXT!r}, a string, is its one parameter"
        raise ToolInvalid(function["name"], reason)
    custom = {"name": function["name"], "description": function["description"]}
    return custom if form is None else {**custom, "format": dict(form)}
