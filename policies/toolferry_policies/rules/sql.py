"""SQL that only reads, by a real parser.

1. The text is read as one statement of the dialect that is named. What the parser does not
   understand is denied, and so is what two parsers may read in different ways: comments, a
   backslash before a quote, odd blanks, strings in dollars or with a prefix.
2. The statement is a SELECT, also with WITH, UNION, EXCEPT and INTERSECT. Everything in it must be
   one of the kinds of parts that reading needs: no INTO, no lock, no hint, no variable, nothing
   that writes, wherever it stands.
3. Functions that the parser knows may be used, but those that reach out of the query; others only
   when they are known to do no harm, or named by the tool.
4. Tables are those that are allowed, by name or by schema; names of CTEs are no tables, and what
   only looks like one is a table.
5. With a row cap, a statement with a higher limit or without one is given the cap; the model is
   told. What runs then is the statement as the parser understood it.

It guards against what a model may write, not against the database: the account that the handler
connects with should be able to read only what it must, with a limit on the time of a statement.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from toolferry import ConfigurationError
from toolferry_policies.facts import Facts
from toolferry_policies.rules.items import require_count
from toolferry_policies.rules.place import Path, Rule, for_each, of_text, put, refused
from toolferry_policies.verdict import Modify, Permit, Verdict

if TYPE_CHECKING:
    from toolferry_policies.rules.sql_statement import Statement

#: The dialects whose ways around this rule are known and tested.
Dialect: TypeAlias = Literal["postgres", "mysql", "sqlite", "duckdb"]
_DIALECTS: Final = ("postgres", "mysql", "sqlite", "duckdb")


def read_only_sql(
    path: str,
    *,
    dialect: Dialect,
    schemas: Iterable[str] | None = None,
    tables: Iterable[str] | None = None,
    functions: Iterable[str] = (),
    max_rows: int | None = None,
) -> Rule:
    """Allow one statement that only reads; the story is at the top of this file.

    Args:
        path: The argument that holds the SQL.
        dialect: What the database speaks; MariaDB is `mysql`.
        schemas: Schemas of which every table may be read, as `sales` in `sales.orders`.
        tables: Tables that may be read, as they must be written: `orders`, `sales.orders`. When
            neither schemas nor tables are given, all but those of the system.
        functions: Further functions that may be called, without their schema.
        max_rows: Rows at the most, 1 or more; no cap when None.

    Raises:
        ConfigurationError: A setting is wrong, or sqlglot is missing: it comes with
            `toolferry[sql]`.
    """
    if dialect not in _DIALECTS:
        known = ", ".join(_DIALECTS)
        raise ConfigurationError("read_only_sql", f"the dialect is one of {known}: not {dialect!r}")
    if max_rows is not None:
        require_count("read_only_sql", max_rows, 1)
    reader = _reader(dialect, schemas, tables, functions)

    def judge(facts: Facts, where: Path, text: str) -> Verdict:
        found = reader(text)
        if isinstance(found, str):
            return refused(facts, where, text, found)
        return Permit() if max_rows is None else _capped(facts, where, found, max_rows)

    return for_each("read_only_sql", path, of_text(judge))


def _reader(
    dialect: str,
    schemas: Iterable[str] | None,
    tables: Iterable[str] | None,
    functions: Iterable[str],
) -> Any:
    try:
        # It takes a third of a second to load: only who makes this rule waits for it.
        from toolferry_policies.rules import sql_statement  # noqa: PLC0415
        from toolferry_policies.rules.sql_tables import Tables  # noqa: PLC0415
    except ImportError as error:
        raise ConfigurationError(
            "read_only_sql", "sqlglot is missing: install toolferry[sql]"
        ) from error
    allowed = Tables.of(dialect, schemas, tables)
    named = frozenset(_names("functions", functions))
    return lambda text: sql_statement.read(text, dialect, allowed, named)


def _names(what: str, names: Iterable[str]) -> list[str]:
    if isinstance(names, str):
        raise ConfigurationError("read_only_sql", f"{what} is a list of names, not one text")
    return [name.lower() for name in names]


def _capped(facts: Facts, where: Path, statement: Statement, most: int) -> Verdict:
    if statement.rows_are_at_most(most):
        return Permit()
    text = statement.limited(most)
    if text is None:
        return refused(facts, where, statement.text, f"a statement that ends in LIMIT {most}")
    arguments = put(facts.call.arguments, where, text)
    return Modify(arguments, f"The rows were limited to {most}: LIMIT {most} was put into the SQL.")
