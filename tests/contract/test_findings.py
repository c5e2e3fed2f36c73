"""What is wrong with arguments is found once, and is the same as jsonschema alone finds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from toolferry import Repairs, Tool
from toolferry.judge import Judge
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
#: Values that Python takes for equal and JSON Schema does not, and the other way round.
SCALARS = st.sampled_from([0, 1, 1.0, True, False, None, "", "1", -0.0])
#: In arrays jsonschema compares neighbours alone, and misses [[1], [true], [1]].
VALUES = SCALARS | st.recursive(
    SCALARS.filter(lambda value: not isinstance(value, bool)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=8,
)
TREES = st.recursive(
    st.fixed_dictionaries({}, optional={"v": SCALARS, "n": st.lists(VALUES, max_size=4)}),
    lambda inner: st.fixed_dictionaries({"child": inner}, optional={"v": SCALARS}),
    max_leaves=3,
)


def places(errors: Iterable[ValidationError]) -> dict[tuple[Any, ...], None]:
    """Give where which keyword of which place of the schema is not fitted, each once, in order."""
    return {(*error.absolute_path, *error.absolute_schema_path): None for error in errors}


@given(TREES)
def test_the_judge_finds_what_jsonschema_finds(arguments: dict[str, Any]) -> None:
    """At the same places, in the same order."""
    of_jsonschema = Draft202012Validator(SCHEMA).iter_errors(arguments)

    assert list(places(Judge(SCHEMA).errors(arguments))) == list(places(of_jsonschema))


@pytest.mark.parametrize("count", [3, 2_000])
def test_missing_members_make_one_error(count: int) -> None:
    """All of them are told all the same."""
    names = [f"n{at}" for at in range(count)]
    validator = Tool(name="t", parameters={"type": "object", "required": names}).validator

    errors = validator.errors({"other": 1})

    assert errors is not None
    assert len(errors) == 1
    assert len(validator.told(errors)) == min(count, 1_000)


@pytest.mark.parametrize(
    ("elements", "fits"),
    [
        ([1, True, "1", None, [1], {"a": 1}], True),
        ([1, 1.0], False),
        ([{"a": 1, "b": [2]}, {"b": [2.0], "a": 1}], False),
        ([[1], [True], [1]], False),
        ([(1, {}), (1, {})], False),
    ],
    ids=repr,
)
def test_elements_are_compared_as_json(elements: list[Any], fits: bool) -> None:  # noqa: FBT001 -- what is expected
    """True is not 1, but 1.0 is; what is no JSON is left to jsonschema."""
    assert (Judge({"uniqueItems": True}).errors(elements) == ()) is fits


def test_findings_are_found_once() -> None:
    """Whoever asks after is given the very same errors."""
    validator = Tool(name="t", parameters=SCHEMA).validator
    arguments = {"child": {"v": "x"}}
    findings = validator.findings(arguments)

    assert findings.errors is findings.errors
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
