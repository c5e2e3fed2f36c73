"""Alternatives that lead to one schema: what they lead to is judged once, and told in each."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contract.judging.oracle import misfits_of_jsonschema
from tests.contract.samples import made
from tests.counting import calls_in
from toolferry import ConversionFailed
from toolferry.faults import FaultWriter
from toolferry.result_schema import ResultValidator
from toolferry.validator import ArgumentValidator

NODE = {"$ref": "#/$defs/node"}


def part(**members: Any) -> dict[str, Any]:
    """An alternative that goes on through the same member as all others."""
    return {"type": "object", "properties": {"child": NODE, **members}, "required": [*members]}


def tree(keyword: str, *parts: dict[str, Any]) -> dict[str, Any]:
    """A schema that refers to itself in several alternatives."""
    return {"type": "object", "properties": {"root": NODE}, "$defs": {"node": {keyword: [*parts]}}}


TAGGED = tree("anyOf", part(tag={"const": "x"}), part(tag={"const": "y"}, v={"type": "integer"}))
UNTAGGED = tree("anyOf", part(v={"type": "integer"}), part(v={"type": "null"}))
EXCLUSIVE = tree("oneOf", part(v={"type": "integer"}), part(w={"type": "integer"}))
TOGETHER = tree("allOf", part(v={"type": "integer"}), part(v={"minimum": 0}))
DYNAMIC = {
    "type": "object",
    "properties": {"root": {"$dynamicRef": "#node"}},
    "$defs": {
        "node": {
            "$dynamicAnchor": "node",
            "oneOf": [
                {"properties": {"child": {"$dynamicRef": "#node"}, "v": {"type": "integer"}}},
                {"properties": {"child": {"$dynamicRef": "#node"}}, "required": ["w"]},
            ],
        }
    },
}
SCHEMAS = [TAGGED, UNTAGGED, EXCLUSIVE, TOGETHER, DYNAMIC]


def chain(levels: int, leaf: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Arguments that go so deep."""
    value = leaf
    for _ in range(levels):
        value = {"child": value, **members}
    return {"root": value}


@pytest.mark.parametrize(
    ("schema", "members", "leaf"),
    [
        (TAGGED, {"tag": "y", "v": 1}, {"tag": "y", "v": 1}),
        (TAGGED, {"tag": "y", "v": 1}, {"tag": "y", "v": "no"}),
        (TAGGED, {"tag": "z"}, {"tag": "z"}),
        (UNTAGGED, {"v": None}, {"v": None}),
        (UNTAGGED, {"v": None}, {"v": "no"}),
        (EXCLUSIVE, {"w": 1}, {"w": "no"}),
        (DYNAMIC, {"w": 1}, {"v": "no"}),
        (TOGETHER, {"v": 1}, {"v": 1}),
        (TOGETHER, {"v": 1}, {"v": "no"}),
    ],
)
def test_the_steps_grow_with_the_depth_and_no_faster(
    schema: dict[str, Any], members: dict[str, Any], leaf: dict[str, Any]
) -> None:
    """Twice the levels take twice the steps, not their square; whether arguments fit or not."""
    validator = made(schema).validator
    validator.faults(chain(1, leaf, **members))  # some is compiled when it is first asked for
    steps = [
        calls_in(partial(validator.faults, chain(levels, leaf, **members)))
        for levels in (10, 20, 40)
    ]

    assert steps[2] - steps[1] < 3 * (steps[1] - steps[0]) + 100


@pytest.mark.parametrize(
    "leaf", [{"tag": "y", "v": 1}, {"tag": "y", "v": "no"}], ids=["fits", "not"]
)
def test_results_take_steps_that_grow_with_their_depth(leaf: dict[str, Any]) -> None:
    """A tree that a handler returns is judged by such schemas, too."""
    validator = ResultValidator("sample", TAGGED)

    def judge(levels: int) -> None:
        with suppress(ConversionFailed):
            validator.require(chain(levels, leaf, tag="y", v=1))

    steps = [calls_in(partial(judge, levels)) for levels in (10, 20, 40)]

    assert steps[2] - steps[1] < 3 * (steps[1] - steps[0]) + 100


LEAVES = st.sampled_from([0, -1, "x", "y", None, 1.5])
NODES = st.recursive(
    st.fixed_dictionaries({}, optional={"tag": LEAVES, "v": LEAVES, "w": LEAVES}),
    lambda inner: st.fixed_dictionaries({"child": inner}, optional={"tag": LEAVES, "v": LEAVES}),
    max_leaves=4,
)


@given(st.sampled_from(SCHEMAS), NODES)
def test_the_faults_are_those_that_jsonschema_finds(
    schema: dict[str, Any], node: dict[str, Any]
) -> None:
    """In the same alternatives, at the same places, in the same words."""
    validator = ArgumentValidator("sample", schema)
    plainly = FaultWriter(schema, validator.discretion)
    misfits = misfits_of_jsonschema(schema, {"root": node})

    assert validator.faults({"root": node}) == plainly.faults(misfits)


def test_one_value_at_two_places_is_told_at_both() -> None:
    """An application may hand in such arguments; JSON has none."""
    schema = {"type": "object", "properties": {"a": NODE, "b": NODE}, "$defs": TAGGED["$defs"]}
    value = {"tag": "y", "v": 1, "child": {"tag": "y", "v": "no"}}

    faults = made(schema).validator.faults({"a": value, "b": value})

    assert [fault.path for fault in faults] == ["a.child.v", "b.child.v"]


@pytest.mark.parametrize(
    ("member", "value", "path"),
    [
        (False, 1, "m"),
        ({"prefixItems": [True, False]}, [1, 2], "m[1]"),
        ({"patternProperties": {"^x": False}}, {"x1": 1}, "m.x1"),
        ({"propertyNames": False}, {"x1": 1}, "m.x1"),
        ({"anyOf": [False, {"type": "object", "properties": {"n": False}}]}, {"n": 1}, "m.n"),
        ({"$ref": "#/$defs/never"}, 1, "m"),
    ],
)
def test_what_admits_nothing_is_told_where_it_stands(member: Any, value: Any, path: str) -> None:
    """Also in an alternative, and behind a reference."""
    schema = {"type": "object", "properties": {"m": member}, "$defs": {"never": False}}

    faults = made(schema).validator.faults({"m": value})

    assert [fault.path for fault in faults] == [path]
    assert "nothing" in faults[0].expected


@pytest.mark.parametrize(
    "draft",
    [
        "https://json-schema.org/draft/2020-12/schema",
        "http://json-schema.org/draft-07/schema#",
    ],
)
def test_a_schema_is_judged_by_one_draft_whatever_it_says(draft: str) -> None:
    """Also where a reference leads back to what says so: a rounded integer stays refused."""
    schema = {
        "$schema": draft,
        "type": "object",
        "properties": {"id": {"type": "integer"}, "child": {"$ref": "#"}},
        "dependentRequired": {"id": ["child"]},
    }

    faults = made(schema).validator.faults({"child": {"id": 2.0**60}})

    assert [fault.path for fault in faults] == ["child.child", "child.id"]
