"""Other forms of the tools of a request: each takes what `tools` gives, and gives a copy.

>>> from toolferry import Tool
>>> from toolferry_dispatcher.providers import OpenAIResponses
>>> find, wait = OpenAIResponses().tools([Tool(name="find"), Tool(name="wait")])
>>> request = [in_namespace("crm", "Customers.", [find]), answered_later(wait)]
>>> request[0]["tools"][0]["name"], request[1]["async"]
('find', True)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def in_namespace(name: str, description: str, tools: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Group tools. They keep their names, by which their calls are found whatever the group is.

    Args:
        name: What the model knows the group by.
        description: What the model reads about it.
        tools: Functions and custom tools.
    """
    return {
        "type": "namespace",
        "name": name,
        "description": description,
        "tools": [dict(tool) for tool in tools],
    }


def answered_later(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Let the calls of a tool stay open while the conversation goes on.

    For a tool with `answer_within`: a call that has not ended by then gets no output, and its late
    result is that output, in a later request.
    """
    return {**tool, "async": True}
