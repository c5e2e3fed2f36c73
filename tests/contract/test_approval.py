"""The terms on which people decide."""

from __future__ import annotations

from typing import Any

import pytest

from toolferry import Approval, Tool, ToolInvalid


@pytest.mark.parametrize(
    "wrong",
    [
        {"roles": "lead"},
        {"roles": [5]},
        {"needed": 0},
        {"needed": 21},
        {"needed": True},
        {"needed": 1.0},
        {"within": 0},
        {"within": -1},
        {"within": float("nan")},
        {"within": True},
        {"within": "1h"},
        {"within": 604_801},
    ],
)
def test_terms_out_of_their_range_are_refused(wrong: dict[str, Any]) -> None:
    """The sentence names the field."""
    with pytest.raises(ValueError, match=f"approval: {next(iter(wrong))} is "):
        Approval(**wrong)


def test_terms_come_back_from_their_json_form() -> None:
    """Keys of a newer release are passed over."""
    terms = Approval(roles=frozenset({"b", "a"}), needed=2, own=True, within=60.0)

    assert Approval.from_json({**terms.to_json(), "colour": "red"}) == terms
    assert Approval.from_json({}) == Approval()


def test_a_tool_takes_terms_only() -> None:
    """What looks like them is refused."""
    with pytest.raises(ToolInvalid, match="it must be an Approval"):
        Tool(name="pay", approval={"needed": 2})  # type: ignore[arg-type]  # what is tested
