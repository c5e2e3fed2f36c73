"""Fairness and limits on real workers; and that the benchmark's checks can fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.fairness import Sizes, crowded, faults, hurried, measure
from toolferry_ledger import Settings

REPORT = {
    "tenants": 10,
    "flood_calls": 10_000,
    "workers_alive": 2,
    "p95_wait_ratio": 1.2,
    "limit_checks": 10_002,
    "limit_violations": 0,
    "budget_asked": 20,
    "budget_ran": 10,
    "still_queued": 5_000,
}


@pytest.mark.slow
def test_a_flood_starves_nobody_and_limits_are_kept(settings: Settings, tmp_path: Path) -> None:
    """A small version of the benchmark, with a workers' journal."""
    sizes = Sizes(flood=1500, checks=1200, turns=4)

    report = measure(settings, tmp_path / "journal", sizes)

    assert list(faults(report, sizes)) == []


def test_a_visit_too_many_is_found() -> None:
    """By tenant, from when handlers began and ended."""
    journal = ["a 0 10", "a 5 15", "b 6 20", "a 10 12", "a 11 30"]

    assert list(crowded(journal, 2)) == [False, False, False, True, False]


def test_a_start_too_soon_is_found() -> None:
    """In whole milliseconds: what starts exactly the time after is in time."""
    starts = [0.0, 0.1, 0.5, 0.599, 1.0]

    assert list(hurried(starts, 2, 0.5)) == [False, False, False, True, False]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"flood_calls": 9_999}, "flood_calls is 9999"),
        ({"workers_alive": 1}, "workers_alive is 1"),
        ({"limit_checks": 10}, "limit_checks is 10"),
        ({"still_queued": 0}, "still_queued is 0"),
        ({"p95_wait_ratio": 2.1}, "the nine wait 2.1 times"),
        ({"limit_violations": 1}, "1 checks found more"),
        ({"budget_ran": 11}, "11 calls ran on a budget of 10"),
    ],
)
def test_what_does_not_hold_is_said(change: dict[str, Any], fault: str) -> None:
    """Each by itself, so that the benchmark fails."""
    (found,) = faults({**REPORT, **change}, Sizes())

    assert found.startswith(fault)


def test_a_report_in_which_all_holds_has_no_fault() -> None:
    """Then the benchmark ends well."""
    assert list(faults(REPORT, Sizes())) == []
