"""Arguments as people may see them: what may be secret is not shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolferry.discretion import Discretion, discretion_of
from toolferry.template import NOT_SHOWN


@dataclass(frozen=True, slots=True)
class Mask:
    """What of a tool's calls people may see; made once for many calls."""

    discretion: Discretion
    #: The known parameters.
    known: Mapping[str, Any]

    def hide(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Give arguments with an ellipsis for each that may be secret."""
        return {
            name: value if _may_be_shown(self.discretion, name, value, self.known) else NOT_SHOWN
            for name, value in arguments.items()
        }


def mask_of(schema: Mapping[str, Any]) -> Mask:
    """Make the mask of a tool with these parameters; see `mask_arguments`."""
    return Mask(discretion_of(schema), schema.get("properties", {}))


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
    return mask_of(schema).hide(arguments)


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
