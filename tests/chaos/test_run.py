"""Chaos: a short run on real processes, and the proof that the harness finds planted faults."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from chaos.plan import RESTARTS, FaultKind
from chaos.report import FIGURES

ROOT = Path(__file__).parents[2]


def chaos(folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
    """Run the harness; give its exit code and what it printed."""
    arguments = [sys.executable, "-m", "chaos", "--json", "--keep", str(folder), *options]
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, check=False)
    assert done.stdout, done.stderr.decode()[-4000:]
    return done.returncode, json.loads(done.stdout)


def test_nothing_is_lost_doubled_out_of_order_or_stuck(tmp_path: Path) -> None:
    """While processes are killed and frozen, notices vanish and the server restarts."""
    code, report = chaos(tmp_path, "--seconds", "8", "--seed", "11", "--dispatchers", "2")

    assert report["violations"] == []
    assert code == 0
    assert {figure: report[figure] for figure in FIGURES} == dict.fromkeys(FIGURES, 0)
    assert report["gathered"] == report["calls"] > 200
    faults = report["faults"]
    assert min(faults[kind] for kind in (FaultKind.KILL_CHILD, FaultKind.KILL_DISPATCHER)) > 0
    assert sum(faults[kind] for kind in RESTARTS) > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sabotage", "figure"),
    [
        ("lose", "lost_calls"),
        ("double", "double_effects_non_repeatable"),
        ("reorder", "misordered"),
        ("leak", "stuck"),
    ],
)
def test_a_planted_fault_is_found(tmp_path: Path, sabotage: str, figure: str) -> None:
    """The harness fails, and tells the history of each call that it names."""
    code, report = chaos(
        tmp_path, "--seconds", "8", "--seed", "3", "--deadline", "12", "--break", sabotage
    )

    assert code == 1
    assert report[figure] > 0
    told = next(one for one in report["violations"] if one["kind"] == figure)
    assert "dispatch had returned" in " ".join(told["history"])
