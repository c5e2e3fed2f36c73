"""Patterns mean what they mean to Python, and take no longer than a text is long."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolferry import SchemaInvalid, Tool
from toolferry.judging import Judge
from toolferry.judging.patterns import linearly, searching

#: Patterns, those that only Python's engine takes or takes so, and a text.
PATTERNS = [
    (r"^[a-z]+$", "abc"),
    (r"b", "abc"),
    (r"[[a]b]", "[b]"),
    (r"[^\[\]]+", "["),
    (r"[\[&&a\]]", "&"),
    (r"[a&&b]", "&"),
    (r"[~~]", "~"),
    (r"[]a]", "]"),
    (r"a\<b", "a<b"),
    (r"(?=a)b", "b"),
    (r"^(?!\s*$).+", " x"),
    (r"(a)\1", "aa"),
    (r"a\Z", "a"),
    (r"\012", "\n"),
    (r"a{,2}$", "aa"),
    (r"^\w{1000}$", "x" * 1_000),
    (r"(?i)É", "é"),
    (r"^.$", "💥"),
    (r"a{1,2}(?:x*)b", "aab"),
    (r"(?x)[a b]", " "),
    (r"(?x) a # b", "a"),
    (r"^(?=(?#()a)", "a"),
    (r"(?m)^b$", "a\nb\nc"),
]


@pytest.mark.parametrize(("pattern", "text"), PATTERNS)
@pytest.mark.filterwarnings("ignore:Possible (nested set|set)")
def test_a_pattern_is_found_where_python_finds_it(pattern: str, text: str) -> None:
    """Whichever engine it is left to."""
    found = searching(pattern)

    for one in (text, "", "zz", text * 2, f"<{text}"):
        assert found(one) is (re.search(pattern, one) is not None)


def test_a_dollar_is_the_end_of_a_text() -> None:
    """And not the place before a last newline."""
    assert not searching("^a$")("a\n")
    assert not searching(r"^(.+)-\1$")("a-a\n")
    assert searching(r"^(.+)-\1[$]$")("a-a$")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python has had them since 3.11")
def test_what_gives_nothing_back_is_left_to_python() -> None:
    """To the other engine it is a repeat of a repeat."""
    assert not searching("a++a")("aaa")
    assert not searching("a{1,9}+a")("aaa")


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"^(\w+\s?)+$", "a" * 5_000 + "!"),
        (r"^[^@]+@[^@]+\.[^@]+$", "a@" + "." * 9_000 + "@"),
        (r"(x+x+)+y", "x" * 5_000),
    ],
)
def test_no_text_keeps_a_pattern_busy(pattern: str, text: str) -> None:
    """Python's engine would not come back from most of these."""
    assert not searching(pattern)(text)
    assert not Judge({"patternProperties": {pattern: True}, "additionalProperties": False}).fits(
        {text: 1}
    )


def test_half_a_character_fits_no_pattern() -> None:
    """It is no text that could be sent on."""
    assert not searching("a")("a\ud83d")


def test_a_pattern_that_is_none_is_refused() -> None:
    """When the tool is registered."""
    with pytest.raises(SchemaInvalid):
        _ = Tool(name="t", parameters={"properties": {"a": {"pattern": "("}}}).validator


@pytest.mark.parametrize(
    "pattern",
    [
        r"^(?!\s*$).+",
        r"^(?=.*[a-z])(?=.*\d).{3,}$",
        r"^(?!a|b)c",
        r"^(?=[)])\)",
        r"^(?=\()x*",
        r"^(?!(?:x|y)z)[xyz]+$",
        r"^(?=a)b|c",
        r"^(?=(a))\1",
        r"^(?=a(?=b))ab",
        r"^(?=a)*b",
        r"^(?=a)?b",
        "",
    ],
)
@settings(max_examples=60, deadline=None)
@given(text=st.text("abcxyz1 ()", max_size=6))
def test_what_looks_ahead_first_is_found_where_python_finds_it(pattern: str, text: str) -> None:
    """Each part of it by itself, where that means the same."""
    assert searching(pattern)(text) is (re.search(pattern, text) is not None)


@pytest.mark.parametrize(
    ("pattern", "is_linear"),
    [
        (r"^(?=.*\d)(?!\s)(\w+\s?)+$", True),
        (r"(?=.*[0-9]).+", False),
        (r"(a)\1", False),
        (r"^(?=a)b|c", False),
        (r"^a(?<!b)$", False),
    ],
)
def test_patterns_that_need_to_try_again_are_known(pattern: str, is_linear: bool) -> None:  # noqa: FBT001 -- what is expected
    """The linter tells of them."""
    assert (linearly(pattern) is not None) is is_linear
