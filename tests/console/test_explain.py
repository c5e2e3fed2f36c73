"""`toolferry explain`: why a call ran or did not, and what the model was told of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.console.conftest import Toolferry
from tests.console.responses import calling, written
from toolferry_ledger import Settings, Signer, write_token

NOBODY = calling(("burn", {"what": "s3cr3t-value"}), ("add", {"a": 1, "b": "two"}))
PAYING = calling(("pay", {"to": "bob", "pin": "hunter2"}))


def run(toolferry: Toolferry, folder: Path, response: Any) -> None:
    """Dispatch a response as turn t, and wait for nothing."""
    toolferry("run", written(folder, response), "--turn-id", "t", "--timeout", "0")


def checks_of(found: Any) -> list[tuple[str, str]]:
    """Give what each check said."""
    return [(one["check"], one["said"]) for one in found["checks"]]


def test_a_refused_call_names_the_check_that_refused(toolferry: Toolferry, tmp_path: Path) -> None:
    """Those before it permitted, those after it were not asked; and what the model was told."""
    run(toolferry, tmp_path, NOBODY)

    unknown = toolferry("explain", "t:0", "--json").object
    unfit = toolferry("explain", "t:1", "--json").object

    assert checks_of(unknown)[0] == ("tool_is_known", "denied")
    assert {said for _, said in checks_of(unknown)[1:]} == {"not_asked"}
    assert checks_of(unfit)[:4] == [
        ("tool_is_known", "permitted"),
        ("tool_is_visible", "permitted"),
        ("arguments_fit", "denied"),
        ("rules_hold", "not_asked"),
    ]
    assert unfit["arguments"]["original"] == {"a": 1, "b": "two"}
    assert json.loads(unfit["told"])["error_code"] == "schema"
    assert (unfit["principal"], unfit["call_id"]) == ("anonymous", "call_2")


def test_the_arguments_of_an_unknown_tool_are_hidden(toolferry: Toolferry, tmp_path: Path) -> None:
    """Nobody can tell which of them are secret."""
    run(toolferry, tmp_path, NOBODY)

    found = toolferry("explain", "t:0", "--json").object

    assert found["arguments"] == {"original": {"what": "…"}, "effective": None}
    assert "s3cr3t-value" not in json.dumps(found)


def test_a_response_that_cannot_be_read_was_judged_by_no_check(
    toolferry: Toolferry, tmp_path: Path
) -> None:
    """Reading comes before all checks, and is told as one."""
    run(toolferry, tmp_path, calling(("add", {"a": 1, "b": 2}), finish_reason="length"))

    found = toolferry("explain", "t:0", "--json").object

    assert checks_of(found)[0] == ("response_is_read", "denied")
    assert {said for _, said in checks_of(found)[1:]} == {"not_asked"}


def test_a_call_that_waits_for_a_person_says_which_check_wants_it(
    toolferry: Toolferry, tmp_path: Path
) -> None:
    """Without its secrets; the model was told nothing yet."""
    run(toolferry, tmp_path, PAYING)

    found = toolferry("explain", "t:0", "--json").object
    lines = toolferry("explain", "t:0").out

    assert ("confirmation_is_unneeded", "asked_a_person") in checks_of(found)
    assert found["arguments"]["effective"] == {"to": "bob", "pin": "…"}
    assert found["told"] is None
    assert "confirmation is unneeded: asked a person: " in lines
    assert "is awaiting_approval now; its deadline is 2" in lines
    assert "hunter2" not in lines + json.dumps(found)


def test_a_denied_call_says_who_denied_it_and_why(
    toolferry: Toolferry, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason stands in what the model was told, word for word."""
    run(toolferry, tmp_path, PAYING)
    monkeypatch.setenv("TOOLFERRY_TOKEN", write_token(Signer(settings.secret), "ann", (), 4e9))
    toolferry("deny", "t:0", "--reason", "not him")

    found = toolferry("explain", "t:0", "--json").object

    whats = [moment["what"] for moment in found["timeline"]]
    assert whats[:3] == ["requested", "admitted, to wait for a person", "denied by ann: not him"]
    assert whats[-1] == "ended denied (denied), effect none"
    assert "not him" in json.loads(found["told"])["message"]


def test_a_call_that_ran_tells_its_attempts(staffed_toolferry: Toolferry, tmp_path: Path) -> None:
    """On which worker, when, and how it ended."""
    response = written(tmp_path, calling(("add", {"a": 1, "b": 2}), ("refuse", {})))
    turn = staffed_toolferry("run", response, "--json").object["turn_id"]

    good = staffed_toolferry("explain", f"{turn}:0", "--json").object
    bad = staffed_toolferry("explain", f"{turn}:1")

    assert {said for _, said in checks_of(good)} == {"permitted"}
    begun = good["timeline"][2]["what"]
    assert begun.startswith("attempt 1 began on ")
    assert begun != "attempt 1 began on -"
    assert json.loads(good["told"])["content"] == 3
    assert "attempt 1 ended failed (closed): The counter is closed." in bad.out


def test_a_call_that_is_not_there_is_one_sentence(toolferry: Toolferry) -> None:
    """And exit code 2."""
    ran = toolferry("explain", "nobody:0")

    assert ran.code == 2
    assert ran.err.startswith("toolferry: call nobody:0: the ledger does not have it")


@pytest.mark.parametrize("key", ["", "t", "t:x", ":0", "t:-1"])
def test_what_is_no_key_is_unknown(toolferry: Toolferry, key: str) -> None:
    """No key of the server is read for it."""
    assert toolferry("explain", key).code == 2


def test_a_result_that_was_cut_is_printed_whole(
    staffed_toolferry: Toolferry, tmp_path: Path
) -> None:
    """One that was not cut is, too; and `call` reads on where it was cut."""
    response = written(tmp_path, calling(("recite", {"lines": 99}), ("add", {"a": 1, "b": 2})))
    turn = staffed_toolferry("run", response, "--json").object["turn_id"]
    whole = "".join(f"{number} 港口\n" for number in range(99))

    told = json.loads(staffed_toolferry("explain", f"{turn}:0", "--json").object["told"])
    page = staffed_toolferry(
        "call", "result.read", "--arguments", json.dumps({"cursor": told["next_cursor"]})
    )

    assert told["content"] + page.out == whole + "\n"
    assert staffed_toolferry("explain", f"{turn}:0", "--whole").out == whole + "\n"
    assert staffed_toolferry("explain", f"{turn}:1", "--whole").out == "3\n"
    line = f"all {len(whole):,} characters of its result are kept"
    assert line in staffed_toolferry("explain", f"{turn}:0").out


def test_a_call_that_gave_nothing_has_nothing_to_print(
    toolferry: Toolferry, tmp_path: Path
) -> None:
    """Exit code 1, and how it stands."""
    run(toolferry, tmp_path, NOBODY)

    ran = toolferry("explain", "t:0", "--whole")

    assert (ran.code, ran.out) == (1, "")
    assert "has given nothing: it is failed" in ran.err
