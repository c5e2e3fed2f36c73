"""What helps to mend wrong arguments, and how little it costs to say so again and again."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tests.counting import calls_in
from toolferry import Tool
from toolferry.advice import hint_of
from toolferry.hint import Hint


def closed(*names: str) -> Tool:
    """A tool that takes these members and no others."""
    members: dict[str, Any] = {name: {"type": "string"} for name in names}
    return Tool(name="any", parameters={"properties": members, "additionalProperties": False})


def listing(*values: str) -> Tool:
    """A tool with a member that takes these values."""
    return Tool(name="any", parameters={"properties": {"a": {"enum": [*values]}}})


def hint(tool: Tool, arguments: dict[str, Any]) -> Hint:
    """What is told of wrong arguments."""
    return hint_of(tool, tool.validator.findings(arguments))


def test_names_of_another_case_are_close() -> None:
    """As those of tools are."""
    values = [f"region-{n}-zone" for n in range(40)]

    assert hint(listing(*values), {"a": "REGION_7.zone"}).closest[0] == "region-7-zone"
    assert hint(closed("customerName", "limit"), {"customername": 1}).closest == ("customerName",)


def test_a_close_name_is_told_whole_or_not_at_all() -> None:
    """Half of one would be as wrong as what came."""
    long = "x" * 300

    told = hint(closed(long, "limit"), {f"{long}x": 1})

    assert told.closest == ()


@pytest.mark.parametrize("distinct", [False, True])
def test_what_a_refusal_costs_does_not_grow_with_the_names(*, distinct: bool) -> None:
    """Each that a schema knows is looked at once, whether the wrong one comes again or not."""

    def steps(count: int) -> int:
        tool = closed(*(f"field_{n}_value" for n in range(count)))
        wrong = [{f"field_vlaue_{n if distinct else ''}": 1} for n in range(20)]
        found = [tool.validator.findings(one) for one in wrong]
        hint_of(tool, tool.validator.findings({"z": 1}))
        return calls_in(lambda: [hint_of(tool, one) for one in found])

    assert steps(200) < 1.5 * steps(20)


def test_what_a_refusal_costs_does_not_grow_with_the_values() -> None:
    """Nor with those of an enumeration."""

    def steps(count: int) -> int:
        tool = listing(*(f"region-{n}-zone" for n in range(count)))
        found = [tool.validator.findings({"a": f"region-zone-{n}"}) for n in range(20)]
        hint_of(tool, found[0])
        return calls_in(partial(list, map(partial(hint_of, tool), found)))

    assert steps(200) < 1.5 * steps(20)
