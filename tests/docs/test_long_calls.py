"""The page on long calls: its example runs as it stands, in an empty folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.docs.examples import run_example
from toolferry import MAX_CHECKPOINT_BYTES
from toolferry_ledger import Keeping
from toolferry_ledger.call_tools import MAX_WAIT

PAGE = Path(__file__).parents[2] / "docs" / "long-calls.md"
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_example_runs_as_it_stands(tmp_path: Path) -> None:
    """The first answer, what waiting gave, and the late result."""
    printed = run_example(TEXT, tmp_path)

    said = [line for line in printed if line.startswith(("{", "[Late", "succ"))]
    first, state, late, result = said
    assert json.loads(first)["state"] == "running"
    assert state == "succeeded"
    assert "write_report (call call_1, handle" in late
    assert json.loads(result) == {"ok": True, "content": "2025: 12 months"}


def test_the_page_tells_the_numbers_of_the_code() -> None:
    """The limits, and the lease."""
    assert f"{MAX_CHECKPOINT_BYTES // 1024} KiB" in TEXT
    assert f"after {MAX_WAIT:g} s at the most" in TEXT
    assert f"`TOOLFERRY_LEASE` ({Keeping().lease:g} s)" in TEXT
