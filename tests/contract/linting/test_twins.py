"""Twins: which tools a model cannot tell from each other."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.linting.samples import codes
from toolferry import Definition, lint


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("get_weather", "weather.fetch"),
        ("orders_list", "list_order"),
        ("calculateArea", "area_calculator"),
        ("get_user_info", "get_user_details"),
    ],
)
def test_names_that_say_the_same_are_twins(one: str, other: str) -> None:
    """Order, capitals, plurals and verbs of one meaning do not tell them apart."""
    findings = lint([Definition(name=one), Definition(name=other)])

    [twin] = [finding for finding in findings if finding.code == "TF501"]
    assert (twin.tool, twin.problem) == (other, f"a model can hardly tell it from {one}")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("get_order", "get_user"),
        ("lock_door", "unlock_door"),
        ("github_search", "jira_search"),
        ("get_orders", "delete_orders"),
        ("reports_v1_get", "reports_v2_get"),
        ("liters_to_gallons", "gallons_to_liters"),
    ],
)
def test_names_that_differ_in_a_word_that_tells_are_no_twins(one: str, other: str) -> None:
    """A subject, a namespace, an opposite, a version."""
    assert "TF501" not in codes(Definition(name=one), Definition(name=other))


def test_one_description_and_the_same_parameters_make_twins_of_any_names() -> None:
    """One of the two is there by mistake."""
    text = "Read the timetable of one route on one day."
    schema: dict[str, Any] = {"properties": {"route": {}, "day": {}}}
    one = Definition(name="timetable_read", description=text, parameters=schema)
    other = Definition(name="routes_show", description=text, parameters=schema)
    third = Definition(name="ferry_plan", description=text, parameters={"properties": {"id": {}}})

    assert "TF501" in codes(one, other)
    assert "TF501" not in codes(one, third)


def test_one_and_many_are_twins_only_with_the_same_parameters() -> None:
    """`order_get` and `orders_get` may well be two tools."""
    one = Definition(name="order_get", parameters={"properties": {"order_id": {}}})
    many = Definition(name="orders_get", parameters={"properties": {"state": {}}})
    same = Definition(name="orders_get", parameters={"properties": {"order_id": {}}})

    assert "TF501" not in codes(one, many)
    assert "TF501" in codes(one, same)


def test_the_words_of_a_long_name_tell_by_their_order() -> None:
    """What is got from what is told by it."""
    one = Definition(name="payment_cards_of_employee_with_contract_get", description="A b c d e.")
    other = Definition(
        name="employee_with_contract_of_payment_cards_get", parameters={"properties": {"card": {}}}
    )

    assert "TF501" not in codes(one, other)


def test_names_without_words_are_no_twins() -> None:
    """They say nothing, and so not the same."""
    assert "TF501" not in codes(Definition(name="42"), Definition(name="43"))
