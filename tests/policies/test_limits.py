"""The arithmetic of limits keeps its bounds and its direction."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolferry_policies import attempt_limit

SECONDS = st.floats(min_value=0.001, max_value=1e6)


@given(timeout=SECONDS, remaining=st.floats(-1e6, 1e6))
def test_an_attempt_outlives_neither_its_limit_nor_the_deadline(
    timeout: float, remaining: float
) -> None:
    """Its limit is one of the two, or nothing when the deadline has passed."""
    limit = attempt_limit(timeout, remaining)

    assert 0 <= limit <= timeout
    assert limit in {timeout, remaining, 0.0}
    assert limit <= max(remaining, 0)


@given(timeout=SECONDS, remaining=st.floats(-1e6, 1e6))
def test_limiting_a_limit_again_changes_nothing(timeout: float, remaining: float) -> None:
    """The rule may be applied at every step of the way."""
    limit = attempt_limit(timeout, remaining)

    assert attempt_limit(limit, remaining) == limit
