"""Alternatives: which one a value was meant for, and that the others cost nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.samples import made
from tests.counting import calls_in
from toolferry.judging import Judge


def of(**properties: Any) -> dict[str, Any]:
    """Give the schema of an object that has all of these members."""
    return {"type": "object", "properties": properties, "required": [*properties]}


def tagged(count: int) -> list[dict[str, Any]]:
    """Give objects with a tag, which is told last."""
    return [of(n={"type": "integer"}, kind={"const": f"k{at}"}) for at in range(count)]


def told(member: dict[str, Any], value: Any, **keywords: Any) -> list[str]:
    """Say what is wrong with a member of arguments."""
    schema = {"type": "object", "properties": {"m": member}, **keywords}
    return [f"{one.path}: {one.expected}" for one in made(schema).validator.faults({"m": value})]


@pytest.mark.parametrize("count", [2, 3, 40])
@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
def test_a_tag_tells_which_one_was_meant(count: int, keyword: str) -> None:
    """However many there are."""
    assert told({keyword: tagged(count)}, {"kind": "k1", "n": "x"}) == ["m.n: integer"]


def test_a_wrong_tag_is_told_where_only_one_is_for_objects() -> None:
    """As of an optional model with a constant member."""
    optional = {"anyOf": [of(kind={"const": "a"}), {"type": "null"}]}

    assert told(optional, {"kind": "b"}) == ['m.kind: "a"']


def test_a_constant_further_down_rules_nothing_out() -> None:
    """It is wrong, and the place where it is wrong is told."""
    nested = of(auth=of(kind={"const": "oauth"}))

    assert told({"anyOf": [nested, {"type": "null"}]}, {"auth": {"kind": "basic"}}) == [
        'm.auth.kind: "oauth"'
    ]


@pytest.mark.parametrize("count", [2, 3])
def test_a_tag_may_stand_behind_a_reference(count: int) -> None:
    """As pydantic writes enumerations."""
    kinds = {f"K{at}": {"const": f"k{at}"} for at in range(count)}
    union = [of(kind={"$ref": f"#/$defs/{name}"}, n={"type": "integer"}) for name in kinds]

    assert told({"anyOf": union}, {"kind": "k1", "n": "x"}, **{"$defs": kinds}) == ["m.n: integer"]


def test_a_value_of_an_enumeration_of_one_is_a_constant() -> None:
    """As some generators write tags."""
    one_of = [of(kind={"enum": [name]}, n={"type": "integer"}) for name in "abc"]

    assert told({"oneOf": one_of}, {"kind": "b", "n": "x"}) == ["m.n: integer"]


def test_alternatives_behind_references_are_told_apart() -> None:
    """As pydantic writes unions of models."""
    schemas = {f"K{at}": one for at, one in enumerate(tagged(4))}
    union = {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in schemas]}

    assert told(union, {"kind": "k3", "n": "x"}, **{"$defs": schemas}) == ["m.n: integer"]


@pytest.mark.parametrize(
    ("value", "fits"),
    [("c7", True), (7, True), ("x", False), (True, False), ([], False), (7.0, True), ({1}, False)],
)
def test_alternatives_that_list_values_are_one_enumeration(value: Any, fits: bool) -> None:  # noqa: FBT001 -- what is expected
    """True is not 1, and what cannot be hashed is no value of one."""
    titled = [{"const": f"c{at}", "title": "T"} for at in range(9)]
    judge = Judge({"anyOf": [*titled, {"enum": [7, 1]}]})

    assert judge.fits(value) is fits


def test_one_look_tells_which_of_many_a_value_can_fit() -> None:
    """Ten times the alternatives take no more steps."""
    value = [{"n": 1, "kind": "k1"}] * 20
    few, many = (Judge({"items": {"oneOf": tagged(count)}}) for count in (20, 200))
    assert few.fits(value) is many.fits(value) is True  # they are put in order when one comes

    assert calls_in(lambda: few.fits(value)) == calls_in(lambda: many.fits(value))


def test_alternatives_that_nothing_tells_apart_are_told_as_a_whole() -> None:
    """Of none of them it could be said what is wrong."""
    same = [of(**{f"a{at}": {"type": "integer"} for at in range(40)}) for _ in range(60)]
    elements = {"type": "array", "items": {"anyOf": same}}
    value = [{f"a{at}": "x" for at in range(40)}] * 20

    found = told(elements, value)

    assert len(found) == 20
    assert found[-1].startswith("m[19]: object with a0, a1")


@pytest.mark.parametrize("levels", [10, 14])
def test_alternatives_that_lead_to_the_same_are_judged_once(levels: int) -> None:
    """Also where the value is plain, and nothing leads back."""
    chain: dict[str, Any] = {
        f"A{at}": {"anyOf": [{"$ref": f"#/$defs/A{at + 1}"}] * 2} for at in range(levels)
    }
    judge = Judge({"$ref": "#/$defs/A0", "$defs": {**chain, f"A{levels}": {"type": "string"}}})

    assert calls_in(lambda: judge.misfits(7)) < 200 * levels
