"""Which tables a statement reads, and whether it may. Needs sqlglot."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from toolferry import ConfigurationError
from toolferry.wording import shortened

#: A name that is a table to every server: DuckDB opens `"data.csv"` and `"https://…"` as files.
_NAME: Final = re.compile(r"[^\W\d][\w $]*")
#: Schemas and beginnings of tables that belong to the server itself.
_SYSTEM_SCHEMAS: Final = frozenset(
    {
        "information_schema",
        "mysql",
        "performance_schema",
        "pg_catalog",
        "pg_temp",
        "pg_toast",
        "sys",
        "system",
    }
)
_SYSTEM_TABLES: Final = ("pg_", "sqlite_", "duckdb_", "pragma_")
_MAX_NAMED: Final = 300


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables that may be read.

    Args:
        dialect: Says how names are compared.
        schemas: Schemas of which every table may be read; None when no schema is named.
        names: Names of tables, with their schema where it must be written; None when none are.
    """

    dialect: str
    schemas: frozenset[str] | None
    names: frozenset[str] | None

    @classmethod
    def of(cls, dialect: str, schemas: Iterable[str] | None, names: Iterable[str] | None) -> Tables:
        """Take what a tool allows, as it is written in Python.

        Raises:
            ConfigurationError: A name is none.
        """
        return cls(dialect, _checked(dialect, schemas), _checked(dialect, names))

    def complaint_about(self, tree: exp.Expr) -> str:
        """Say what is expected in place of the first table that may not be read."""
        for table in tree.find_all(exp.Table):
            if isinstance(table.this, exp.Func | exp.Dot) and not table.db:
                continue
            if not isinstance(table.this, exp.Identifier):
                return "plain names of tables"
            if not _is_cte(table) and not self._may_read(table):
                return self._expected()
        return ""

    def _may_read(self, table: exp.Table) -> bool:
        parts = [_folded(self.dialect, part) for part in table.parts]
        if not all(map(_NAME.fullmatch, parts)):
            return False
        if self.names and ".".join(parts) in self.names:
            return True
        if self.schemas and len(parts) == 2 and parts[0] in self.schemas:  # noqa: PLR2004 -- schema.table
            return True
        return self.schemas is None and self.names is None and not _is_of_the_system(parts)

    def _expected(self) -> str:
        named = [*sorted(self.names or ()), *(f"{one}.…" for one in sorted(self.schemas or ()))]
        text = ", ".join(named) or "those of the application"
        return shortened(f"no tables but {text}", _MAX_NAMED)


def _is_of_the_system(parts: list[str]) -> bool:
    *schemas, name = (part.lower() for part in parts)
    return name.startswith(_SYSTEM_TABLES) or not _SYSTEM_SCHEMAS.isdisjoint(schemas)


def _folded(dialect: str, name: exp.Expr) -> str:
    """Write a name as the server compares it; MySQL's case counts, as it does on Linux."""
    text = str(name.name)
    quoted = bool(name.args.get("quoted"))
    if dialect in ("sqlite", "duckdb") or (dialect == "postgres" and not quoted):
        return text.lower()
    return text


def _checked(dialect: str, names: Iterable[str] | None) -> frozenset[str] | None:
    if names is None:
        return None
    if isinstance(names, str):
        raise ConfigurationError("read_only_sql", "schemas and tables are lists of names")
    found = tuple(names)
    for name in found:
        if not all(map(_NAME.fullmatch, str(name).split("."))):
            raise ConfigurationError("read_only_sql", f"{name!r:.60} is no name of a table")
    return frozenset(one.lower() if dialect in ("sqlite", "duckdb") else one for one in found)


def _is_cte(table: exp.Table) -> bool:
    """Say whether a name is that of a CTE which can be seen from where it stands."""
    if len(table.parts) > 1:
        return False
    return any(_same(table.this, cte.args["alias"].this) for cte in _seen_from(table))


def _same(one: exp.Expr, other: exp.Expr) -> bool:
    # To the letter, quotes included: what a server folds to one name may be two to another.
    return one == other and one.args.get("quoted") == other.args.get("quoted")


def _seen_from(node: exp.Expr) -> Iterator[exp.CTE]:
    """Give the CTEs that every server sees from a part of a statement.

    Of the WITH that the part itself stands in these are the ones before it, and with RECURSIVE its
    own; of a WITH further out all.
    """
    child, parent = node, node.parent
    while parent is not None:
        if isinstance(parent, exp.With):
            before = parent.expressions[: child.index or 0]
            yield from before
            if parent.args.get("recursive"):
                yield parent.expressions[child.index or 0]
        else:
            clause = parent.args.get("with_")
            if isinstance(clause, exp.With) and clause is not child:
                yield from clause.expressions
        child, parent = parent, parent.parent
