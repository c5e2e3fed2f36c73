"""Arguments as people may see them: what may be secret is not shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolferry.discretion import Discretion, discretion_of
from toolferry.template import NOT_SHOWN


def mask_arguments(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Give the arguments of a call with an ellipsis for each that may be secret.

    Of a tool that has secrets only plain values of known parameters are shown: an object, a list or
    a misspelt name may hold one.

    Args:
        schema: The tool's parameters: knows the secrets.
        arguments: The model's; need not fit the schema.

    >>> schema = {"properties": {"user": {}, "token": {"writeOnly": True}}}
    >>> mask_arguments(schema, {"user": "ann", "token": "x", "tokn": "y"})
    {'user': 'ann', 'token': '…', 'tokn': '…'}
    """
    discretion, known = discretion_of(schema), schema.get("properties", {})
    return {
        name: value if _may_be_shown(discretion, name, value, known) else NOT_SHOWN
        for name, value in arguments.items()
    }


def hide_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Give the names of arguments only, when nobody knows which are secret.

    >>> hide_arguments({"token": "x"})
    {'token': '…'}
    """
    return dict.fromkeys(arguments, NOT_SHOWN)


def _may_be_shown(discretion: Discretion, name: str, value: Any, known: Mapping[str, Any]) -> bool:
    if discretion.guards([name], value):
        return False
    is_plain = value is None or isinstance(value, str | int | float)
    return not discretion.names or (is_plain and name in known)
