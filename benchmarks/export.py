"""Every definition of a JSONL file exported to every provider: what gets lost, and the time.

    python -m benchmarks.export --corpus definitions.jsonl
    python -m benchmarks.export --corpus definitions.jsonl --json

Each definition is exported alone, strict where that is possible, so that no limit of a request is
in its way. What comes of it is judged by the types of the official SDKs and by the providers'
rules, as the tests do; the first that breaks one ends the run.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.providers.exports import TYPES, counted, export_one, tool_of
from toolferry import Tool
from toolferry_dispatcher.providers import Export, Strictness, export_tools


def read(file: Path) -> list[Tool]:
    """Make a tool of each definition of a JSONL file."""
    with file.open(encoding="utf-8") as lines:
        return [tool_of(json.loads(line)) for line in lines if line.strip()]


def microseconds(provider: str, tools: Sequence[Tool]) -> float:
    """Give the time that one tool takes to be exported, its schema already known to be sound."""
    started = time.process_time()
    for tool in tools:
        export_tools(provider, [tool], Strictness.WHERE_POSSIBLE)
    return (time.process_time() - started) * 1_000_000 / len(tools)


def reasons(exports: Sequence[Export]) -> dict[str, int]:
    """Count for each reason the tools that could not be strict, by the first one of each."""
    found: dict[str, int] = {}
    for export in exports:
        first = next((loss.detail for loss in export.losses if loss.keyword == "strict"), None)
        if first is not None:
            found[first] = found.get(first, 0) + 1
    return dict(sorted(found.items(), key=lambda one: -one[1]))


def report(tools: Sequence[Tool]) -> dict[str, Any]:
    """Export all tools to all providers, judged, and count."""
    found: dict[str, Any] = {"definitions": len(tools)}
    for provider in TYPES:
        exports = [export_one(provider, tool) for tool in tools]
        found[provider] = {
            "microseconds": round(microseconds(provider, tools)),
            "counts": counted(exports),
            "not_strict": reasons(exports),
        }
    return found


def show(found: Mapping[str, Any]) -> None:
    """Print the counts as a table in Markdown, one line a provider."""
    print("| provider | strict | dropped | moved | rewritten | µs a tool |")
    print("| --- | --- | --- | --- | --- | --- |")
    for provider in TYPES:
        one = found[provider]
        counts: Mapping[str, int] = one["counts"]
        sums = [
            sum(number for name, number in counts.items() if name.endswith(what))
            - (counts.get("strict dropped", 0) if what == "dropped" else 0)
            for what in ("dropped", "moved", "rewritten")
        ]
        cells = (provider, counts["strict"], *sums, one["microseconds"])
        print(
            "| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else cell for cell in cells), "|"
        )


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
