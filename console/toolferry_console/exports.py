"""What a provider is told of tools, and what got lost on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from json import dumps
from typing import Any

from rich.table import Table
from rich.text import Text

from toolferry import SCHEMA_VERSION, Definition, Tool
from toolferry_console.printing import err, out, print_json
from toolferry_dispatcher.providers import Export, Loss


def tool_of(definition: Definition) -> Tool:
    """Make a tool of a definition that somebody has, to see what becomes of it."""
    return Tool(
        name=definition.name,
        description=definition.description,
        parameters=dict(definition.parameters),
    )


def show_export(export: Export, *, json: bool) -> None:
    """Print the payload, then the report: as one JSON object, or for a person to read."""
    if json:
        print_json(_to_json(export))
        return
    _print_payload(export)
    if export.losses:
        err().print(_table(export.losses))
    err().print(Text(_summary(export)))


def _to_json(export: Export) -> dict[str, Any]:
    return {
        "schema_version": SCHEMA_VERSION,
        "provider": export.provider,
        "tools": export.tools,
        "request": dict(export.request),
        "strict": sorted(export.strict),
        "losses": [_loss(loss) for loss in export.losses],
    }


def _loss(loss: Loss) -> dict[str, str]:
    return {
        "tool": loss.tool,
        "path": loss.path,
        "keyword": loss.keyword,
        "what": loss.what.value,
        "detail": loss.detail,
    }


def _print_payload(export: Export) -> None:
    payload = {"tools": export.tools, **export.request}
    text = dumps(payload, ensure_ascii=False, indent=2)
    out().print(Text(text), soft_wrap=True)


def _table(losses: Sequence[Loss]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("tool", "path", "keyword", "what", "detail"):
        table.add_column(heading, overflow="fold")
    for loss in losses:
        words = (loss.tool, loss.path, loss.keyword, loss.what.value, loss.detail)
        table.add_row(*map(Text, words))
    return table


def _summary(export: Export) -> str:
    counted = Counter(loss.what.value for loss in export.losses)
    counts = ", ".join(f"{number} {what}" for what, number in sorted(counted.items()))
    return f"{len(export.strict)} strict; {counts or 'nothing lost'}"
