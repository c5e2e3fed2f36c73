"""`toolferry run`: from a response to its results, with its exit codes."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import pytest

from tests.console.conftest import Toolferry
from tests.console.responses import calling, saying, written


def test_a_response_with_calls_is_complete(staffed_toolferry: Toolferry, tmp_path: Path) -> None:
    """Every call has its result in the model's order, and the conversation can go on."""
    response = calling(("hold", {}), ("add", {"a": 1, "b": 2}))

    ran = staffed_toolferry("run", written(tmp_path, response), "--json")

    assert ran.code == 0
    assert ran.object["state"] == "complete"
    assert [result["call_id"] for result in ran.object["results"]] == ["call_1", "call_2"]
    assert [result["content"] for result in ran.object["results"]] == ["held", 3]
    assert [message["role"] for message in ran.object["messages"]] == ["assistant", "tool", "tool"]


def test_a_call_that_fails_makes_exit_code_1(staffed_toolferry: Toolferry, tmp_path: Path) -> None:
    """Its siblings succeed all the same, and the error is told in the tool's words."""
    response = calling(("refuse", {}), ("add", {"a": 1, "b": 2}), ("add", {"a": "x"}))

    ran = staffed_toolferry("run", written(tmp_path, response), "--json")

    assert ran.code == 1
    outcomes = [result["outcome"] for result in ran.object["results"]]
    assert outcomes == ["failed", "succeeded", "failed"]
    assert ran.object["results"][0]["error"]["message"] == "The counter is closed."
    assert ran.object["results"][2]["error"]["code"] == "schema"


def test_without_json_people_read_lines(staffed_toolferry: Toolferry, tmp_path: Path) -> None:
    """Each end is a line, each error a sentence, and the last line sums up."""
    response = calling(("add", {"a": 1, "b": 2}), ("refuse", {}))

    ran = staffed_toolferry("run", written(tmp_path, response))

    lines = ran.out.splitlines()
    assert [line for line in lines if line.startswith("add (call_1): succeeded, 1 attempt, ran ")]
    assert "refuse (call_2): The counter is closed." in lines
    assert lines[-1].endswith("complete, 2 calls, 1 succeeded, 1 failed")


COUNTING = calling(("count", {"table": "orders", "password": "hunter2"}), ("add", {"a": 1, "b": 2}))


def test_people_read_what_a_call_is_about_and_what_came_of_it(
    staffed_toolferry: Toolferry, tmp_path: Path
) -> None:
    """The display, the view with its lines; a tool without has its name and its content."""
    ran = staffed_toolferry("run", written(tmp_path, COUNTING))

    assert "Count the rows of orders (call_1): succeeded, 1 attempt" in ran.out
    assert "Count the rows of orders (call_1):\n  orders: 2\n  all: 7\n" in ran.out
    assert "add (call_2): 3\n" in ran.out
    assert "hunter2" not in ran.out + ran.err


