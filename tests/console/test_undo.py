"""`toolferry undo`: what a call did is taken back, once, by the tool that its tool names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.console.conftest import Toolferry
from tests.console.responses import calling, written


def done(toolferry: Toolferry, folder: Path, name: str, **arguments: object) -> str:
    """Have a call made; give its key."""
    ran = toolferry("run", written(folder, calling((name, arguments))), "--json")
    return f"{ran.object['turn_id']}:0"


def test_what_a_call_did_is_taken_back_once(staffed_toolferry: Toolferry, tmp_path: Path) -> None:
    """However often that is asked for; the model has never seen with what."""
    file = tmp_path / "note.txt"
    file.write_text("hello")
    key = done(staffed_toolferry, tmp_path, "take_out", path=str(file))
    assert file.read_text() == ""

    first, second = [staffed_toolferry("undo", key) for _ in range(2)]

    assert (first.code, second.code) == (0, 0)
    assert first.out == second.out == f"{key} is taken back by put_back\n"
    assert file.read_text() == "hello"


def test_the_model_does_not_see_what_takes_a_call_back(
    staffed_toolferry: Toolferry, tmp_path: Path
) -> None:
    """Nor does whoever reads what a run prints."""
    (tmp_path / "note.txt").write_text("hello")
    response = calling(("take_out", {"path": str(tmp_path / "note.txt")}))

    ran = staffed_toolferry("run", written(tmp_path, response), "--json")

    assert ran.object["results"][0]["outcome"] == "succeeded"
    assert "hello" not in ran.out


def test_taking_back_waits_for_nobody_who_has_to_decide_first(
    staffed_toolferry: Toolferry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so at once; once somebody has decided, the same command tells what came of it."""
    created = staffed_toolferry("token", "create", "bob", "--json").object
    monkeypatch.setenv("TOOLFERRY_TOKEN", created["token"])
    key = done(staffed_toolferry, tmp_path, "collect", who="ann")

    asked = staffed_toolferry("undo", key)
    told = staffed_toolferry("undo", key, "--json").object
    staffed_toolferry("approve", told["approval"]["call"])
    after = staffed_toolferry("undo", key)

    assert (asked.code, asked.out) == (3, "")
    assert asked.err.startswith(f"{key} is not taken back yet: {told['turn_id']}:0 waits for a")
    assert (after.code, after.out) == (0, f"{key} is taken back by pay\n")


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("add", {"a": 1, "b": 2}, "the tool add has no undo"),
        ("send_off", {"what": "it"}, "nobody here knows the tool vanish, its undo"),
        ("take_out", {"path": "/nowhere/at/all"}, "it did not succeed"),
    ],
)
def test_what_cannot_be_taken_back_is_refused_with_the_reason(
    staffed_toolferry: Toolferry,
    tmp_path: Path,
    name: str,
    arguments: dict[str, object],
    reason: str,
) -> None:
    """In one line, and nothing is done."""
    key = done(staffed_toolferry, tmp_path, name, **arguments)

    ran = staffed_toolferry("undo", key)

    assert ran.code != 0
    assert len(ran.err.splitlines()) == 1
    assert reason in ran.err


def test_a_call_that_nobody_knows_is_refused(staffed_toolferry: Toolferry) -> None:
    """It may have expired."""
    ran = staffed_toolferry("undo", "nowhere:0")

    assert ran.code != 0
    assert "nowhere:0" in ran.err
