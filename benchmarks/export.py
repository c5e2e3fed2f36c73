"""Every definition of a JSONL file exported to every provider: what gets lost, and the time.

    python -m benchmarks.export --corpus definitions.jsonl
    python -m benchmarks.export --corpus definitions.jsonl --json

1. All definitions of one source become one registry. Where a source has several of one name, the
   first keeps it and the others go under a suffix. One that cannot be registered is counted, with
   the reason.
2. Each registry is exported to each provider as the tools of one request, strict where possible.
3. Each tool of it is exported alone, too: then no limit of a request, and no sibling that cannot be
   strict, is in its way.

What comes of it is judged by the types of the official SDKs and by the providers' rules, as the
tests do; the first that breaks one ends the run.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tests.providers.exports import TYPES, counted, export_judged
from tests.providers.request_rules import functions_of
from tests.providers.sources import Source, sources_of
from toolferry import Tool
from toolferry_dispatcher.providers import Change, Export, Strictness, export_tools

#: What is counted of the exports to a provider.
_HEAD: Final = ("provider", "exported", "strict", *Change, "µs a tool")
#: What is counted of a source.
_SOURCE: Final = ("source", "definitions", "registered", "under a suffix", "refused")
_TITLES: Final[Mapping[str, str]] = {
    "registries": "Each registry as the tools of one request:",
    "alone": "Each tool as the only one of a request:",
}


def read(file: Path) -> list[Source]:
    """Make a registry of the definitions of each source of a JSONL file."""
    with file.open(encoding="utf-8") as lines:
        return sources_of(json.loads(line) for line in lines if line.strip())


def microseconds(provider: str, requests: Sequence[Sequence[Tool]]) -> float:
    """Give the time that a tool takes to be exported, its schema already known to be sound."""
    started = time.process_time()
    for tools in requests:
        export_tools(provider, tools, Strictness.WHERE_POSSIBLE)
    return (time.process_time() - started) * 1_000_000 / max(sum(map(len, requests)), 1)


def reasons(exports: Sequence[Export]) -> dict[str, int]:
    """Count for each reason the tools that could not be strict, by the first one of each."""
    first: dict[tuple[int, str], str] = {}
    for number, export in enumerate(exports):
        for loss in export.losses:
            if loss.keyword == "strict":
                first.setdefault((number, loss.tool), loss.detail)
    return dict(Counter(first.values()).most_common())


def exported(provider: str, requests: Sequence[Sequence[Tool]]) -> dict[str, Any]:
    """Export the tools of each request, judged, and count what came of it."""
    exports = [export_judged(provider, tools) for tools in requests]
    return {
        "tools": sum(len(functions_of(export.tools)) for export in exports),
        "counts": counted(exports),
        "not_strict": reasons(exports),
        "microseconds": round(microseconds(provider, requests)),
    }


def report(sources: Sequence[Source]) -> dict[str, Any]:
    """Export all registries to all providers, whole and tool by tool, judged, and count."""
    registries = [source.tools for source in sources]
    alone = [[tool] for tools in registries for tool in tools]
    return {
        "definitions": sum(source.definitions for source in sources),
        "sources": {source.name: _described(source) for source in sources},
        "registries": {provider: exported(provider, registries) for provider in TYPES},
        "alone": {provider: exported(provider, alone) for provider in TYPES},
    }


def _described(source: Source) -> dict[str, Any]:
    return {
        "definitions": source.definitions,
        "registered": len(source.tools),
        "under_a_suffix": source.suffixed,
        "refused": source.refused,
    }


def show(found: Mapping[str, Any]) -> None:
    """Print the counts as tables in Markdown: the sources, whole registries, and tools alone."""
    sources: Mapping[str, Any] = found["sources"]
    _show_table(_SOURCE, [_source_cells(name, one) for name, one in sources.items()])
    for name, one in sources.items():
        for key, reason in one["refused"].items():
            print(f"{name}: {key} could not be registered: {reason}")
    for how, title in _TITLES.items():
        print(f"\n{title}\n")
        _show_table(_HEAD, [_cells(name, one) for name, one in found[how].items()])


def _source_cells(name: str, one: Mapping[str, Any]) -> list[str | int]:
    refused = len(one["refused"])
    return [name, one["definitions"], one["registered"], one["under_a_suffix"], refused]


def _cells(provider: str, one: Mapping[str, Any]) -> list[str | int]:
    counts: Mapping[str, int] = one["counts"]
    losses = {name: number for name, number in counts.items() if not name.startswith("strict")}
    sums = [
        sum(number for name, number in losses.items() if name.endswith(f" {what}"))
        for what in Change
    ]
    return [provider, one["tools"], counts["strict"], *sums, one["microseconds"]]


def _show_table(head: Sequence[str], rows: Sequence[Sequence[str | int]]) -> None:
    for row in (head, ["---"] * len(head), *rows):
        cells = [f"{cell:,}" if isinstance(cell, int) else cell for cell in row]
        print(f"| {' | '.join(cells)} |")


def main(arguments: Sequence[str]) -> None:
    """Export the definitions of a file and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.export")
    parser.add_argument("--corpus", type=Path, required=True, help="JSONL: a definition a line")
    parser.add_argument("--json", action="store_true", help="print everything, as JSON")
    asked = parser.parse_args(arguments)
    found = report(read(asked.corpus))
    if asked.json:
        print(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        show(found)


if __name__ == "__main__":
    main(sys.argv[1:])
