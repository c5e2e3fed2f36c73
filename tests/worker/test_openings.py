"""The rules and words of opening: pauses that grow, and errors with their place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs

from toolferry import lifespan
from toolferry_worker.openings import (
    FIRST_PAUSE,
    LONGEST_PAUSE,
    NotClosed,
    NotUp,
    pause_after,
    tell_closed,
    tell_failed,
)


@lifespan
def broken() -> Iterator[dict]:  # type: ignore[type-arg]
    """Come to no good."""
    yield {}
    raise OSError("line\nbreak")


def test_pauses_grow_to_the_longest() -> None:
    """Never to nothing, and never beyond, after however many failures."""
    pauses = [pause_after(failures, 0.999) for failures in range(1, 100)]

    assert FIRST_PAUSE / 2 <= pauses[0] <= FIRST_PAUSE
    assert pauses == sorted(pauses)
    assert LONGEST_PAUSE / 2 <= pause_after(10_000, 0.0) <= pauses[-1] <= LONGEST_PAUSE


def test_an_error_is_told_with_its_line_in_the_lifespan() -> None:
    """Not with that of a library below it."""
    manager = broken()
    manager.__enter__()
    with pytest.raises(OSError, match="line") as caught:
        manager.__exit__(None, None, None)

    with capture_logs() as logs:
        tell_closed(broken, caught.value)

    assert logs[0]["event"] == "resource.close_failed"
    assert logs[0]["error"] == "OSError: line\nbreak"
    assert logs[0]["place"].startswith(f"{__file__}:")
    assert logs[0]["place"] != broken.place


@pytest.mark.parametrize("error", [NotUp(3), NotClosed(3)])
def test_a_limit_that_passed_is_told_as_a_sentence(error: Exception) -> None:
    """With the place of the lifespan, as there is no other."""
    with capture_logs() as logs:
        tell_failed(broken, error, failures=2)

    assert logs[0]["error"].endswith(" 3 s")
    assert (logs[0]["place"], logs[0]["retry_seconds"]) == (broken.place, None)
