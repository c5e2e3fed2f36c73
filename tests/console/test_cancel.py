"""`toolferry cancel`: calls end, whether or not a worker is alive."""

from __future__ import annotations

from pathlib import Path

from tests.console.conftest import Toolferry
from tests.console.responses import calling, written

TWO = calling(("add", {"a": 1, "b": 2}), ("hold", {}))


def queued_turn(toolferry: Toolferry, folder: Path) -> str:
    """Dispatch two calls that nobody runs, and give the turn's id."""
    ran = toolferry("run", written(folder, TWO), "--json", "--timeout", "0")
    return str(ran.object["turn_id"])


def test_a_turn_is_cancelled_with_every_worker_dead(toolferry: Toolferry, tmp_path: Path) -> None:
    """Each call is told, and nothing waits any more."""
    turn_id = queued_turn(toolferry, tmp_path)

    ran = toolferry("cancel", turn_id, "--reason", "not needed")

    assert ran.code == 0
    assert ran.out == (
        f"{turn_id} (call_1): cancelled; it was not running\n"
        f"{turn_id} (call_2): cancelled; it was not running\n"
    )
    assert "2 cancelled" in toolferry("status").out


def test_one_call_is_cancelled_and_named_as_json(toolferry: Toolferry, tmp_path: Path) -> None:
    """Cancelling it again is no error: it has ended."""
    turn_id = queued_turn(toolferry, tmp_path)
    name = f"{turn_id}:1"

    ran, again = [toolferry("cancel", name, "--json") for _ in range(2)]

    assert (ran.code, again.code) == (0, 0)
    assert ran.object == {
        "schema_version": 1,
        "calls": [{"name": name, "call_id": "call_2", "became": "cancelled"}],
        "unknown": [],
    }
    assert again.object["calls"][0]["became"] == "ended"


def test_what_is_not_there_makes_exit_code_1(toolferry: Toolferry, tmp_path: Path) -> None:
    """The others are cancelled all the same."""
    turn_id = queued_turn(toolferry, tmp_path)

    ran = toolferry("cancel", "nowhere", turn_id)

    assert ran.code == 1
    assert ran.out.count("cancelled") == 2
    assert ran.err == "nowhere: the server has no such turn or call; it may have expired\n"


def test_without_a_name_the_usage_is_told(toolferry: Toolferry) -> None:
    """In one line."""
    ran = toolferry("cancel")

    assert ran.code == 2
    assert len(ran.err.splitlines()) == 1
