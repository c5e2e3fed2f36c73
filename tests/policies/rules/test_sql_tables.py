"""Which tables a statement may read."""

from __future__ import annotations

import pytest

from tests.policies.rules.asking import ask, denied, permits
from toolferry_policies import Permit
from toolferry_policies.rules import read_only_sql

TABLES = read_only_sql("value", dialect="postgres", tables=["orders", "sales.items"])
SCHEMAS = read_only_sql("value", dialect="postgres", schemas=["sales"])


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * FROM orders",
        "SELECT * FROM ORDERS AS o JOIN Sales.Items i USING (id)",
        'SELECT * FROM "orders"',
        "WITH x AS (SELECT * FROM orders) SELECT * FROM x",
        "WITH x AS (SELECT 1), y AS (SELECT * FROM x) SELECT * FROM (SELECT * FROM y) q",
        "WITH RECURSIVE x AS (SELECT 1 AS n UNION SELECT n + 1 FROM x) SELECT * FROM x",
        "SELECT a FROM orders WHERE b IN (SELECT b FROM sales.items)",
        "SELECT * FROM generate_series(1, 3)",
    ],
)
def test_the_allowed_tables_may_be_read(text: str) -> None:
    """Wherever they stand, and CTEs over them."""
    assert ask(TABLES, value=text) == Permit()


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * FROM users",
        'SELECT * FROM "Orders"',
        "SELECT * FROM public.orders",
        "SELECT * FROM items",
        "SELECT * FROM other.sales.items",
        "SELECT * FROM orders, users",
        "SELECT * FROM orders JOIN users USING (id)",
        "SELECT (SELECT max(id) FROM users) FROM orders",
        "SELECT * FROM orders WHERE id IN (SELECT id FROM users)",
        "SELECT * FROM orders ORDER BY (SELECT 1 FROM users)",
        "SELECT 1 FROM orders UNION SELECT 1 FROM users",
        "SELECT * FROM orders, LATERAL (SELECT * FROM users) u",
        "WITH x AS (SELECT * FROM users) SELECT * FROM x",
        "WITH users AS (SELECT * FROM users) SELECT * FROM users",
        "WITH x AS (SELECT * FROM users), users AS (SELECT 1) SELECT * FROM x",
        "WITH users AS (SELECT 1) SELECT * FROM users, public.users",
        'WITH "Users" AS (SELECT 1) SELECT * FROM users',
        "SELECT * FROM (WITH users AS (SELECT 1) SELECT * FROM users) q, users",
        "SELECT * FROM orders AS users, users AS orders",
        "WITH RECURSIVE x AS (SELECT * FROM y), y AS (SELECT 1) SELECT * FROM x",
        "SELECT * FROM ONLY users",
        "SELECT * FROM users TABLESAMPLE SYSTEM (10)",
        "SELECT * FROM (users)",
        "SELECT * FROM (orders CROSS JOIN users)",
        "SELECT * FROM ROWS FROM (f(1))",
        "SELECT 'users'::regclass FROM users",
    ],
)
def test_no_other_table_is_read(text: str) -> None:
    """Nor one whose name only looks like that of a CTE."""
    verdict = denied(ask(TABLES, value=text))

    assert verdict.faults[0].path == "value"


def test_a_schema_opens_all_its_tables_and_no_others() -> None:
    """A table without a schema may be any: which, only the server's search path knows."""
    assert permits(SCHEMAS, "SELECT * FROM sales.orders JOIN SALES.items USING (id)")
    assert not permits(SCHEMAS, "SELECT * FROM orders")
    assert not permits(SCHEMAS, "SELECT * FROM hr.salaries")
    assert not permits(SCHEMAS, "SELECT * FROM hr.sales.orders")


def test_a_refusal_names_what_may_be_read() -> None:
    """So that a model can mend the call."""
    verdict = denied(ask(TABLES, value="SELECT * FROM users"))

    assert verdict.faults[0].expected == "no tables but orders, sales.items"


def test_a_table_of_the_system_may_be_read_when_it_is_named() -> None:
    """Nobody but the tool's owner can say so."""
    rule = read_only_sql("value", dialect="postgres", schemas=["information_schema"])

    assert permits(rule, "SELECT * FROM information_schema.tables")
