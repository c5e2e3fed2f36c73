"""The arithmetic of limits keeps its bounds and its direction."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolferry_policies import MAX_BATCH, attempt_limit, batch_size, window

SECONDS = st.floats(min_value=0.001, max_value=1e6)
COUNTS = st.integers(min_value=0, max_value=100_000)


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


@given(calls=COUNTS, processes=COUNTS)
def test_a_batch_has_at_least_one_call_and_never_too_many(calls: int, processes: int) -> None:
    """Each is claimed in one short script."""
    assert 1 <= batch_size(calls, processes) <= MAX_BATCH


@given(calls=COUNTS, more=COUNTS, processes=COUNTS)
def test_more_calls_never_make_smaller_batches(calls: int, more: int, processes: int) -> None:
    """And more processes never make bigger ones."""
    assert batch_size(calls, processes) <= batch_size(calls + more, processes)
    assert batch_size(calls, processes) >= batch_size(calls, processes + more)


@given(calls=st.integers(1, 127), processes=st.integers(1, 50))
def test_a_turn_is_spread_over_the_processes(calls: int, processes: int) -> None:
    """Unless batches are at their greatest, there are at most four for each process."""
    assert batch_size(calls, processes) * 4 * processes >= calls


@given(slots=COUNTS, more=COUNTS)
def test_a_window_feeds_every_slot_and_grows_with_them(slots: int, more: int) -> None:
    """No slot waits for a round trip, and a lane without workers still has notices out."""
    assert window(slots) >= 4
    assert window(slots) >= 2 * slots
    assert window(slots) <= window(slots + more)
