"""What a tool leaves out of its results."""

from __future__ import annotations

import re
from typing import Any

import pytest

from toolferry import Tool, ToolInvalid
from toolferry.blanks import leave_out

DATA = {"a": [{"b": 1, "c": "x 12"}, {"b": {"d": 2}}], "12": None}


@pytest.mark.parametrize(
    ("blank", "left"),
    [
        ("a", {"a": "[redacted]", "12": None}),
        ("a.0.b", {"a": [{"b": "[redacted]", "c": "x 12"}, {"b": {"d": 2}}], "12": None}),
        (
            "a.*.b",
            {"a": [{"b": "[redacted]", "c": "x 12"}, {"b": "[redacted]"}], "12": None},
        ),
        ("a.*.b.d", {"a": [{"b": 1, "c": "x 12"}, {"b": {"d": "[redacted]"}}], "12": None}),
        ("nothing.there", DATA),
        (
            re.compile("12"),
            {"a": [{"b": 1, "c": "x [redacted]"}, {"b": {"d": 2}}], "[redacted]": None},
        ),
    ],
)
def test_what_is_named_is_left_out_and_no_more(blank: Any, left: Any) -> None:
    """A path that leads nowhere is none."""
    assert leave_out(DATA, [blank]) == left


@pytest.mark.parametrize("blanks", ["a.b", [""], ["a..b"], ["$."], [7], [re.compile(b"a")]])
def test_what_is_neither_path_nor_pattern_is_refused(blanks: Any) -> None:
    """When the tool is made, and not when it first has something to hide."""
    with pytest.raises(ToolInvalid, match="redact"):
        Tool(name="read", redact=blanks)


def test_a_path_may_be_written_as_jsonpath_writes_it() -> None:
    """With its root in front."""
    assert Tool(name="read", redact=("$.a.b",)).redact == ("a.b",)
