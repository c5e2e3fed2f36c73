"""The page on limits: its example runs."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.examples import run_example
from toolferry_policies import NO_LIMITS, read_policy

PAGE = Path(__file__).parents[2] / "docs" / "limits.md"


def test_the_example_prints_what_the_page_says(tmp_path: Path) -> None:
    """As it stands, in an empty folder."""
    printed = run_example(PAGE.read_text(encoding="utf-8"), tmp_path)

    assert printed == [
        "denied budget_exhausted",
        "The budget of this conversation, 20 units of cost, has not enough left for this call.",
    ]


def test_the_policy_file_of_the_page_can_be_used() -> None:
    """It says a budget of each scope, and a guard."""
    found = re.search(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found

    limits = read_policy(found[1].encode(), "toolferry.toml").limits(NO_LIMITS)

    assert [one.scope for one in limits.budgets] == ["turn", "conversation", *["principal"] * 2]
    assert limits.guard
