"""A statement that only reads: what `read_only_sql` understood of a text. Needs sqlglot."""

from __future__ import annotations

import logging
import re
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel, SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from toolferry_policies.rules.sql_parts import complaint_about
from toolferry_policies.rules.sql_tables import Tables

#: Characters of a statement; more would cost more than a rule may.
MAX_TEXT: Final = 20_000
#: Brackets and CASEs within each other; deeper ones are no query that a person would read.
MAX_NESTED: Final = 40
#: What the parser may meet before it has refused: see `_odd_text`.
_BEGINNINGS: Final = (TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN)
#: Texts whose escapes or borders differ between servers, or between settings of one.
_ODD_TEXTS: Final = (
    TokenType.RAW_STRING,
    TokenType.HEREDOC_STRING,
    TokenType.UNICODE_STRING,
    TokenType.BYTE_STRING,
)
_QUOTED: Final = (TokenType.STRING, TokenType.NATIONAL_STRING, TokenType.IDENTIFIER)
_ESCAPED_QUOTE: Final = re.compile(r"\\['\"`]")
_PLAIN_BLANKS: Final = frozenset(" \t\r\n")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement that only reads."""

    text: str
    dialect: str
    tree: exp.Expr

    def rows_are_at_most(self, most: int) -> bool:
        """Say whether the statement itself limits its rows, by a plain number."""
        limit = self.tree.args.get("limit")
        if not isinstance(limit, exp.Limit) or set(_given(limit)) != {"expression"}:
            return False
        number = limit.expression
        is_whole = (
            isinstance(number, exp.Literal) and not number.is_string and number.this.isdigit()
        )
        return is_whole and int(number.this) <= most

    def limited(self, most: int) -> str | None:
        """Write the statement with this limit; None when it cannot be written so that it holds."""
        tree = self.tree.copy()
        tree.set("limit", exp.Limit(expression=exp.Literal.number(most)))
        try:
            text = tree.sql(
                dialect=self.dialect, comments=False, unsupported_level=ErrorLevel.RAISE
            )
        except Exception:  # noqa: BLE001 -- as in `_trees`
            return None
        written = _trees(text, self.dialect)
        # Behind a part that should stand in brackets, the limit would be that part's.
        is_capped = len(written) == 1 and Statement(
            text, self.dialect, written[0]
        ).rows_are_at_most(most)
        return text if is_capped else None


def _given(node: exp.Expr) -> Iterator[str]:
    return (name for name, value in node.args.items() if value)


def read(text: str, dialect: str, tables: Tables, functions: frozenset[str]) -> Statement | str:
    """Read one statement, or say what is expected in place of this text."""
    odd = _odd_text(text, dialect)
    if odd:
        return odd
    found = _trees(text, dialect)
    if not found:
        return f"one SELECT that a parser of {dialect} understands"
    if len(found) != 1 or not isinstance(found[0], exp.Query):
        return "one SELECT statement and nothing else"
    tree = found[0]
    return (
        complaint_about(tree, functions)
        or tables.complaint_about(tree)
        or (Statement(text, dialect, tree))
    )


def _is_heard(_record: logging.LogRecord) -> bool:
    return not getattr(_here, "is_reading", False)


# The parser logs texts that it understands in part. These are a call's arguments, perhaps secret.
_here = threading.local()
logging.getLogger("sqlglot").addFilter(_is_heard)


def _trees(text: str, dialect: str) -> list[exp.Expr]:
    """Read the statements of a text; none when the parser does not understand it."""
    _here.is_reading = True
    try:
        trees = sqlglot.parse(text, read=dialect, error_level=ErrorLevel.RAISE)
    except Exception:  # noqa: BLE001 -- besides its own errors, the parser has others for nonsense
        return []
    finally:
        _here.is_reading = False
    return [tree for tree in trees if tree is not None]


def _odd_text(text: str, dialect: str) -> str:
    """Say what keeps a text from meaning the same to every reader; nothing when it is plain."""
    if len(text) > MAX_TEXT:
        return f"SQL of at most {MAX_TEXT:,} characters"
    if _ESCAPED_QUOTE.search(text):
        return "SQL with quotes in texts doubled, without a backslash before a quote"
    try:
        tokens = list(sqlglot.tokenize(text, read=dialect))
    except SqlglotError:
        return f"SQL that a parser of {dialect} understands"
    if not tokens or tokens[0].token_type not in _BEGINNINGS:
        return "one statement that begins with SELECT or WITH"
    if any(token.token_type in _ODD_TEXTS for token in tokens):
        return "SQL with plain texts: 'text', without prefix or dollars"
    return _odd_signs(text, tokens) or _too_deep(tokens)


def _odd_signs(text: str, tokens: list[Token]) -> str:
    plain = _outside_of_quotes(text, tokens)
    if any(token.comments for token in tokens) or "--" in plain or "/*" in plain or "*/" in plain:
        return "SQL without comments"
    if "\\" in plain or "$" in plain or "\0" in text or any(map(_is_odd, plain)):
        return "SQL without backslashes, dollars or odd blanks outside of texts"
    if ";" in plain.rstrip(" \t\r\n;"):
        return "one SELECT statement and nothing else"
    return ""


def _outside_of_quotes(text: str, tokens: list[Token]) -> str:
    parts, at = [], 0
    for token in tokens:
        if token.token_type in _QUOTED and text[token.start : token.start + 1] in "'\"`":
            parts.append(text[at : token.start])
            at = token.end + 1
    return " ".join((*parts, text[at:]))


def _is_odd(sign: str) -> bool:
    return sign not in _PLAIN_BLANKS and unicodedata.category(sign)[0] in "CZ"


def _too_deep(tokens: list[Token]) -> str:
    opening = (TokenType.L_PAREN, TokenType.CASE, TokenType.L_BRACKET, TokenType.L_BRACE)
    closing = (TokenType.R_PAREN, TokenType.END, TokenType.R_BRACKET, TokenType.R_BRACE)
    depth = 0
    for token in tokens:
        depth += (token.token_type in opening) - (token.token_type in closing)
        if depth > MAX_NESTED:
            return f"SQL with brackets at most {MAX_NESTED} deep"
    return ""
