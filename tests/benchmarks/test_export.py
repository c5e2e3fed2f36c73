"""The benchmark of exports: every definition is registered, exported and counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.export import main, read, report
from tests.providers.exports import TYPES

FILE = Path(__file__).parents[1] / "data" / "corpus" / "tools.jsonl"


def written(folder: Path, *definitions: dict[str, Any]) -> Path:
    """Write definitions of one source as a file."""
    file = folder / "definitions.jsonl"
    rows = [
        {"key": f"t{at}", "description": "", "source": {"corpus": "made"}, **one}
        for at, one in enumerate(definitions)
    ]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return file


def test_no_definition_is_left_out() -> None:
    """By registry and alone, every provider gets all of them."""
    found = report(read(FILE))

    assert found["definitions"] == 84
    assert sum(one["registered"] for one in found["sources"].values()) == 84
    for how in ("registries", "alone"):
        assert {name: one["tools"] for name, one in found[how].items()} == dict.fromkeys(TYPES, 84)


def test_definitions_that_share_a_name_go_under_a_suffix(tmp_path: Path) -> None:
    """One that no other definition has, whichever comes first."""
    empty: dict[str, Any] = {"type": "object", "properties": {}}
    names = ("look", "look", "look_2", "look", "look_2")

    sources = read(written(tmp_path, *({"name": one, "parameters": empty} for one in names)))

    assert [tool.name for tool in sources[0].tools] == [
        "look",
        "look_3",
        "look_2",
        "look_4",
        "look_2_2",
    ]
    assert sources[0].suffixed == 3


def test_a_definition_that_cannot_be_registered_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its key and the reason."""
    broken = {"name": "broken", "parameters": {"type": "no such type"}}
    sound = {"name": "sound", "parameters": {"type": "object", "properties": {}}}

    main(["--corpus", str(written(tmp_path, broken, sound))])

    printed = capsys.readouterr().out
    assert "| made | 2 | 1 | 0 | 1 |" in printed
    assert "made: t0 could not be registered: broken: " in printed


def test_everything_can_be_printed_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the reasons of what is not strict."""
    anything = {"name": "keep", "parameters": {"type": "object", "properties": {"what": {}}}}

    main(["--corpus", str(written(tmp_path, anything)), "--json"])

    found = json.loads(capsys.readouterr().out)
    assert found["registries"]["openai-chat"]["counts"]["strict"] == 0
    assert sum(found["registries"]["openai-chat"]["not_strict"].values()) == 1
