"""What takes a call back: the arguments that its handler gave, as they are kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolferry.convert import to_json_data
from toolferry.errors import ConversionFailed
from toolferry.tool import Tool
from toolferry.wording import json_text

#: Bytes of JSON text that may be kept.
MAX_UNDO_BYTES: Final = 64 * 1024


def undo_data(tool: Tool, undo: object) -> dict[str, Any] | None:
    """Give the arguments that take a call back as JSON data; None when there are none.

    Raises:
        ConversionFailed: They are no JSON object, or too many; the call has happened all the same.
    """
    if undo is None:
        return None
    if not isinstance(undo, Mapping):
        raise ConversionFailed(tool.name, "returned as undo what is no object of arguments")
    data: dict[str, Any] = to_json_data(tool.name, dict(undo))
    if (size := len(json_text(data).encode())) > MAX_UNDO_BYTES:
        raise ConversionFailed(
            tool.name, f"returned {size:,} bytes as undo, of which {MAX_UNDO_BYTES:,} can be kept"
        )
    return data
