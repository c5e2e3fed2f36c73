"""The page on designing tools: its examples run, and its tables are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.lint_table import rules_examples, rules_table
from toolferry import RULES

PAGE = Path(__file__).parents[2] / "docs" / "designing-tools.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"<!-- example -->\n```python\n(.*?)```", TEXT, re.DOTALL)


def between(word: str) -> str:
    """Give what stands between two marks of the page."""
    found = re.search(rf"<!-- {word}: begin -->\n(.*)\n<!-- {word}: end -->", TEXT, re.DOTALL)
    assert found
    return found[1]


@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_holds_what_it_asserts(code: str) -> None:
    """As it stands on the page."""
    exec(compile(code, str(PAGE), "exec", dont_inherit=True), {"__name__": "example"})  # noqa: S102 -- our own page


def test_the_page_has_examples() -> None:
    """So that the test above cannot pass by finding none."""
    assert len(EXAMPLES) == 2


def test_the_table_is_that_of_the_code() -> None:
    """`python -m benchmarks.lint FILE --table` writes it anew."""
    found = re.findall(r"^\| `(TF\d+)` .* ([\d,]+) \|$", between("rules"), re.MULTILINE)
    counts = {code: int(count.replace(",", "")) for code, count in found}

    assert counts.keys() == RULES.keys()
    assert between("rules") == rules_table(counts)


def test_the_examples_of_the_rules_are_those_of_the_code() -> None:
    """The same that each rule is tested with."""
    assert between("examples") == rules_examples()
