"""`toolferry status`: how the system stands."""

from __future__ import annotations

from pathlib import Path

from tests.console.conftest import Toolferry
from tests.console.responses import calling, written


def test_the_status_is_shown_with_every_worker_dead(toolferry: Toolferry, tmp_path: Path) -> None:
    """What waits is seen in the ledger, nobody has to answer."""
    response = written(tmp_path, calling(("add", {"a": 1, "b": 2}), ("hold", {})))
    toolferry("run", response, "--timeout", "0")

    ran = toolferry("status")

    assert ran.code == 0
    assert "no worker is alive for the async lane" in ran.out
    assert "queued             2" in ran.out


def test_the_status_as_json_has_a_version(toolferry: Toolferry) -> None:
    """Scripts get counts by state, lane, tool and outcome."""
    ran = toolferry("status", "--json")

    assert ran.code == 0
    assert ran.object["schema_version"] == 1
    assert ran.object["states"]["queued"] == {"count": 0, "oldest_seconds": None}
    assert ran.object["workers"] == []


def test_the_status_names_the_workers(staffed_toolferry: Toolferry) -> None:
    """Each live worker stands there with its lane and its slots."""
    ran = staffed_toolferry("status", "--json")

    assert {worker["lane"] for worker in ran.object["workers"]} == {"async", "process"}
    assert all(worker["lease_seconds"] > 0 for worker in ran.object["workers"])
