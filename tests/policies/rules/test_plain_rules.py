"""The rules that look at one value: how many, which, how long, and whom a message reaches."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.policies.rules.asking import ask, denied, permits
from toolferry import ConfigurationError, Fault
from toolferry_policies import Deny, Permit
from toolferry_policies.rules import Rule, allowed_values, max_items, max_length, recipients

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
RULES = [
    max_items("value", 2),
    max_length("value", 2),
    allowed_values("value", ["a", 1]),
    recipients("value", domains=["example.org"], max=2),
]


def name_of(rule: Rule) -> str:
    """Name a test by its rule."""
    return str(getattr(rule, "__name__", rule))


@pytest.mark.parametrize("rule", RULES, ids=name_of)
@given(value=JSON)
def test_a_rule_gives_a_verdict_on_any_value(rule: Rule, value: Any) -> None:
    """A value of the wrong type is denied; nothing is raised, and a null is not there."""
    verdict = ask(rule, value=value)

    assert isinstance(verdict, Permit | Deny)
    assert value is not None or isinstance(verdict, Permit)


@pytest.mark.parametrize("rule", RULES, ids=name_of)
def test_an_argument_that_is_missing_is_permitted(rule: Rule) -> None:
    """Whether it must be there is the schema's business."""
    assert ask(rule) == Permit()


def test_a_rule_on_an_argument_that_the_tool_does_not_have_denies() -> None:
    """A misspelt place would never be looked at."""
    verdict = denied(ask(max_items("valu", 2), value=[1, 2, 3]))

    assert verdict.message == "A policy could not judge this call."
    assert verdict.detail == "the rule max_items looks at valu, which act does not have"


@given(size=st.integers(0, 6), most=st.integers(0, 6))
def test_a_list_may_hold_so_many_items(size: int, most: int) -> None:
    """And not one more."""
    assert permits(max_items("value", most), list(range(size))) is (size <= most)
    assert permits(max_length("value", most), "é" * size) is (size <= most)


def test_a_refusal_names_the_argument_what_is_allowed_and_what_came() -> None:
    """So that a model can mend the call."""
    verdict = denied(ask(max_items("value", 1), value=[1, 2]))

    assert verdict.message == "value is not allowed: expected at most 1 items, got array of 2."
    assert verdict.faults == (Fault(path="value", expected="at most 1 items", got="array of 2"),)
    assert verdict.suggestion == "Correct the named arguments and call again."


def test_a_place_leads_into_objects_and_into_every_item_of_a_list() -> None:
    """The fault names the very item."""
    rule = allowed_values("links[].url", ["a"])

    verdict = denied(ask(rule, links=[{"url": "a"}, {}, {"url": "b"}]))

    assert verdict.faults[0].path == "links[2].url"
    assert isinstance(ask(allowed_values("where.table", ["t"]), where={"table": "u"}), Deny)


@pytest.mark.parametrize("links", ["text", {"url": "a"}, [["a"]], [3]])
def test_a_place_that_leads_through_a_value_of_another_type_denies(links: Any) -> None:
    """What a rule cannot reach, it does not permit."""
    assert isinstance(ask(allowed_values("links[].url", ["a"]), links=links), Deny)


def test_a_secret_is_not_repeated() -> None:
    """Neither in the sentence nor in the fault."""
    verdict = denied(ask(max_length("token", 3), token="hunter22"))  # noqa: S106 -- made up

    assert "hunter22" not in repr(verdict)


@pytest.mark.parametrize("value", [True, "1", 1.5, [1], {"a": 1}, "A"])
def test_an_allowed_value_is_allowed_to_the_letter(value: Any) -> None:
    """True is not 1, and neither is its text."""
    rule = allowed_values("value", ["a", 1, False])

    assert not permits(rule, value)
    assert all(permits(rule, one) for one in ("a", 1, 1.0, False))


@pytest.mark.parametrize(
    "address",
    [
        "ann@example.org",
        "Ann.Lee+x@EXAMPLE.org",
        ["ann@example.org", "bob@example.org"],
        ["ann@example.org", "ANN@example.org", "bob@example.org"],
        [],
    ],
)
def test_plain_addresses_within_the_domain_are_recipients(address: Any) -> None:
    """One as a text, or several in a list; the same one counts once."""
    assert permits(recipients("value", domains=["Example.org"], max=2), address)


@pytest.mark.parametrize(
    "address",
    [
        "ann@evil.example",
        "ann@sub.example.org",
        "ann@notexample.org",
        "ann@example.org.evil.example",
        "ann@example.org@evil.example",
        "ann@evil.example,bob@example.org",
        "ann@evil.example;bob@example.org",
        "ann@evil.example bob@example.org",
        "ann@evil.example\nbob@example.org",
        "ann@example.org\n",
        "ann@example.org\r\nBcc: x@evil.example",
        "ann@example.org\0",
        "ann@example.org.",
        "Ann <ann@example.org>",
        "<ann@evil.example>bob@example.org",
        '"ann@evil.example"@example.org',
        "-oQ/tmp@example.org",
        "|sh@example.org",
        "ann%evil.example@example.org",
        "evil.example!ann@example.org",
        "@evil.example:ann@example.org",
        "ann(@evil.example)@example.org",
        "ann@ex\u0430mple.org",
        "ann@example。org",
        "a" * 65 + "@example.org",
        "@example.org",
        "ann@",
        "",
        ".ann@example.org",
        ["ann@example.org", "ann@evil.example"],
        ["a@example.org", "b@example.org", "c@example.org"],
        [["ann@example.org"]],
        {"ann@example.org": 1},
        7,
    ],
)
def test_anything_else_is_no_recipient(address: Any) -> None:
    """Neither another domain nor what some mail server might read as one."""
    assert not permits(recipients("value", domains=["example.org"], max=2), address)


@given(st.text(max_size=30))
def test_what_is_permitted_ends_in_an_allowed_domain_and_holds_one_at(name: str) -> None:
    """Whatever stands before it."""
    address = f"{name}@example.org"

    if permits(recipients("value", domains=["example.org"]), address):
        assert re.fullmatch(r"[^\s@,;:<>()\"\\%]+@example\.org", address)


@pytest.mark.parametrize(
    ("make", "settings"),
    [
        (max_items, {"path": "", "n": 1}),
        (max_items, {"path": "a..b", "n": 1}),
        (max_items, {"path": "a[0]", "n": 1}),
        (max_items, {"path": "{a}", "n": 1}),
        (max_items, {"path": "a", "n": -1}),
        (max_items, {"path": "a", "n": True}),
        (max_length, {"path": "a", "n": 1.5}),
        (allowed_values, {"path": "a", "values": []}),
        (allowed_values, {"path": "a", "values": "abc"}),
        (recipients, {"path": "a", "domains": []}),
        (recipients, {"path": "a", "domains": ["*"]}),
        (recipients, {"path": "a", "domains": ["b\u00fccher.example"]}),
        (recipients, {"path": "a", "domains": ["example.org"], "max": 0}),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused_when_it_is_made(
    make: Callable[..., Rule], settings: dict[str, Any]
) -> None:
    """Not at the first call."""
    with pytest.raises(ConfigurationError):
        make(**settings)
