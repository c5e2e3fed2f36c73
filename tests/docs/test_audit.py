"""docs/audit.md: its example runs, and its table names what there is."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.examples import run_example
from toolferry_ledger.audit.telling import KINDS

PAGE = (Path(__file__).parents[2] / "docs" / "audit.md").read_text(encoding="utf-8")


def test_the_example_finds_what_was_changed(tmp_path: Path) -> None:
    """As the page says."""
    printed = run_example(PAGE, tmp_path)

    assert printed == ["True", "audit-000000000001.jsonl:1 the line was changed"]


def test_the_page_names_every_kind_of_line() -> None:
    """And no other."""
    table = PAGE.split("| `kind` | tells |")[1].split("\n\n")[0]
    named = {name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row[:40])}

    assert named == KINDS
