"""The cap on rows: a statement with more of them is given a limit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.policies.rules.asking import ask, denied, modified
from tests.policies.rules.sql_texts import WORDS
from toolferry_policies import Modify, Permit
from toolferry_policies.rules import read_only_sql
from toolferry_policies.rules.sql import Dialect

CAPPED = read_only_sql("value", dialect="postgres", max_rows=100)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("SELECT a FROM x", "SELECT a FROM x LIMIT 100"),
        ("SELECT a FROM x;", "SELECT a FROM x LIMIT 100"),
        ("SELECT a FROM x LIMIT 101", "SELECT a FROM x LIMIT 100"),
        ("SELECT a FROM x LIMIT 5000 OFFSET 7", "SELECT a FROM x LIMIT 100 OFFSET 7"),
        ("SELECT a FROM x LIMIT ALL", "SELECT a FROM x LIMIT 100"),
        ("SELECT a FROM x LIMIT NULL", "SELECT a FROM x LIMIT 100"),
        ("SELECT a FROM x LIMIT 50 + 51", "SELECT a FROM x LIMIT 100"),
        ("SELECT a FROM x LIMIT (SELECT 101)", "SELECT a FROM x LIMIT 100"),
        ("SELECT a FROM x LIMIT -1", "SELECT a FROM x LIMIT 100"),
        ("SELECT a FROM x LIMIT 1e9", "SELECT a FROM x LIMIT 100"),
        ("SELECT a FROM x LIMIT '101'", "SELECT a FROM x LIMIT 100"),
        ("SELECT a FROM x FETCH FIRST 101 ROWS ONLY", "SELECT a FROM x LIMIT 100"),
        ("SELECT a FROM x FETCH FIRST 1 ROW WITH TIES", "SELECT a FROM x LIMIT 100"),
        ("SELECT a FROM (SELECT 1 LIMIT 5) q", "SELECT a FROM (SELECT 1 LIMIT 5) AS q LIMIT 100"),
        ("SELECT 1 UNION ALL SELECT 2", "SELECT 1 UNION ALL SELECT 2 LIMIT 100"),
        ("SELECT 1 UNION (SELECT 2 LIMIT 5)", "SELECT 1 UNION (SELECT 2 LIMIT 5) LIMIT 100"),
        ("(SELECT 1)", "(SELECT 1) LIMIT 100"),
        ("WITH x AS (SELECT 1) SELECT * FROM x", "WITH x AS (SELECT 1) SELECT * FROM x LIMIT 100"),
    ],
)  # fmt: skip
def test_a_statement_that_may_give_more_rows_is_given_the_cap(text: str, made: str) -> None:
    """The other arguments stay, and the model is told."""
    verdict = modified(ask(CAPPED, value=text, pin="1"))

    assert verdict.arguments == {"value": made, "pin": "1"}
    assert verdict.reason == "The rows were limited to 100: LIMIT 100 was put into the SQL."
    assert ask(CAPPED, value=made) == Permit()


@pytest.mark.parametrize("text", ["SELECT a FROM x LIMIT 100", "SELECT 1 LIMIT 0 OFFSET 9"])
def test_a_statement_within_the_cap_stays_as_it_is(text: str) -> None:
    """To the letter."""
    assert ask(CAPPED, value=text) == Permit()


@pytest.mark.parametrize("dialect", ["postgres", "mysql", "sqlite", "duckdb"])
@pytest.mark.parametrize(
    "text",
    ["SELECT FROM SELECT a", "SELECT a FROM x, SELECT b", "SELECT 1 UNION SELECT FROM SELECT a",
     "SELECT 1 FROM SELECT a LIMIT 7"],
)  # fmt: skip
def test_a_limit_that_would_be_read_as_another_s_is_not_written(
    dialect: Dialect, text: str
) -> None:
    """A query without brackets would take the limit that is put behind it."""
    rule = read_only_sql("value", dialect=dialect, max_rows=100)

    assert denied(ask(rule, value=text)).faults[0].expected == "a statement that ends in LIMIT 100"


@settings(max_examples=50, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), max_size=10), most=st.integers(1, 50))
def test_a_cap_is_never_passed_and_holds_when_it_is_judged_anew(
    words: list[str], most: int
) -> None:
    """A change leads to a statement that is permitted, or is refused."""
    rule = read_only_sql("value", dialect="postgres", max_rows=most)

    verdict = ask(rule, value=" ".join(["SELECT", *words]))

    if isinstance(verdict, Modify):
        assert not isinstance(ask(rule, value=verdict.arguments["value"]), Modify)
