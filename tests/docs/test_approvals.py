"""The page on approvals: its example runs as it stands, in an empty folder."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from tests.docs.examples import run_example
from toolferry import Approval

PAGE = Path(__file__).parents[2] / "docs" / "approvals.md"
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_example_runs_as_it_stands(tmp_path: Path) -> None:
    """What was asked, and both results, with what the person changed."""
    printed = run_example(TEXT, tmp_path)

    assert printed[-3:] == [
        "Pay 500 to bob? The tool pay asks a person before this call.",
        "paid 5 to bob",
        "paid 50 to bob A person changed the arguments: amount is 50. They say: Begin with less.",
    ]


@pytest.mark.slow
def test_the_example_of_standing_approvals_runs_as_it_stands(tmp_path: Path) -> None:
    """One use was allowed; the second call and the one to somebody else were asked about."""
    section = TEXT[TEXT.index("## Standing approvals") :]

    printed = run_example(section, tmp_path)

    denied = "A person denied this call of pay: Not this one."
    assert printed[-5:] == [
        "Pay 710 to bob?",
        "Pay 1 to mallory?",
        "paid 700 to bob",
        denied,
        denied,
    ]


def test_the_page_tells_all_terms() -> None:
    """Each field of an approval has its line."""
    assert all(f"| `{one.name}` |" in TEXT for one in fields(Approval))
