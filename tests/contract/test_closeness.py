"""Names that look like another one: which are found, and how little that costs."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolferry.closeness import MOST_CLOSE, NearNames
from toolferry_policies.checks.known import closest

VERBS = ("get", "list", "send", "find", "read")
THINGS = ("order", "user", "mail", "file", "invoice")
MANY = tuple(f"{verb}_{thing}_{n}" for n in range(10) for verb in VERBS for thing in THINGS)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("get_ordr_7", "get_order_7"),
        ("get_oder_7", "get_order_7"),
        ("GetOrder.7", "get_order_7"),
        ("order_get_7", "get_order_7"),
        ("send_invioce_9", "send_invoice_9"),
    ],
)
def test_the_name_that_was_meant_is_found_among_hundreds(written: str, meant: str) -> None:
    """Letters left out, swapped or written in another case; words in another order."""
    assert meant in closest(written, MANY)


@pytest.mark.parametrize("written", ["", "x", "zzz", "完全", "\x00", "q" * 64])
def test_what_looks_like_nothing_finds_nothing(written: str) -> None:
    """No name is made up for it."""
    assert closest(written, MANY) == ()


def test_one_letter_may_be_a_name() -> None:
    """It has two pairs, with what is around it."""
    assert closest("A", ("a", "b")) == ("a",)


@settings(max_examples=30)
@given(
    name=st.text(string.ascii_lowercase + "_", max_size=12),
    names=st.lists(st.text(string.ascii_lowercase + "_", min_size=1, max_size=12), unique=True),
)
def test_what_is_found_is_on_the_list(name: str, names: list[str]) -> None:
    """No more than three, none twice, and the name itself first where it is there."""
    found = NearNames(names).to(name)

    assert set(found) <= set(names)
    assert len(found) == len(set(found)) <= MOST_CLOSE
    assert name not in names or found[0] == name
