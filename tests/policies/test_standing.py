"""Standing approvals: which calls they are for, and who may give them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolferry import Approval, Context, Lane, Tool
from toolferry_policies import Allowance, Approver, covers, refuse_to_allow

ANN = Context(principal="ann", tenant="shop")
PAY = Tool(
    name="pay",
    lane=Lane.ASYNC,
    parameters={
        "type": "object",
        "properties": {
            "to": {},
            "amount": {},
            "options": {
                "type": "object",
                "properties": {"fast": {"type": "boolean", "default": False}},
            },
            "currency": {"type": "string", "default": "EUR"},
        },
        "required": ["to", "amount"],
    },
)
ONE = Allowance(
    id="a",
    tool="pay",
    tool_version=PAY.version,
    principal="ann",
    tenant="shop",
    pinned={"to": "bob"},
    free=frozenset({"amount"}),
    who=Approver("eve", verified=True),
    at=0.0,
    until=60.0,
    uses=1,
)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([1.0, 0.5, "", "bob", "1"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.just("fast"), inner),
    max_leaves=3,
)
arguments_of_calls = st.dictionaries(
    st.sampled_from(["to", "amount", "options", "currency", "other"]), values
)


@given(arguments_of_calls, arguments_of_calls, st.sets(st.sampled_from(["amount", "currency"])))
def test_only_free_arguments_may_differ(
    pinned: dict[str, Any], arguments: dict[str, Any], free: set[str]
) -> None:
    """Whatever was pinned: a call that is covered differs nowhere else but from defaults."""
    one = replace(ONE, pinned=pinned, free=frozenset(free))
    if not covers(one, PAY, ANN, arguments):
        return

    for name in (pinned.keys() | arguments.keys()) - free - {"currency", "options"}:
        assert pinned[name] == arguments[name]
        assert isinstance(pinned[name], bool) == isinstance(arguments[name], bool)


@given(arguments_of_calls, values)
def test_what_is_pinned_covers_itself_whatever_is_free(arguments: dict[str, Any], of: Any) -> None:
    """And a free argument may be anything."""
    one = replace(ONE, pinned=arguments, free=frozenset({"amount"}))

    assert covers(one, PAY, ANN, arguments)
    assert covers(one, PAY, ANN, {**arguments, "amount": of})


@pytest.mark.parametrize(
    ("arguments", "is_covered"),
    [
        ({"to": "bob", "amount": 1}, True),
        ({"to": "bob"}, True),
        ({"to": "bob", "currency": "EUR"}, True),
        ({"to": "bob", "currency": None}, False),
        ({"to": "bob", "options": {}}, False),
        ({"to": "bob", "other": None}, False),
        ({"to": ["bob"]}, False),
        ({}, False),
    ],
)
def test_what_nobody_spoke_about_is_at_its_default(
    arguments: dict[str, Any], *, is_covered: bool
) -> None:
    """An argument that is there is spoken about, or has the value of its default."""
    assert covers(ONE, PAY, ANN, arguments) is is_covered


@pytest.mark.parametrize("changes", [{"principal": ""}, {"tenant": "shop2"}, {"tool_version": "0"}])
def test_it_is_for_one_principal_of_one_tenant_and_one_version(changes: dict[str, Any]) -> None:
    """Nothing else is taken for it."""
    assert not covers(replace(ONE, **changes), PAY, ANN, {"to": "bob"})


def test_an_object_that_may_hold_a_secret_cannot_be_pinned() -> None:
    """It would lie open in the record."""
    secret = {"type": "object", "properties": {"pin": {"writeOnly": True}}}
    properties = {**PAY.parameters["properties"], "options": secret}
    tool = replace(PAY, parameters={**PAY.parameters, "properties": properties})
    one = replace(ONE, pinned={"to": "bob", "options": {"pin": "4711"}})

    refusal = refuse_to_allow(one, tool)

    assert refusal.startswith("options is secret, or may hold a secret")
    assert "4711" not in refusal


def test_terms_of_the_tool_are_asked_before_its_arguments() -> None:
    """Who may not decide learns nothing of the schema."""
    tool = replace(PAY, approval=Approval(roles=frozenset({"lead"})))

    assert refuse_to_allow(replace(ONE, pinned={}), tool).startswith("only people with the role")
