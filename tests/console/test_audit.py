"""`toolferry audit`: the record is sealed and verified, and `doctor` knows how it stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.console.conftest import SAMPLE_TOOLS, Toolferry
from tests.console.responses import calling, written
from toolferry_console.local import local_workers, wait_ready
from toolferry_ledger import load_settings

REFUSED = calling(("count", {"tabel": "t", "password": "hunter2"}))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have the system audited into a folder."""
    path = tmp_path / "audit"
    monkeypatch.setenv("TOOLFERRY_AUDIT", str(path))
    return path


def lines_of(folder: Path) -> list[dict[str, Any]]:
    """Read what is told in the files."""
    texts = [path.read_text() for path in sorted(folder.glob("audit-*.jsonl"))]
    return [json.loads(line) for text in texts for line in text.splitlines()]


def test_a_refused_call_is_sealed_with_the_rule_and_without_secrets(
    toolferry: Toolferry, folder: Path, tmp_path: Path
) -> None:
    """And verified, with a head to keep elsewhere."""
    toolferry("run", written(tmp_path, REFUSED))

    sealed = toolferry("audit", "seal", "--json")
    found = toolferry("audit", "verify", "--json")

    [refused, seal] = lines_of(folder)
    assert (sealed.object["sealed"], found.code, found.object["ok"]) == (1, 0, True)
    assert found.object["head"] == {"number": 2, "hash": seal["hash"]}
    assert (refused["kind"], refused["rule"], refused["code"]) == (
        "refused",
        "arguments_fit",
        "schema",
    )
    assert refused["arguments"] == {"tabel": "…", "password": "…"}
    assert "hunter2" not in str(refused)


def test_what_was_changed_is_told_line_by_line(
    toolferry: Toolferry, folder: Path, tmp_path: Path
) -> None:
    """With exit code 1; also without a server, and against a head that was kept."""
    toolferry("run", written(tmp_path, REFUSED))
    toolferry("audit", "seal")
    head = toolferry("audit", "verify").out.split("head ")[1].strip()
    [path] = folder.glob("audit-*.jsonl")
    path.write_text(path.read_text().replace("arguments_fit", "tool_is_known"))

    online = toolferry("audit", "verify")
    offline = toolferry("audit", "verify", str(folder), "--offline", "--expect", head)

    assert (online.code, offline.code) == (1, 1)
    assert f"{path.name}:1: the line was changed" in online.err
    assert f"{path.name}:1: the line was changed" in offline.err


def test_a_worker_seals_what_it_does(toolferry: Toolferry, folder: Path) -> None:
    """Its last lines when it stops; it knows which arguments are secret."""
    settings = load_settings()
    with local_workers(settings, SAMPLE_TOOLS) as workers:
        wait_ready(settings, workers)
        toolferry("call", "count", "--arguments", '{"table": "t", "password": "hunter2"}')

    found = toolferry("audit", "verify", "--json")

    told = {row["kind"]: row for row in lines_of(folder)}
    assert (found.code, found.object["waiting"]) == (0, 0)
    assert told["requested"]["arguments"] == {"table": "t", "password": "…"}
    assert told["settled"]["state"] == "succeeded"
    assert "hunter2" not in str(told)


def test_a_folder_that_cannot_be_written_is_one_sentence(
    toolferry: Toolferry, folder: Path, tmp_path: Path
) -> None:
    """And `seal` why it cannot; exit code 2."""
    toolferry("run", written(tmp_path, REFUSED))
    folder.write_text("in the way")

    broken = toolferry("audit", "seal")
    checks = toolferry("doctor", "--json").object["checks"]

    assert broken.code == 2
    assert broken.err.startswith("toolferry: TOOLFERRY_AUDIT: cannot be written: ")
    assert [one["grade"] for one in checks if one["check"] == "audit"] == ["ok"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("seal",), "TOOLFERRY_AUDIT: names no folder, so name one"),
        (("verify", "--offline"), "TOOLFERRY_AUDIT: names no folder, so name one"),
        (("verify", ".", "--expect", "x"), "--expect must be NUMBER:HASH"),
    ],
)
def test_what_is_missing_is_one_sentence(
    toolferry: Toolferry, words: tuple[str, ...], sentence: str
) -> None:
    """And exit code 2."""
    ran = toolferry("audit", *words)

    assert ran.code == 2
    assert sentence in ran.err
