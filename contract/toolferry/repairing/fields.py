"""What may be the matter with one field: each repair gives the value that was meant.

Asked only of a value that does not fit its place. Whatever is given here still has to fit, and all
arguments with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from toolferry.arguments import parse_value
from toolferry.errors import ArgumentFault
from toolferry.judging import Misfit
from toolferry.kinds import kinds_of, members_of
from toolferry.once_each import once_per_part
from toolferry.repairing.repair import Repair
from toolferry.tool import Tool

#: Digits of a whole number at the most; Python refuses to read more.
_MAX_DIGITS: Final = 4_000
_WHOLE: Final = re.compile(rf"0|-?[1-9][0-9]{{0,{_MAX_DIGITS - 1}}}")
_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_BOOLEANS: Final[Mapping[str, bool]] = MappingProxyType({"true": True, "false": False})
_CONTAINERS: Final = frozenset({"array", "object"})
_INTEGER_ONLY: Final = frozenset({"integer"})
_ANY_NUMBER: Final = frozenset({"integer", "number"})


class _Mark:
    """Stands where a value would."""


#: No repair: this is not what is the matter.
UNCHANGED: Final = _Mark()


def enum_text(tool: Tool, misfit: Misfit) -> object:
    """Give the one member of an enumeration that is no text and whose text came."""
    if not isinstance(misfit.value, str):
        return UNCHANGED
    return _by_text(tool, misfit.schema).get(misfit.value, UNCHANGED)


@once_per_part
def _by_text(tool: Tool, schema: Any) -> dict[str, Any]:
    """Give the members of an enumeration that are no texts, by their texts."""
    members = members_of(tool, schema) or ()
    return {json.dumps(one): one for one in members if not isinstance(one, str)}


def decoded(tool: Tool, misfit: Misfit) -> object:
    """Give the array or object that came as its JSON text, where no text is allowed."""
    if not isinstance(misfit.value, str) or not misfit.value.strip().startswith(("[", "{")):
        return UNCHANGED
    wanted = kinds_of(tool, misfit.schema) - {"null"}
    if not wanted or not wanted <= _CONTAINERS:
        return UNCHANGED
    try:
        return parse_value(misfit.value)
    except ArgumentFault:
        return UNCHANGED


def coerced(tool: Tool, misfit: Misfit) -> object:
    """Give the number or boolean that came as its text, where nothing else is allowed.

    A whole number is exact, or it is refused; a number is read as JSON would read it.
    """
    text = misfit.value
    if not isinstance(text, str):
        return UNCHANGED
    wanted = kinds_of(tool, misfit.schema) - {"null"}
    if wanted == {"boolean"}:
        return _BOOLEANS.get(text, UNCHANGED)
    if wanted == _INTEGER_ONLY and _WHOLE.fullmatch(text):
        return int(text)
    if wanted == _ANY_NUMBER and len(text) <= _MAX_DIGITS and _NUMBER.fullmatch(text):
        return _number(text)
    return UNCHANGED


def _number(text: str) -> object:
    try:
        return parse_value(text)
    except ArgumentFault:
        return UNCHANGED


#: The repairs of a field, in the order in which they are tried.
OF_FIELDS: Final[Mapping[Repair, Callable[[Tool, Misfit], object]]] = MappingProxyType(
    {
        Repair.ENUM_TEXT: enum_text,
        Repair.ENCODED_TWICE: decoded,
        Repair.COERCED: coerced,
    }
)
