"""Turns of benchmarks: every valid one is accepted, every invalid one refused at the right place.

The sample lies in tests/data/corpus; `TOOLFERRY_CORPUS` names a folder with the whole corpus.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.providers.corpus import SAMPLE
from toolferry import Registry, Tool
from toolferry_dispatcher.looking import SeenCall, look
from toolferry_dispatcher.providers import provider

WHOLE = Path(os.environ.get("TOOLFERRY_CORPUS", SAMPLE))


def rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """Give the rows of one file."""
    with (folder / f"{name}.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def check(folder: Path) -> Counter[bool]:
    """Look at every turn of a folder; gives how many are valid, and how many are not."""
    definitions = {row["key"]: row for row in rows(folder, "tools")}
    turns = list(rows(folder, "turns"))
    for row in turns:
        registry = registry_of([definitions[key] for key in row["tool_keys"]])
        calls = look(row["calls"], provider("plain"), registry).calls
        assert all(call.is_accepted for call in calls) is row["valid"], row["id"]
        refused = [call for call in calls if call.error is not None]
        for call, why in zip(refused, row.get("why", ()), strict=True):
            check_place(call, why)
    return Counter(row["valid"] for row in turns)


def registry_of(definitions: list[Mapping[str, Any]]) -> Registry:
    """Build a registry of these definitions; of those that share a name the first."""
    registry = Registry()
    for one in {one["name"]: one for one in reversed(definitions)}.values():
        registry.declare(Tool(name=one["name"], parameters=one["parameters"]))
    return registry


def check_place(call: SeenCall, why: str) -> None:
    """Require that a call is refused at a place that the corpus names, and at no other."""
    named = re.findall(r"(?:^[^:]+: |; )(\S+): (?:'(\w+)' is a required)?", why)
    places = {member or re.sub(r"/(\d+)", r"[\1]", path) for path, member in named}
    assert call.error is not None
    assert call.error["code"] == "schema"
    assert call.error["path"] in places, why
    assert all(f"{place}: expected" in call.error["message"] for place in places), why


def test_turns_are_accepted_or_refused_at_the_right_place() -> None:
    """Those of the sample."""
    assert check(SAMPLE).keys() == {True, False}


@pytest.mark.slow
def test_all_turns_are_accepted_or_refused_at_the_right_place() -> None:
    """Those of the whole corpus, where it is at hand."""
    assert check(WHOLE) in ({True: 1_227, False: 36}, check(SAMPLE))
