"""Requests of clients: what an application says of each, and what the conversation adds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolferry_dispatcher.providers.gemini_fields import snake


def with_tools(
    request: Mapping[str, Any], tools: list[dict[str, Any]], beside: Mapping[str, Any]
) -> dict[str, Any]:
    """Give a request, or the part of it that has the tools, with tools behind its own.

    Args:
        request: What the application says; its own tools are such as the provider runs.
        tools: What the model is offered.
        beside: What those need in the request, where the application says nothing of it.
    """
    together = [*request.get("tools", ()), *tools]
    return _with_missing(request, beside) | ({"tools": together} if together else {})


def _with_missing(own: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Add what is wanted to what is there; a field is one under either of its names.

    Clients refuse a request that has a field under both.
    """
    names = {snake(name): name for name in own}
    joined = dict(own)
    for name, value in wanted.items():
        field = names.get(name, name)
        there = own.get(field)
        if isinstance(value, Mapping) and isinstance(there, Mapping | None):
            joined[field] = _with_missing(there or {}, value)
        elif there is None:
            joined[field] = value
    return joined
