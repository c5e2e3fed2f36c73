"""Samples: the definitions by which rules show what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def taking(name: str = "orders_list", **properties: Mapping[str, Any]) -> dict[str, Any]:
    """Give a definition that takes these parameters.

    >>> taking(limit={"type": "integer"})["parameters"]["properties"]
    {'limit': {'type': 'integer'}}
    """
    return {"name": name, "parameters": {"type": "object", "properties": properties}}
