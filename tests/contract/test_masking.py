"""Masking: what people may see of a call's arguments."""

from __future__ import annotations

from typing import Any

import pytest

from toolferry.masking import mask_arguments

SCHEMA: dict[str, Any] = {
    "properties": {
        "user": {"type": "string"},
        "age": {"type": "integer"},
        "token": {"type": "string", "writeOnly": True},
        "more": {"type": "object", "properties": {"pin": {"format": "password"}}},
    }
}


def test_secrets_are_not_shown() -> None:
    """Whatever they hold."""
    given = {"user": "ann", "age": 7, "token": "t", "more": {"pin": "1234"}}

    assert mask_arguments(SCHEMA, given) == {"user": "ann", "age": 7, "token": "…", "more": "…"}


@pytest.mark.parametrize("name", ["tokn", "Token", "pin"])
def test_what_may_be_a_secret_under_another_name_is_not_shown(name: str) -> None:
    """A model may have misspelt it, or put it in another place."""
    assert mask_arguments(SCHEMA, {name: "s3cret"}) == {name: "…"}


def test_a_secret_in_a_list_is_not_shown() -> None:
    """Nor anything that holds more than one value."""
    assert mask_arguments(SCHEMA, {"user": ["s3cret"]}) == {"user": "…"}


def test_arguments_of_a_tool_without_secrets_are_shown() -> None:
    """All of them, as they came."""
    given = {"user": ["ann"], "more": {"a": [1, None]}, "unknown": True}

    assert mask_arguments({"properties": {"user": {}}}, given) == given


def test_arguments_that_are_secret_as_a_whole_are_not_shown() -> None:
    """Only their names."""
    assert mask_arguments({"writeOnly": True}, {"a": 1}) == {"a": "…"}
