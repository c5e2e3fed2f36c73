"""The examples of a tool, as its author gives them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from tests.contract.samples import made
from toolferry import ToolInvalid

CIRCLE: list[Any] = []
CIRCLE.append(CIRCLE)


@pytest.mark.parametrize(
    ("examples", "sentence"),
    [
        ({"n": 1}, "examples must be a list of objects, each the arguments of a call"),
        ("n", "examples must be a list"),
        (7, "examples must be a list"),
        ([{"n": 1}, [1]], r"example 2 is \[1\]: it must be an object of arguments"),
        ([{"n": date(2025, 11, 29)}], "example 1 is no JSON data: Object of type date"),
        ([{"n": float("nan")}], "example 1 is no JSON data: Out of range"),
        ([{"n": CIRCLE}], "example 1 is no JSON data"),
    ],
)
def test_what_is_no_list_of_arguments_is_refused(examples: Any, sentence: str) -> None:
    """One clear sentence, when the tool is made."""
    with pytest.raises(ToolInvalid, match=sentence):
        made({"properties": {"n": {}}}, examples=examples)


def test_nobody_can_change_an_example_from_outside() -> None:
    """The tool keeps copies."""
    given: dict[str, Any] = {"n": [1]}
    tool = made({"properties": {"n": {}}}, examples=[given])

    given["n"].append(2)
    assert tool.examples == ({"n": [1]},)
