"""`toolferry approvals`: calls that wait for a person are seen and decided without any worker."""

from __future__ import annotations

import getpass
from pathlib import Path

import pytest

from tests.console.conftest import Toolferry
from tests.console.responses import calling, written

PAYING = calling(("pay", {"to": "bob", "pin": "hunter2"}))


@pytest.fixture
def call(toolferry: Toolferry, tmp_path: Path) -> str:
    """Dispatch a call that waits for a person; give its key."""
    ran = toolferry("run", written(tmp_path, PAYING), "--json", "--timeout", "0")
    return f"{ran.object['turn_id']}:0"


def test_a_run_that_waits_for_a_person_makes_exit_code_3(
    toolferry: Toolferry, tmp_path: Path
) -> None:
    """When its patience ends; the same command goes on with the turn."""
    words = ("run", written(tmp_path, PAYING), "--turn-id", "t", "--timeout", "0")
    ran = toolferry(*words, "--json")
    toolferry("approvals", "deny", "t:0")
    again = toolferry(*words)

    assert (ran.code, ran.object["state"], again.code) == (3, "pending", 1)


def test_what_waits_is_listed_without_its_secrets(toolferry: Toolferry, call: str) -> None:
    """For people, and as one object."""
    told = toolferry("approvals", "list")
    [row] = toolferry("approvals", "list", "--json").object["approvals"]

    assert call in told.out
    assert (row["call"], row["tool"], row["principal"]) == (call, "pay", "anonymous")
    assert row["arguments"]["to"] == "bob"
    assert "hunter2" not in told.out + str(row)


def test_a_tool_that_nobody_knows_hides_all_arguments(
    toolferry: Toolferry, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can tell which of them are secret."""
    monkeypatch.delenv("TOOLFERRY_TOOLS")

    told = toolferry("approvals", "list")

    assert call in told.out
    assert "hunter2" not in told.out
    assert "bob" not in told.out


def test_a_call_is_approved_once(toolferry: Toolferry, call: str) -> None:
    """The second decision is refused in one sentence that names the first."""
    first = toolferry("approvals", "approve", call, "--by", "ann")
    second = toolferry("approvals", "deny", call, "--by", "bob")

    assert (first.code, second.code) == (0, 1)
    assert first.out.startswith(f"{call} is approved by ann at 2")
    assert f"call {call}: refused: already decided: approved by ann at 2" in second.err
    assert toolferry("approvals", "list").out == "nothing waits for a person\n"


def test_a_call_is_denied_as_json(toolferry: Toolferry, call: str) -> None:
    """By the user of this machine, when nobody else is named."""
    first = toolferry("approvals", "deny", call, "--reason", "not him", "--json").object
    second = toolferry("approvals", "approve", call, "--json")

    assert first["decision"]["who"] == getpass.getuser()
    assert (first["decision"]["approved"], first["decision"]["reason"]) == (False, "not him")
    assert (second.code, second.object["decision"]) == (1, None)
    assert second.object["refusal"].startswith("already decided: denied by")


def test_a_call_that_is_not_there_makes_exit_code_1(toolferry: Toolferry) -> None:
    """In one sentence."""
    ran = toolferry("approvals", "approve", "nobody:0")

    assert ran.code == 1
    assert ran.err.startswith("toolferry: call nobody:0: refused: the ledger does not have it")
