"""The linter: tools in, findings out; what is accepted, and what is refused strictly."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from tests.contract.linting.samples import codes
from tests.contract.samples import made
from toolferry import (
    Definition,
    EffectClass,
    Registry,
    Tool,
    ToolDuplicate,
    ToolInvalid,
    ToolUnclear,
    lint,
    tool,
)

GOOD = "Read one order with its items. Use it when the id is known; it does not give the customer."


def test_a_good_tool_has_no_findings() -> None:
    """Every rule is satisfied at once."""

    @tool
    def orders_get(order_id: str) -> str:
        """Read one order. Use it when its id is known; it does not give the customer's data.

        Args:
            order_id: As the order's confirmation says it.
        """
        return order_id

    assert lint([orders_get]) == []


def test_a_registry_is_linted_like_a_list() -> None:
    """The findings are in the order of the tools, then of the rules."""
    registry = Registry([made(name="orders_get"), made(name="search")])

    found = [(finding.tool, finding.code) for finding in lint(registry)]

    assert found == [("orders_get", "TF201"), ("search", "TF101"), ("search", "TF201")]


def test_a_tool_is_judged_by_its_effect_and_its_permissions() -> None:
    """A role that is needed counts as well."""
    fields: dict[str, Any] = {"name": "orders_cancel", "effect": EffectClass.WRITE}

    assert "TF401" in [one.code for one in lint([made(**fields)])]
    assert "TF401" not in [one.code for one in lint([made(**fields, permissions={"orders"})])]
    assert "TF401" not in [one.code for one in lint([made(**fields, allowed_roles={"clerk"})])]
    assert "TF402" in [one.code for one in lint([made(name="orders_cancel")])]


def test_a_rule_that_a_tool_accepts_finds_nothing_in_it() -> None:
    """And still finds the others' faults."""
    accepted = {"TF101": "The only search of this server.", "TF201": "Told elsewhere."}
    sample = made(name="search", lint_accepted=accepted)

    assert lint([sample]) == []
    assert codes(Definition(name="search")) == ["TF101", "TF201"]


def test_a_decorated_tool_can_accept_a_rule() -> None:
    """`@tool` takes it as any other field."""

    @tool(lint_accepted={"TF102": "A word that everybody knows."})
    def translate() -> None:
        """Translate."""

    assert translate.lint_accepted == {"TF102": "A word that everybody knows."}


@pytest.mark.parametrize("code", ["TF999", "name-generic", "", 7])
def test_an_unknown_code_is_refused(code: Any) -> None:
    """Bad input: a reason for a rule that does not exist."""
    with pytest.raises(ToolInvalid, match=r"sample: lint_accepted names .*which is no rule"):
        made(lint_accepted={code: "Because."})


@pytest.mark.parametrize("reason", ["", "  ", None, 3])
def test_a_rule_accepted_without_a_reason_is_refused(reason: Any) -> None:
    """Bad input: nobody could tell later why."""
    with pytest.raises(ToolInvalid, match="sample: lint_accepted gives no reason for TF101"):
        made(lint_accepted={"TF101": reason})


@pytest.mark.parametrize("accepted", [["TF101"], "TF101", None])
def test_codes_without_reasons_are_refused(accepted: Any) -> None:
    """Bad input: a list instead of codes with reasons."""
    with pytest.raises(ToolInvalid, match="sample: lint_accepted must be"):
        made(lint_accepted=accepted)


def test_what_a_tool_accepts_cannot_be_changed_from_outside() -> None:
    """As with its other fields."""
    accepted = {"TF101": "The only one."}
    sample = made(lint_accepted=accepted)

    accepted.clear()

    assert sample.lint_accepted == {"TF101": "The only one."}


def test_a_strict_registration_refuses_a_tool_with_findings() -> None:
    """The error lists the place and the mend of each; nothing is registered."""
    registry = Registry()

    with pytest.raises(ToolUnclear) as refused:
        registry.register(made(name="search"), strict=True)

    assert [finding.code for finding in refused.value.findings] == ["TF101", "TF201"]
    assert str(refused.value).startswith("search: TF101 at name: search does not say")
    assert "(say what the tool does, what it does not do, and when to use it)" in str(refused.value)
    assert len(registry) == 0


def test_a_strict_registration_passes_over_advice() -> None:
    """Advice weighs too little to stop a start."""
    sample = made(name="orders_get", description="Read one order with its items and its state.")

    assert {one.code for one in lint([sample])} == {"TF203", "TF204"}
    assert Registry().register(sample, strict=True) is sample


def test_a_strict_registration_compares_with_the_tools_that_are_there() -> None:
    """They are not judged themselves."""
    registry = Registry([made(name="fetch_orders")])

    with pytest.raises(ToolUnclear, match=r"TF501 at name: .* tell it from fetch_orders"):
        registry.register(made(name="orders_get", description=GOOD), strict=True)


def test_a_strict_registration_under_a_taken_name_says_so() -> None:
    """Not that the two are alike."""
    registry = Registry([made(name="orders_get", description=GOOD)])

    with pytest.raises(ToolDuplicate):
        registry.register(made(name="orders_get", description=GOOD), strict=True)


def test_the_error_of_a_strict_registration_can_travel() -> None:
    """Between processes, with its findings."""
    error = ToolUnclear("search", "two faults", tuple(lint([Definition(name="search")])))

    travelled = pickle.loads(pickle.dumps(error))  # noqa: S301 -- our own bytes

    assert (str(travelled), travelled.findings) == (str(error), error.findings)


def test_a_tool_that_cannot_be_registered_can_be_linted() -> None:
    """A handler is not needed to judge a definition."""
    assert lint([Tool(name="orders_get", description=GOOD)]) == []
