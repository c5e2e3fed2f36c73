"""The error codes, and the page that explains them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from toolferry import CODE_DEFAULTS, CallError, ErrorCode

PAGE = Path(__file__).parents[2] / "docs" / "errors.md"


def rows() -> dict[str, list[str]]:
    """Read the table of codes: code → when, retryable, told, operator."""
    text, _, _ = PAGE.read_text(encoding="utf-8").partition("<!-- guards -->")
    lines = text.splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0].strip("`"): row[1:] for row in cells if re.fullmatch(r"`[a-z_]+`", row[0])}


def test_the_page_has_one_line_for_every_code_in_their_order() -> None:
    """None is missing, none is made up."""
    assert list(rows()) == [code.value for code in ErrorCode]
    assert set(CODE_DEFAULTS) == set(ErrorCode)


@pytest.mark.parametrize("code", ErrorCode)
def test_the_page_tells_the_defaults_of_a_code(code: ErrorCode) -> None:
    """What the table in the code says, the page says."""
    when, retryable, told, operator = rows()[code.value]

    defaults = CODE_DEFAULTS[code]
    assert (retryable, told) == ("yes" if defaults.retryable else "no", defaults.suggestion)
    assert when.endswith(".")
    assert operator.endswith(".")


@pytest.mark.parametrize("code", ErrorCode)
def test_an_error_takes_the_defaults_of_its_code(code: ErrorCode) -> None:
    """Unless its raiser knows better."""
    plain = CallError.of(code, "It went wrong.")
    special = CallError.of(
        code, "It went wrong.", retryable=not plain.retryable, suggestion="Wait."
    )

    assert (plain.retryable, plain.suggestion) == (
        CODE_DEFAULTS[code].retryable,
        CODE_DEFAULTS[code].suggestion,
    )
    assert special.retryable is not plain.retryable
    assert special.suggestion == "Wait."


def test_an_error_in_doubt_is_not_retryable_and_says_to_look_first() -> None:
    """A write that may have happened must not be invited to happen twice."""
    error = CallError.of(ErrorCode.TIMEOUT, "It took too long.").doubtful()

    assert error.code == "timeout"
    assert error.message == "It took too long. It may or may not have happened."
    assert (error.retryable, error.suggestion) == (
        False,
        "Check whether it happened before you make the call again.",
    )


def test_a_doubt_is_told_once_and_taken_back_when_it_is_cleared() -> None:
    """What did not happen may be asked for again."""
    error = CallError.of(ErrorCode.TIMEOUT, "It took too long.").doubtful()

    assert error.doubtful() == error
    assert error.certain().message == "It took too long. It did not happen."
    assert error.certain().retryable


@pytest.mark.parametrize("code", ErrorCode)
def test_a_suggestion_is_one_short_sentence(code: ErrorCode) -> None:
    """A model pays for every word."""
    suggestion = CODE_DEFAULTS[code].suggestion

    assert suggestion[0].isupper()
    assert suggestion.endswith(".")
    assert len(suggestion) <= 80
