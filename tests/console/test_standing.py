"""`toolferry approvals standing`: people approve calls before anybody asks, and take that back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.console.conftest import Ran, Toolferry
from tests.console.responses import calling, written
from toolferry_ledger import Settings, Signer, write_token

PAYING = calling(("pay", {"to": "bob", "pin": "hunter2"}))
BOB = ("--principal", "anonymous", "--arguments", '{"to": "bob"}', "--free", "pin", "--uses", "2")


@pytest.fixture(autouse=True)
def ann(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Ann sit at the desk."""
    monkeypatch.setenv("TOOLFERRY_TOKEN", write_token(Signer(settings.secret), "ann", (), 4e9))


def allow(toolferry: Toolferry, *words: str) -> Ran:
    """Allow payments to Bob."""
    return toolferry("approvals", "standing", "allow", "pay", *BOB, *words)


def run(toolferry: Toolferry, folder: Path, turn_id: str = "t") -> None:
    """Dispatch a payment, and wait for nothing."""
    toolferry("run", written(folder, PAYING), "--turn-id", turn_id, "--timeout", "0")


def test_what_was_allowed_is_listed_and_not_asked(toolferry: Toolferry, tmp_path: Path) -> None:
    """For people, and as one object; what was used up shows."""
    before = toolferry("approvals", "standing", "list")
    said = allow(toolferry, "--note", "As each month", "--expires", "1h")
    run(toolferry, tmp_path)

    listed = toolferry("approvals", "standing", "list")
    [row] = toolferry("approvals", "standing", "list", "--json").object["standing"]

    assert before.out == "nothing is approved in advance\n"
    assert said.out == f"{row['id']} allows 2 calls of pay for anonymous\n"
    assert toolferry("approvals", "list").out == "nothing waits for a person\n"
    assert (row["who"], row["left"], row["uses"], row["note"]) == ("ann", 1, 2, "As each month")
    assert (row["pinned"], row["free"]) == ({"to": "bob"}, ["pin"])
    assert row["until"] - row["at"] == 3600
    assert "1 of 2" in listed.out
    assert "hunter2" not in listed.out


def test_an_explanation_names_who_allowed_it(toolferry: Toolferry, tmp_path: Path) -> None:
    """When, by which standing approval, and how many uses that had left then."""
    [name, *_] = allow(toolferry).out.split()
    run(toolferry, tmp_path)
    run(toolferry, tmp_path, "u")

    told = [toolferry("explain", key).out for key in ("t:0", "u:0")]
    moments = toolferry("explain", "t:0", "--json").object["timeline"]

    for text, left in zip(told, (1, 0), strict=True):
        assert "approved by ann in advance (20" in text
        assert f", standing approval {name}, {left} uses left)" in text
    assert any("in advance" in one["what"] for one in moments)


def test_what_is_revoked_is_asked_again(toolferry: Toolferry, tmp_path: Path) -> None:
    """To revoke it twice is refused in one sentence."""
    name = allow(toolferry, "--json").object["standing"]["id"]

    first = toolferry("approvals", "standing", "revoke", name)
    second = toolferry("approvals", "standing", "revoke", name)
    third = toolferry("approvals", "standing", "revoke", name, "--json")
    run(toolferry, tmp_path)

    assert (first.code, first.out) == (0, f"{name} is revoked\n")
    assert second.code == 1
    assert second.err == (
        f"toolferry: standing approval {name}: refused: there is none: it has ended, was revoked,"
        " or never was\n"
    )
    assert (third.object["revoked"], third.object["standing"]) == (False, name)
    assert "t:0" in toolferry("approvals", "list").out


def test_what_may_not_be_allowed_is_refused_in_one_sentence(toolferry: Toolferry) -> None:
    """Why, for people and as one object; nothing is kept."""
    pinned = ("--arguments", '{"to": "bob", "pin": "1"}', "--free", "to")
    told = allow(toolferry, "--uses", "0")
    as_object = allow(toolferry, *pinned, "--json")

    assert (told.code, as_object.code) == (1, 1)
    assert told.err == (
        "toolferry: standing approval pay: refused: uses is 0: it must be a whole number, 1 to"
        " 10,000\n"
    )
    assert as_object.object["standing"] is None
    assert as_object.object["refusal"] == "pin and to are pinned and free at once"
    assert "hunter2" not in as_object.out


def test_who_allows_something_shows_a_token(
    toolferry: Toolferry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a server that others use, as for every decision."""
    monkeypatch.delenv("TOOLFERRY_TOKEN")

    told = allow(toolferry)

    assert told.code == 2
    assert "has to show a token" in told.err


@pytest.mark.parametrize("text", ["[1]", "{", "nothing"])
def test_arguments_that_are_no_object_are_refused(toolferry: Toolferry, text: str) -> None:
    """Before anything is asked of the server."""
    told = allow(toolferry, "--arguments", text)

    assert (told.code, told.err.count("\n")) == (2, 1)
    assert "--arguments" in told.err
