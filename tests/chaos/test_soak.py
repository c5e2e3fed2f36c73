"""The soak: how memory is judged, and a short one on real processes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from chaos.memory import growth

ROOT = Path(__file__).parents[2]


def test_memory_that_grows_after_the_warm_up_is_told() -> None:
    """From the first third to the last; what happened during the warm-up does not count."""
    warm_up = [1e6, 5e6, 9e6, 10e6]

    assert growth([*warm_up, *[10e6] * 12]) == {"start_mb": 10.0, "end_mb": 10.0, "growth": 0.0}
    assert growth([*warm_up, *[10e6] * 4, *[11e6] * 4, *[12e6] * 4])["growth"] == 0.2


def test_memory_that_shrinks_is_no_growth() -> None:
    """It is told all the same, below zero."""
    assert growth([2e6] * 5 + [1e6] * 4)["growth"] < 0


@pytest.mark.slow
def test_a_short_soak_loses_nothing_and_leaves_no_key_behind() -> None:
    """Half a minute says nothing about memory yet."""
    arguments = ["--minutes", "0.5", "--rate", "5", "--keep", "5", "--allowed-growth", "5"]
    done = subprocess.run(
        [sys.executable, "-m", "chaos.soak", *arguments],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )

    told = json.loads(done.stdout)
    assert (told["violations"], told["left_behind"], done.returncode) == ([], [], 0)
    assert told["gathered"] == told["calls"] > 200
    assert set(told["memory"]) == {
        *("server", "server_resident", "dispatchers"),
        *("async_workers", "process_workers", "children"),
    }
