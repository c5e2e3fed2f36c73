"""docs/effects.md: the effect table, as the code has it."""

from __future__ import annotations

from pathlib import Path

from toolferry.result import DOUBT
from toolferry_policies import EFFECTS, Care, Treatment

PAGE = Path(__file__).parents[2] / "docs" / "effects.md"


def cell(row: Treatment) -> str:
    """Write what follows."""
    again = "again, else " if row.again else ""
    dead = ", dead letter" if row.is_dead_letter else ""
    return f"{again}{row.outcome}, {row.effect}{dead}"


def table() -> str:
    """Write the whole table as Markdown."""
    lines = [["what happened", *Care], ["---"] * 4]
    lines += [[what, *(cell(row[care]) for care in Care)] for what, row in EFFECTS.items()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def test_the_page_has_the_table_of_the_code() -> None:
    """Cell for cell."""
    assert table() in PAGE.read_text(encoding="utf-8")


def test_the_page_has_the_sentence_that_models_read() -> None:
    """Word for word."""
    assert DOUBT in PAGE.read_text(encoding="utf-8")
