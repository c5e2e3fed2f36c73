"""Arguments that break every part of a real tool's schema are judged as quickly as any.

The sample lies in tests/data/corpus; `TOOLFERRY_CORPUS` names a folder with the whole corpus.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.providers.corpus import SAMPLE
from tests.providers.sources import sources_of
from toolferry import Registry, Tool
from toolferry.references import resolve
from toolferry_dispatcher.looking import look
from toolferry_dispatcher.providers import provider

WHOLE = Path(os.environ.get("TOOLFERRY_CORPUS", SAMPLE))
#: What stands wherever a schema wants a value.
WRONG: list[Any] = ["x", "7", {}, None]
#: Bytes of a response.
SIZE = 8_000
#: Levels of a schema that are filled.
LEVELS = 8


def filled(root: dict[str, Any], schema: Any, wrong: Any, levels: int = LEVELS) -> Any:
    """Give a value of a schema's shape, with something wrong in each place."""
    if not isinstance(schema, dict) or not levels:
        return wrong
    if "$ref" in schema:
        return filled(root, resolve(root, schema["$ref"]), wrong, levels - 1)
    for keyword in ("anyOf", "oneOf", "allOf"):
        if keyword in schema:
            return filled(root, schema[keyword][0], wrong, levels - 1)
    if "properties" in schema:
        members = schema["properties"].items()
        return {name: filled(root, one, wrong, levels - 1) for name, one in members}
    if "items" in schema:
        element = filled(root, schema["items"], wrong, levels - 1)
        return [element] * max(SIZE // 8 // len(json.dumps(element)), 2)
    return wrong


def responses(tool: Tool) -> Iterator[bytes]:
    """Give responses full of wrong calls of a tool."""
    for wrong in WRONG:
        arguments = json.dumps(filled(tool.parameters, tool.parameters, wrong))
        count = max(SIZE // (len(arguments) + 80), 1)
        calls = [
            {"id": f"c{at}", "function": {"name": tool.name, "arguments": arguments}}
            for at in range(count)
        ]
        message = {"role": "assistant", "tool_calls": calls}
        yield json.dumps({"choices": [{"message": message}]}).encode()


def too_slow(tool: Tool) -> list[int]:
    """Give the lengths of responses that take longer than 50 ms for each 10 KB, three times."""
    registry = Registry()
    registry.declare(tool)

    def is_slow(data: bytes) -> bool:
        began = time.process_time()
        look(data, provider("openai-chat"), registry)
        return time.process_time() - began > 0.05 * len(data) / 10_000

    return [len(data) for data in responses(tool) if all(is_slow(data) for _ in range(3))]


@pytest.mark.slow
def test_ten_kilobytes_of_wrong_calls_are_judged_within_fifty_milliseconds() -> None:
    """Of each definition, whatever stands in place of its values."""
    with (WHOLE / "tools.jsonl").open(encoding="utf-8") as lines:
        tools = [tool for source in sources_of(map(json.loads, lines)) for tool in source.tools]

    assert len(tools) > 50
    assert {tool.name: slow for tool in tools if (slow := too_slow(tool))} == {}
