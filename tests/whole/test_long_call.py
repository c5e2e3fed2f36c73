"""A long call runs once, whatever happens around it, while its conversation goes on."""

from __future__ import annotations

import faulthandler
from pathlib import Path
from typing import Any

import pytest

from benchmarks.long_call import faults, run

#: What must be seen.
GOOD: dict[str, Any] = {
    "begun": {"export:0": 1, "export:1": 1},
    "ended": {"export:0": 1, "export:1": 1},
    "outcomes": ["succeeded", "succeeded"],
    "same_answers": True,
    "late": {"export:0": 1, "export:1": 1},
    "turns": 40,
    "turns_failed": 0,
}


@pytest.mark.slow
def test_half_an_hour_in_a_minute_and_a_half(tmp_path: Path, server_binary: Path) -> None:
    """Across the death of the dispatcher and of the server, and a cut of every connection."""
    # Any other test that takes two minutes hangs, and ends the run.
    faulthandler.cancel_dump_traceback_later()

    seen = run(tmp_path, 90.0, server_binary)

    assert list(faults(seen)) == []
    assert seen["turns"] > 20


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        ({"begun": {"export:0": 2, "export:1": 1}}, "did not run exactly once"),
        ({"ended": {"export:0": 1}}, "did not run exactly once"),
        ({"outcomes": ["succeeded", "lost"]}, "ended as"),
        ({"same_answers": False}, "first answer"),
        ({"late": {"export:0": 2, "export:1": 1}}, "exactly once"),
        ({"turns_failed": 1}, "1 failed"),
        ({"turns": 0}, "of 0 turns"),
    ],
)
def test_what_must_not_happen_is_found(bad: dict[str, Any], fault: str) -> None:
    """The proof can fail."""
    (found,) = faults({**GOOD, **bad})

    assert fault in found
    assert list(faults(GOOD)) == []