def test_people_read_their_own_language(
    staffed_toolferry: Toolferry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of the terminal, when the context names none."""
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")

    ran = staffed_toolferry("run", written(tmp_path, COUNTING))

    assert "统计 orders 的行数（call_1）：成功，尝试 1 次，运行 " in ran.out  # noqa: RUF001 -- Chinese
    assert ran.out.splitlines()[-1].endswith("：已完成，2 个调用，2 个成功")  # noqa: RUF001 -- Chinese


def test_scripts_get_the_views_and_the_model_does_not(
    staffed_toolferry: Toolferry, tmp_path: Path
) -> None:
    """Each result has its view, its own or a generic one; no message holds one."""
    ran = staffed_toolferry("run", written(tmp_path, COUNTING), "--json")

    assert [one["view"] for one in ran.object["results"]] == ["orders: 2\nall: 7", "3"]
    assert "all: 7" not in str(ran.object["messages"])


def test_the_context_reaches_the_checks(staffed_toolferry: Toolferry, tmp_path: Path) -> None:
    """The identity of the file is the one on whose behalf the calls run."""
    context = tmp_path / "context.json"
    context.write_text('{"principal": "ada", "tenant": "acme"}')
    response = written(tmp_path, calling(("add", {"a": 1, "b": 2})))

    ran = staffed_toolferry("run", response, "--json", "--context", str(context))

    assert ran.code == 0


def test_calls_that_are_open_when_patience_ends_are_pending(
    staffed_toolferry: Toolferry, tmp_path: Path
) -> None:
    """What has ended is told, what has not goes on, and there are no messages yet."""
    response = calling(("add", {"a": 1, "b": 2}), ("wait", {"seconds": 4}))

    ran = staffed_toolferry("run", written(tmp_path, response), "--json", "--timeout", "0.5")

    assert ran.code == 1
    assert ran.object["state"] == "pending"
    assert [result["call_id"] for result in ran.object["results"]] == ["call_1"]
    assert ran.object["messages"] == []


def test_a_lane_without_workers_is_told_while_waiting(toolferry: Toolferry, tmp_path: Path) -> None:
    """After three seconds the person learns what the call waits for."""
    response = calling(("add", {"a": 1, "b": 2}))

    ran = toolferry("run", written(tmp_path, response), "--json", "--timeout", "5")

    assert ran.object["state"] == "pending"
    assert "No worker is alive for the async lane" in ran.err


@pytest.mark.parametrize(
    ("text", "state", "code"), [("Good day.", "final", 0), (None, "degenerate", 1)]
)
def test_a_response_without_calls_needs_no_worker(
    toolferry: Toolferry, tmp_path: Path, text: str | None, state: str, code: int
) -> None:
    """An answer is final; a response that says nothing is never a success."""
    ran = toolferry("run", written(tmp_path, saying(text)), "--json")

    assert ran.code == code
    assert ran.object["state"] == state
    assert ran.object["results"] == []


@pytest.mark.parametrize(
    ("response", "state"),
    [
        ({"error": {"message": "overloaded", "type": "server_error"}}, "provider_error"),
        (saying("I must stop h", "content_filter"), "refused"),
        ([{"choices": [{"delta": {"content": "The"}}]}], "incomplete"),
    ],
)
def test_a_response_that_is_no_answer_is_no_success(
    toolferry: Toolferry, tmp_path: Path, response: Any, state: str
) -> None:
    """Refusals, errors and streams that just end say so, whatever format they were told to be."""
    ran = toolferry("run", written(tmp_path, response), "--json", "--provider", "auto")

    assert ran.code == 1
    assert ran.object["state"] == state
    assert ran.object["results"] == []


def test_the_answer_of_a_final_response_is_printed(toolferry: Toolferry, tmp_path: Path) -> None:
    """People read what the model said."""
    ran = toolferry("run", written(tmp_path, saying("Good day.")))

    assert ran.out.splitlines()[0] == "Good day."


def test_nothing_runs_of_a_response_that_was_cut_off(toolferry: Toolferry, tmp_path: Path) -> None:
    """Every call is answered with `truncated`."""
    response = calling(("add", {"a": 1, "b": 2}), finish_reason="length")

    ran = toolferry("run", written(tmp_path, response), "--json")

    assert ran.code == 1
    assert ran.object["state"] == "complete"
    assert ran.object["results"][0]["error"]["code"] == "truncated"


def test_a_malformed_response_names_the_field(toolferry: Toolferry, tmp_path: Path) -> None:
    """The person learns which field of the file is wrong."""
    ran = toolferry("run", written(tmp_path, {"choices": 3}), "--json")

    assert ran.code == 2
    assert ran.out == ""
    assert ran.err == "toolferry: response: choices: must be an array, not a number\n"


def test_a_missing_response_file_is_named(toolferry: Toolferry) -> None:
    """The sentence says which file is not there."""
    ran = toolferry("run", "nowhere.json")

    assert ran.code == 2
    assert ran.err == "toolferry: nowhere.json: no such file or directory\n"


def test_an_unknown_provider_is_named(toolferry: Toolferry, tmp_path: Path) -> None:
    """The sentence lists the providers that are known."""
    ran = toolferry("run", written(tmp_path, saying("x")), "--provider", "pigeon")

    assert ran.code == 2
    assert "'pigeon'" in ran.err
    assert "openai-chat" in ran.err


def test_no_server_reachable_is_told_without_the_password(
    toolferry: Toolferry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server is named, its password is not, and nothing hangs."""
    monkeypatch.setenv("TOOLFERRY_URL", "redis://:hunter2secret@127.0.0.1:1/0")
    response = written(tmp_path, calling(("add", {"a": 1, "b": 2})))

    ran = toolferry("run", response)

    assert ran.code == 2
    assert "127.0.0.1:1" in ran.err
    assert "hunter2secret" not in ran.err
    assert len(ran.err.splitlines()) == 1


def test_a_tools_module_that_fails_to_import_is_told_with_its_file(
    toolferry: Toolferry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last line of the traceback and the file, not the whole traceback."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "broken_tools.py").write_text("import os\n\nos.environ['NOT_THERE']\n")

    ran = toolferry("run", os.devnull, "--tools", "broken_tools")

    assert ran.code == 2
    assert ran.err.startswith("toolferry: tools module broken_tools: ")
    assert "KeyError: 'NOT_THERE'" in ran.err
    assert "broken_tools.py, line 3" in ran.err
    assert "Traceback" not in ran.err


def test_a_terminal_without_a_sign_for_a_character_shows_another(
    staffed_toolferry: Toolferry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a tool or a model wrote ends no command."""
    shown = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", shown)

    ran = staffed_toolferry("run", written(tmp_path, calling(("count", {"table": "größer"}))))

    shown.flush()
    assert ran.code == 0
    assert b"Count the rows of gr??er" in shown.buffer.getvalue()


def test_a_turn_that_is_run_again_by_its_id_goes_on(
    staffed_toolferry: Toolferry, tmp_path: Path
) -> None:
    """Nothing runs twice, and the same results are printed."""
    response = written(tmp_path, calling(("add", {"a": 1, "b": 2})))

    first = staffed_toolferry("run", response, "--turn-id", "run-again", "--json")
    second = staffed_toolferry("run", response, "--turn-id", "run-again", "--json")

    assert (first.code, second.code) == (0, 0)
    assert first.object == second.object
    assert first.object["turn_id"] == "run-again"


def test_a_turn_id_of_other_calls_is_a_conflict_in_one_sentence(
    staffed_toolferry: Toolferry, tmp_path: Path
) -> None:
    """It says which turn, and what to do."""
    first = written(tmp_path, calling(("add", {"a": 1, "b": 2})))
    staffed_toolferry("run", first, "--turn-id", "run-other")
    other = written(tmp_path, calling(("add", {"a": 1, "b": 3})))

    ran = staffed_toolferry("run", other, "--turn-id", "run-other", "--json")

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert "turn run-other: this turn id stands for other calls, " in ran.err
