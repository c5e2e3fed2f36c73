"""Names and nulls that were forced into arguments: how they are undone, and how little it costs."""

from __future__ import annotations

import gc
from functools import partial
from typing import Any
from weakref import WeakSet

import pytest

from tests.counting import calls_in
from toolferry import Tool
from toolferry.joint import Joint, Joints
from toolferry.restoring import admits_null, drop_forced_nulls, restore_members, wire_members

TEXT = {"type": "string"}


def objects(**keywords: Any) -> Tool:
    """A tool that takes a list of objects of one schema."""
    return Tool(
        name="any",
        parameters={
            "properties": {"a": {"type": "array", "items": {"type": "object", **keywords}}},
            "$defs": {"d": {"$dynamicAnchor": "d", "properties": {"x y": TEXT}}},
        },
    )


def variants(count: int) -> Tool:
    """A tool that takes a list of objects of many kinds."""
    each = [{"properties": {"t": {"const": n}, "f": TEXT}, "required": ["t"]} for n in range(count)]
    return objects(anyOf=each)


@pytest.mark.parametrize("word", ["$ref", "$dynamicRef"])
def test_names_behind_references_come_back(word: str) -> None:
    """Whichever kind of reference it is."""
    tool = objects(**{word: "#d"})

    restored, names = restore_members(tool, {"a": [{"x_y": "1"}, {"x_y": "2"}, {"z": "3"}]})

    assert restored == {"a": [{"x y": "1"}, {"x y": "2"}, {"z": "3"}]}
    assert names == ("x y", "x y")


@pytest.mark.parametrize("word", ["$ref", "$dynamicRef"])
def test_nulls_behind_references_go(word: str) -> None:
    """Whichever kind of reference it is."""
    tool = objects(**{word: "#d"})

    dropped, names = drop_forced_nulls(tool, {"a": [{"x y": None, "z": None}]})

    assert (dropped, names) == ({"a": [{"z": None}]}, ("x y",))
    assert not admits_null(tool.parameters, {word: "#d", "type": "string"})
    assert admits_null(tool.parameters, {word: "#d"})


def test_elements_at_first_places_have_their_own_names() -> None:
    """And those after them the names of the rest."""
    first, rest = ({"properties": {name: TEXT}} for name in ("x y", "x-z"))
    schema = {"properties": {"a": {"prefixItems": [first], "items": rest}}}
    tool = Tool(name="any", parameters=schema)
    came = {"a": [{"x_y": 1, "x_z": 1}] * 3}

    restored, _ = restore_members(tool, came)

    assert restored == {"a": [{"x y": 1, "x_z": 1}, *[{"x_y": 1, "x-z": 1}] * 2]}


def test_a_name_that_came_itself_is_not_written_over() -> None:
    """Two members stay two."""
    tool = objects(properties={"x y": TEXT})
    came = {"a": [{"x_y": 1, "x y": 2}]}

    assert restore_members(tool, came) == (came, ())


def _steps(tool: Tool, count: int, value: dict[str, Any], undo: Any) -> int:
    undo(tool, {"a": [value]})
    return calls_in(partial(undo, tool, {"a": [value] * count}))


def test_what_names_cost_does_not_grow_with_their_number() -> None:
    """The names of one schema are worked out once for all objects."""
    few, many = (
        objects(properties={f"X-{n}": TEXT for n in range(count)}, anyOf=[{}] * count)
        for count in (2, 60)
    )

    costs = [_steps(tool, 50, {"X_1": 1}, restore_members) for tool in (few, many)]
    assert costs[1] < 1.5 * costs[0]


def test_what_nulls_cost_does_not_grow_with_alternatives() -> None:
    """Whether null stands for nothing is worked out once for all objects."""
    few, many = variants(2), variants(60)

    costs = [_steps(tool, 50, {"f": None}, drop_forced_nulls) for tool in (few, many)]
    assert costs[1] < 1.5 * costs[0]


def test_where_no_null_stands_nothing_is_looked_at() -> None:
    """Beside one that does, an object costs no more than to pass over it."""
    tool = variants(3)
    one, many = ({"a": [{"f": None}, *[{"f": "x"}] * count]} for count in (0, 100))
    drop_forced_nulls(tool, one)

    steps = [calls_in(partial(drop_forced_nulls, tool, value)) for value in (one, many)]

    assert steps[1] - steps[0] < 8 * 100


def test_a_null_goes_from_each_place_where_its_object_stands() -> None:
    """Also of arguments that were never text, in which one object may stand twice."""
    part = {"properties": {"f": TEXT}}
    tool = Tool(
        name="any", parameters={"properties": {"a": part, "b": {"properties": {"c": part}}}}
    )
    shared = {"f": None}

    dropped, _ = drop_forced_nulls(tool, {"a": shared, "b": {"c": shared}})

    assert dropped == {"a": {}, "b": {"c": {}}}


def test_names_that_are_alike_cost_their_number() -> None:
    """And not its square: each is counted once."""
    names = wire_members(f"{'-' * n}a" for n in range(3_000))

    assert len(set(names.values())) == 3_000


def test_null_is_asked_of_each_schema_once() -> None:
    """However many alternatives lead to it."""
    steps: dict[str, Any] = {
        f"k{n}": {"anyOf": [{"$ref": f"#/$defs/k{n + 1}"}] * 4} for n in range(30)
    }
    root = {"$ref": "#/$defs/k0", "$defs": {**steps, "k30": TEXT}}

    assert calls_in(partial(admits_null, root, root)) < 2_000


def test_what_is_kept_of_a_document_is_bounded() -> None:
    """What is asked for after much else is found again."""
    members: dict[str, Any] = {f"m{n}": {"properties": {f"x {n}": TEXT}} for n in range(12_000)}
    joints = Joints({"properties": members})
    kept: WeakSet[Joint] = WeakSet()

    for number in (*range(12_000), 0):
        joint = joints.whole.member(f"m{number}")
        kept.add(joint)
        assert [*joint.names] == [f"x {number}"]
    gc.collect()

    assert len(kept) <= 10_000
