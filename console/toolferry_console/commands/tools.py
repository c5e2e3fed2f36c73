"""`toolferry tools`: what a model may be offered."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from toolferry import SCHEMA_VERSION, Tool, load_tools
from toolferry_console.options import Json, Tools
from toolferry_console.printing import out, print_json


def tools(tools: Tools, json: Json = False) -> None:
    """List the tools of a module, with the JSON Schema of their arguments."""
    known = load_tools(tools).visible()
    if json:
        print_json({"schema_version": SCHEMA_VERSION, "tools": [_to_json(tool) for tool in known]})
    else:
        out().print(_table(known))


def _to_json(tool: Tool) -> dict[str, object]:
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
        "version": tool.version,
        "lane": tool.lane.value,
        "effect_class": tool.effect.value,
        "timeout_seconds": tool.timeout,
        "deadline_seconds": tool.deadline,
        "max_attempts": tool.retry.max_attempts,
    }


def _table(known: Sequence[Tool]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("tool", "lane", "effect", "limit", "description"):
        table.add_column(heading, no_wrap=heading != "description")
    for tool in known:
        description = tool.description.partition("\n")[0]
        limit = f"{tool.timeout:g} s"
        table.add_row(Text(tool.name), tool.lane.value, tool.effect.value, limit, Text(description))
    return table
