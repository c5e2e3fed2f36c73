"""What is wrong with arguments is found once, and handed on."""

from __future__ import annotations

import pytest

from toolferry import Repairs, Tool
from toolferry.faults import MAX_FAULTS
from toolferry.repairing import fit_arguments

NODE = {"$ref": "#/$defs/node"}
SCHEMA = {
    "type": "object",
    "properties": {"child": NODE},
    "$defs": {
        "node": {
            "type": "object",
            "properties": {"child": NODE, "v": {"type": "integer"}, "n": {"uniqueItems": True}},
            "required": ["v"],
        }
    },
}


@pytest.mark.parametrize("count", [3, 2_000])
def test_missing_members_make_one_misfit(count: int) -> None:
    """All of them are told all the same."""
    names = [f"n{at}" for at in range(count)]
    validator = Tool(name="t", parameters={"type": "object", "required": names}).validator

    misfits = validator.misfits({"other": 1})

    assert misfits is not None
    assert len(misfits) == 1
    assert len(validator.told(misfits)) == min(count, MAX_FAULTS)


def test_findings_are_found_once() -> None:
    """Whoever asks after is given the very same."""
    validator = Tool(name="t", parameters=SCHEMA).validator
    arguments = {"child": {"v": "x"}}
    findings = validator.findings(arguments)

    assert findings.misfits is findings.misfits
    assert findings.are_of(validator, arguments)
    assert not findings.are_of(validator, dict(arguments))


def test_arguments_that_cannot_be_put_right_come_with_what_is_wrong() -> None:
    """And those that were put right with nothing."""
    tool = Tool(name="t", parameters=SCHEMA)
    wrong = fit_arguments(tool, {"child": {"v": "x"}}, Repairs.ALL)
    right = fit_arguments(tool, {"child": {"v": "7"}}, Repairs.ALL)

    assert wrong.findings is not None
    assert [fault.path for fault in wrong.findings.faults] == ["child.v"]
    assert right.findings is not None
    assert right.findings.are_of(tool.validator, right.arguments)
    assert right.findings.faults == ()
