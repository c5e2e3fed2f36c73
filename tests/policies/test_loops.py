"""The loop guard: which calls are the same, and what is said of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolferry_policies import LoopGuard, fingerprint, repeated, told

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@pytest.mark.parametrize(
    "fields", [{"tell_at": 1}, {"deny_at": 0}, {"deny_at": True}, {"forget_after": 1.0}]
)
def test_a_guard_out_of_its_range_is_refused(fields: dict[str, Any]) -> None:
    """The first call repeats nothing."""
    with pytest.raises(ValueError, match=next(iter(fields))):
        LoopGuard(**fields)


@given(st.dictionaries(st.text(max_size=4), JSON, max_size=4))
def test_the_order_of_keys_makes_no_other_call(arguments: dict[str, Any]) -> None:
    """Nor does how a whole number is written."""
    turned = dict(reversed(arguments.items()))
    written = {
        key: float(v) if type(v) is int and abs(v) < 2**50 else v for key, v in turned.items()
    }

    assert fingerprint("look_up", written) == fingerprint("look_up", arguments)


@given(JSON, JSON)
def test_other_arguments_make_another_call(one: Any, other: Any) -> None:
    """Also true and 1 are two."""
    same = fingerprint("look_up", {"a": one}) == fingerprint("look_up", {"a": other})

    assert same == (repr_of(one) == repr_of(other))
    assert fingerprint("look_up", {"a": one}) != fingerprint("find", {"a": one})


def test_the_model_reads_how_often() -> None:
    """Once beside the result, then as the error."""
    first, rest = told(LoopGuard())

    assert f"{first}3{rest}".startswith("You have made this same call 3 times")
    assert "was made 5 times before" in repeated(LoopGuard()).message


def repr_of(value: Any) -> Any:
    """Give what tells JSON data apart, types included."""
    if isinstance(value, dict):
        return {key: repr_of(member) for key, member in value.items()}
    if isinstance(value, list):
        return [repr_of(member) for member in value]
    return (type(value).__name__, value)
