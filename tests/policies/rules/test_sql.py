"""SQL that only reads: what it may be, and every known way around it."""

from __future__ import annotations

import contextlib
import sqlite3
import sys
from typing import Any

import pytest
import sqlglot
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.policies.rules.asking import ask, permits
from tests.policies.rules.sql_texts import BYPASSES, READS, WORDS, WRITES
from toolferry import ConfigurationError
from toolferry_policies import Deny, Permit
from toolferry_policies.rules import read_only_sql

POSTGRES = read_only_sql("value", dialect="postgres")
MYSQL = read_only_sql("value", dialect="mysql")
SQLITE = read_only_sql("value", dialect="sqlite")
DUCKDB = read_only_sql("value", dialect="duckdb")
RULES = {"postgres": POSTGRES, "mysql": MYSQL, "sqlite": SQLITE, "duckdb": DUCKDB}

READS_OF_ONE = [
    (POSTGRES, "SELECT a::int, b->>'c', d #>> '{a,b}', e ~ 'x', f ILIKE 'y' FROM x"),
    (POSTGRES, "SELECT date_trunc('day', a) - interval '1 day', now(), string_agg(b, ',') FROM x"),
    (POSTGRES, "SELECT DISTINCT ON (a) a, count(*) FILTER (WHERE b) FROM x GROUP BY ROLLUP (a)"),
    (POSTGRES, "SELECT * FROM generate_series(1, 3) g, LATERAL (SELECT g) z"),
    (POSTGRES, "SELECT array_agg(a ORDER BY b), json_agg(x), a = ANY(ARRAY[1,2]) FROM x"),
    (POSTGRES, "SELECT extract(year FROM a) FROM x FETCH FIRST 5 ROWS ONLY"),
    (POSTGRES, "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r) SELECT n FROM r"),
    (MYSQL, "SELECT `a`, group_concat(b SEPARATOR ',') FROM `x` LIMIT 5, 10"),
    (MYSQL, "SELECT date_format(a, '%Y'), if(b, 1, 2), ifnull(c, 0) FROM x"),
    (SQLITE, "SELECT strftime('%Y', a), total(b), a GLOB 'x*' FROM x"),
    (
        DUCKDB,
        "SELECT * EXCLUDE (a), [1, 2], list_concat(b, c) FROM x QUALIFY row_number() OVER () = 1",
    ),
]


@pytest.mark.parametrize("dialect", RULES)
def test_what_only_reads_is_permitted(dialect: str) -> None:
    """In every dialect."""
    refused = [text for text in READS if not permits(RULES[dialect], text)]

    assert refused == []


@pytest.mark.parametrize(("rule", "text"), READS_OF_ONE, ids=range(len(READS_OF_ONE)))
def test_what_only_reads_in_one_dialect_is_permitted(rule: Any, text: str) -> None:
    """With what the dialect is used for."""
    assert ask(rule, value=text) == Permit()


@pytest.mark.parametrize("dialect", RULES)
def test_nothing_else_is_permitted(dialect: str) -> None:
    """What writes, what reaches out, and what a parser may not understand."""
    bitwise = "SELECT U&'\\0027'"  # a unicode text in PostgreSQL only
    absolute = "SELECT @@version"  # an operator on a column where there are no variables
    harmless = {
        "postgres": {absolute},
        "mysql": {bitwise},
        "sqlite": {bitwise},
        "duckdb": {bitwise, absolute, "FROM x"},
    }[dialect]

    let_through = [
        text
        for text in (*WRITES, *BYPASSES)
        if not isinstance(ask(RULES[dialect], value=text), Deny)
    ]

    assert set(let_through) - harmless == set()


def test_a_function_may_be_called_when_it_is_named() -> None:
    """Whatever its case, and of a schema too."""
    rule = read_only_sql("value", dialect="postgres", functions=["My_Function"])

    assert permits(rule, "SELECT my_function(1), MY_FUNCTION(2), app.my_function(3)")
    assert not permits(rule, "SELECT my_function(other_function(1))")


@settings(max_examples=80, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), max_size=14), dialect=st.sampled_from(sorted(RULES)))
def test_whatever_words_come_a_verdict_is_given(words: list[str], dialect: str) -> None:
    """Also when they make no sense."""
    verdict = ask(RULES[dialect], value=" ".join(["SELECT", *words]))

    assert isinstance(verdict, Permit | Deny)


_READING = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    33,
}  # 33: recursion


def actions_of(text: str) -> set[int]:
    """Have SQLite prepare a text, and give what it would do; nothing for what it cannot read."""
    actions: set[int] = set()

    def note(action: int, *_about: object) -> int:
        actions.add(action)
        return sqlite3.SQLITE_OK

    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript("CREATE TABLE x (a, b, y); CREATE TABLE a (x)")
        connection.set_authorizer(note)
        with contextlib.suppress(sqlite3.OperationalError):
            connection.execute(text)
    return actions


@settings(max_examples=100, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), max_size=12))
def test_sqlite_itself_finds_one_statement_that_reads_in_what_is_permitted(
    words: list[str],
) -> None:
    """A second statement is an error of its own, which would fail the test."""
    text = " ".join(["SELECT", *words])

    if permits(SQLITE, text):
        assert actions_of(text) <= _READING


def test_sqlite_would_tell_of_a_write() -> None:
    """So that the test above cannot pass by hearing nothing."""
    assert not actions_of("DELETE FROM x") <= _READING
    assert actions_of("SELECT count(*) FROM x") <= _READING
    with pytest.raises((sqlite3.Warning, sqlite3.ProgrammingError)):
        actions_of("SELECT 1; SELECT 2")


@pytest.mark.parametrize("value", [1, None, ["SELECT 1"], {"sql": "SELECT 1"}, True])
def test_what_is_no_text_is_no_sql(value: Any) -> None:
    """A null is not there."""
    assert isinstance(ask(POSTGRES, value=value), Permit if value is None else Deny)


@pytest.mark.parametrize(
    "settings",
    [
        {"dialect": "tsql"},
        {"dialect": "postgres", "max_rows": 0},
        {"dialect": "postgres", "tables": "orders"},
        {"dialect": "postgres", "tables": ["a;b"]},
        {"dialect": "postgres", "schemas": ["a-b"]},
        {"dialect": "postgres", "functions": "lower"},
    ],
)
def test_a_rule_that_makes_no_sense_is_refused_when_it_is_made(settings: dict[str, Any]) -> None:
    """Not at the first call."""
    with pytest.raises(ConfigurationError):
        read_only_sql("value", **settings)


def test_without_sqlglot_the_rule_cannot_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence says what to install."""
    for name in [one for one in sys.modules if one.startswith("toolferry_policies.rules.sql_")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sqlglot", None)

    with pytest.raises(ConfigurationError, match=r"sqlglot is missing: install toolferry\[sql\]"):
        read_only_sql("value", dialect="postgres")


def test_the_parser_logs_no_arguments(caplog: pytest.LogCaptureFixture) -> None:
    """It would, of what it understands in part; whoever else uses it is still told."""
    text = "SELECT 1; SHOW 'the secret'"

    verdict = ask(POSTGRES, value=text)

    assert isinstance(verdict, Deny)
    assert "secret" not in caplog.text
    sqlglot.parse(text)
    assert "the secret" in caplog.text
