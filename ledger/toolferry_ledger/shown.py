"""Arguments as they may be kept and shown: without secrets, and short."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolferry.masking import Mask, hide_arguments, mask_of
from toolferry_ledger.json_text import write_json
from toolferry_policies import redact

#: Characters of one text, and bytes of all arguments.
MAX_TEXT: Final = 200
MAX_BYTES: Final = 4_000
#: Levels of lists and objects.
_DEPTH: Final = 6


def shown_arguments(
    schema: Mapping[str, Any] | None, arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """Give arguments without what is secret by the schema or by its looks; long texts are cut.

    Args:
        schema: The tool's parameters; None when nobody knows them, which hides all values.
        arguments: The model's; need not fit the schema.
    """
    return masked_arguments(None if schema is None else mask_of(schema), arguments)


def masked_arguments(mask: Mask | None, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Do the same for one of many calls of a tool.

    Args:
        mask: Of the tool; None when nobody knows it, which hides all values.
        arguments: The model's; need not fit the schema.
    """
    if mask is None:
        return hide_arguments(arguments)
    shown = {name: _shorten(value, _DEPTH) for name, value in mask.hide(arguments).items()}
    return shown if len(write_json(shown)) <= MAX_BYTES else hide_arguments(arguments)


def _shorten(value: Any, depth: int) -> Any:
    match value:
        case str():
            return value_text(value)
        case dict() if depth:
            return {value_text(str(key)): _shorten(one, depth - 1) for key, one in value.items()}
        case list() | tuple() if depth:
            return [_shorten(one, depth - 1) for one in value]
        case dict() | list() | tuple():
            return "…"
        case _:
            return value


def value_text(text: str) -> str:
    """Give a text without secrets, cut to `MAX_TEXT` characters."""
    # What is far behind the cut need not be looked at.
    clean = redact(text[: 10 * MAX_TEXT])
    return clean if len(clean) <= MAX_TEXT else f"{clean[:MAX_TEXT]}… ({len(text)} characters)"
