"""Progress: what a handler reported last, as a person can be told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
import redis

from toolferry_ledger import Ledger, Progress, Settings, read_progress


@pytest.fixture
def ledger(settings: Settings) -> Iterator[Ledger]:
    """Give the records of a system of the test's own."""
    with closing(Ledger(settings)) as ledger:
        yield ledger


def test_a_call_that_reported_nothing_has_no_progress(ledger: Ledger) -> None:
    """Nor has one that is not there."""
    assert read_progress(ledger, "turn:0") is None


@pytest.mark.parametrize(
    ("report", "read"),
    [
        ({"fraction": 0.5, "message": "half way"}, Progress(0.5, "half way")),
        ({"fraction": None, "message": None}, Progress(None, "")),
        ({"fraction": 7, "message": 3}, Progress(1.0, "3")),
        ({"fraction": float("nan"), "message": "x"}, Progress(None, "x")),
        ({"fraction": "most", "message": "x"}, Progress(None, "x")),
    ],
)
def test_handlers_may_report_anything(
    ledger: Ledger, client: redis.Redis, settings: Settings, report: Any, read: Progress
) -> None:
    """What is no part from 0 to 1 counts as not said, or as the nearest."""
    client.hset(f"{settings.key_prefix}call:turn:0", "progress", json.dumps(report))

    assert read_progress(ledger, "turn:0") == read
