"""What is worked out once for each tool, and forgotten with it."""

from __future__ import annotations

import gc
import weakref
from typing import Any

from toolferry import Tool
from toolferry.once_each import once_each, once_per_part


def test_the_work_is_done_once_for_each() -> None:
    """Each tool has its own, and in it each schema."""
    done: list[Any] = []

    def work(*asked: Any) -> None:
        done.append(asked)

    of_tool, of_schema = once_each(work), once_per_part(work)
    one, two = Tool(name="one"), Tool(name="two")
    schemas: list[Any] = [{"a": 1}, {"a": 1}]

    for tool in (one, two, one):
        of_tool(tool)
        for schema in schemas:
            of_schema(tool, schema)

    assert len(done) == 2 + 2 * 2


def test_nothing_is_kept_for_longer_than_its_tool() -> None:
    """A process may see any number of tools."""

    @once_each
    def made(tool: Tool) -> list[str]:
        return [tool.name]

    tool = Tool(name="one")
    gone = weakref.ref(tool)
    assert made(tool) == ["one"]

    del tool
    gc.collect()

    assert gone() is None
