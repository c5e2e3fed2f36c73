"""`toolferry approvals`: calls that wait for a person are seen and decided without any worker."""

from __future__ import annotations

import getpass
from contextlib import closing
from pathlib import Path

import pytest

from tests.console.conftest import Toolferry
from tests.console.responses import calling, written
from toolferry_console.deciding import Desk
from toolferry_ledger import Approvals, Bell, Ledger, Settings, Signer, write_token
from toolferry_policies import Approver

PAYING = calling(("pay", {"to": "bob", "pin": "hunter2"}))


@pytest.fixture(autouse=True)
def ann(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Ann sit at the desk."""
    monkeypatch.setenv("TOOLFERRY_TOKEN", write_token(Signer(settings.secret), "ann", (), 4e9))


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
    toolferry("deny", "t:0")
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
    first = toolferry("approve", call)
    second = toolferry("approvals", "deny", call)

    assert (first.code, second.code) == (0, 1)
    assert first.out.startswith(f"{call} is approved by ann at 2")
    assert f"call {call}: refused: already decided: approved by ann at 2" in second.err
    assert toolferry("approvals", "list").out == "nothing waits for a person\n"


def test_a_call_is_denied_as_json(toolferry: Toolferry, call: str) -> None:
    """By the person whose token it is."""
    first = toolferry("approvals", "deny", call, "--reason", "not him", "--json").object
    second = toolferry("approvals", "approve", call, "--json")

    assert first["decision"]["who"] == "ann"
    assert (first["decision"]["approved"], first["decision"]["reason"]) == (False, "not him")
    assert (second.code, second.object["decision"]) == (1, None)
    assert second.object["refusal"].startswith("already decided: denied by")


def test_a_call_that_is_not_there_makes_exit_code_1(toolferry: Toolferry) -> None:
    """In one sentence."""
    ran = toolferry("approvals", "approve", "nobody:0")

    assert ran.code == 1
    assert ran.err.startswith("toolferry: call nobody:0: refused: the ledger does not have it")


def test_nobody_decides_on_a_shared_server_without_a_token(
    toolferry: Toolferry, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is decided, and the sentence says how to get one."""
    monkeypatch.delenv("TOOLFERRY_TOKEN")

    ran = toolferry("approve", call)

    assert ran.code == 2
    assert "toolferry token create NAME" in ran.err
    assert call in toolferry("approvals", "list").out


def test_a_token_that_was_made_here_says_who_decides(
    toolferry: Toolferry, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of another system, or one that is over, does not."""
    made = toolferry("token", "create", "Bob", "--role", "lead", "--expires", "1h", "--json")
    monkeypatch.setenv("TOOLFERRY_TOKEN", made.object["token"][:-1] + "x")
    refused = toolferry("approve", call)
    monkeypatch.setenv("TOOLFERRY_TOKEN", made.object["token"])
    taken = toolferry("approve", call, "--json")

    assert (refused.code, "no token of this system" in refused.err) == (2, True)
    assert taken.object["decision"]["who"] == "Bob"
    assert taken.object["decision"]["verified"] is True


def test_a_call_is_approved_with_other_arguments(toolferry: Toolferry, call: str) -> None:
    """What does not fit the tool is refused, and so is what is no JSON object."""
    wrong = toolferry("approve", call, "--arguments", '{"to": 5, "pin": "x"}')
    no_object = toolferry("approve", call, "--arguments", "[]")
    taken = toolferry("approve", call, "--arguments", '{"to": "eve", "pin": "x"}', "--note", "ok")

    assert (wrong.code, "it may not run so" in wrong.err) == (1, True)
    assert (no_object.code, "must be one JSON object" in no_object.err) == (2, True)
    assert taken.out.startswith(f"{call} is approved by ann")


def test_other_arguments_come_from_a_file_as_for_every_command(
    toolferry: Toolferry, call: str, tmp_path: Path
) -> None:
    """What is secret then stands in no list of processes."""
    edited = tmp_path / "edited.json"
    edited.write_text('{"to": "eve", "pin": "x"}', encoding="utf-8")

    taken = toolferry("approve", call, "--arguments", f"@{edited}")

    assert taken.out.startswith(f"{call} is approved by ann")


def test_on_the_server_of_a_folder_the_user_of_the_machine_decides(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody vouches for the name."""
    monkeypatch.delenv("TOOLFERRY_TOKEN")
    monkeypatch.delenv("TOOLFERRY_URL", raising=False)
    signer = Signer(settings.secret)
    with closing(Ledger(settings)) as ledger, closing(Bell(settings)) as bell:
        desk = Desk(Approvals(ledger, bell, signer), ledger, signer)

        assert desk.person() == Approver(getpass.getuser())


def test_a_policy_file_that_cannot_be_used_lets_calls_be_seen_and_denied_only(
    toolferry: Toolferry, call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can tell what it would say of a call that goes on."""
    broken = tmp_path / "broken.toml"
    broken.write_text("[tools")
    monkeypatch.setenv("TOOLFERRY_POLICY", str(broken))

    listed = toolferry("approvals", "list")
    approved = toolferry("approve", call)
    denied = toolferry("deny", call)

    assert (listed.code, denied.code) == (0, 0)
    assert approved.code == 2
    assert "broken.toml" in approved.err
