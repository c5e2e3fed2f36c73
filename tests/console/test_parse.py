"""`toolferry parse`: a look at a response without running it, and without a server."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.console.conftest import Toolferry
from tests.console.responses import calling, saying, written
from toolferry_console import main

ADD = {
    "name": "add",
    "description": "Add two numbers.",
    "parameters": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a", "b"],
    },
}
CHUNKS = [
    {"choices": [{"index": 0, "delta": {"role": "assistant"}, "finish_reason": None}]},
    {
        "choices": [
            {
                "index": 0,
                "delta": {
                    "tool_calls": [
                        {"index": 0, "function": {"name": "add", "arguments": '{"a": 1, "b": 2}'}}
                    ]
                },
            }
        ]
    },
    {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
]


@pytest.fixture
def toolferry(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Toolferry:
    """Give the command line where no server can be reached."""
    monkeypatch.setenv("TOOLFERRY_URL", "redis://127.0.0.1:1/0")
    monkeypatch.delenv("TOOLFERRY_TOOLS", raising=False)
    return Toolferry(capsys)


@pytest.fixture
def definitions(tmp_path: Path) -> str:
    """Give a file that defines one tool."""
    path = tmp_path / "definitions.json"
    path.write_text(json.dumps([ADD]), encoding="utf-8")
    return str(path)


def test_accepted_calls_are_one_json_object(
    toolferry: Toolferry, tmp_path: Path, definitions: str
) -> None:
    """With what was put right about them; large numbers are exact."""
    response = calling(("add", {"a": 9007199254740993, "b": "2"}))

    ran = toolferry("parse", written(tmp_path, response), "--definitions", definitions, "--json")

    assert ran.code == 0
    assert ran.object == {
        "schema_version": 1,
        "turn": "calls",
        "provider": "openai-chat",
        "calls": [
            {
                "call_id": "call_1",
                "generated_id": False,
                "name": "add",
                "arguments": {"a": 9007199254740993, "b": 2},
                "outcome": "accept",
                "error": None,
                "repairs": ["coerced"],
            }
        ],
    }


def test_refused_calls_have_their_error_and_an_exit_code(
    toolferry: Toolferry, tmp_path: Path, definitions: str
) -> None:
    """As the model would be told."""
    file = written(tmp_path, calling(("add", {"a": 1}), ("subtract", {})))

    ran = toolferry("parse", file, "--definitions", definitions, "--json")

    unfit, unknown = ran.object["calls"]
    assert ran.code == 1
    assert (unfit["outcome"], unfit["error"]["code"], unfit["error"]["path"]) == (
        "reject",
        "schema",
        "b",
    )
    assert unfit["error"]["example"] == {"a": 1, "b": 1}
    assert unknown["error"]["code"] == "unknown_tool"


def test_people_read_a_line_a_call(toolferry: Toolferry, tmp_path: Path, definitions: str) -> None:
    """With what was wrong and how to mend it under it."""
    file = written(tmp_path, calling(("add", {"a": 1, "b": "2"}), ("add", {})))

    ran = toolferry("parse", file, "--definitions", definitions)

    assert ran.out.splitlines()[:4] == [
        "calls (openai-chat), 2 calls",
        'call_1  accept  add {"a":1,"b":2}',
        "  repaired: coerced",
        "call_2  reject schema  add {}",
    ]
    assert '  example: {"a":1,"b":1}' in ran.out


@pytest.mark.parametrize("lines", [False, True])
def test_a_stream_is_put_together(
    toolferry: Toolferry, tmp_path: Path, definitions: str, *, lines: bool
) -> None:
    """From a list of chunks or from the lines of its events; a call without an id gets one."""
    events = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in CHUNKS) + "data: [DONE]\n"
    file = tmp_path / "stream"
    file.write_text(events if lines else json.dumps(CHUNKS), encoding="utf-8")
    wanted = ("parse", str(file), "--stream", "--definitions", definitions, "--json")

    [call] = toolferry(*wanted, "--provider", "openai-chat").object["calls"]

    assert (call["outcome"], call["generated_id"]) == ("accept", True)
    assert toolferry(*wanted).object["calls"] == [call]


def test_an_answer_is_final_and_nothing_is_degenerate(toolferry: Toolferry, tmp_path: Path) -> None:
    """The exit code tells them apart."""
    answer = toolferry("parse", written(tmp_path, saying("Hello.")), "--json")
    nothing = toolferry("parse", written(tmp_path, saying("")), "--json")

    assert (answer.code, answer.object["turn"], answer.object["calls"]) == (0, "final", [])
    assert (nothing.code, nothing.object["turn"]) == (1, "degenerate")


def test_without_tools_calls_are_judged_by_reading_alone(
    toolferry: Toolferry, tmp_path: Path
) -> None:
    """A module of tools judges them by its schemas."""
    file = written(tmp_path, calling(("add", {"a": "x"})))

    assert toolferry("parse", file).code == 0
    assert toolferry("parse", file, "--tools", "tests.console.sample_tools").code == 1


def test_a_response_is_read_from_standard_input(
    toolferry: Toolferry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As from a pipe."""
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(saying("Hello."))))

    assert toolferry("parse").out == "final (openai-chat), 0 calls\n"


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        ("{", (), "is no JSON"),
        ("[" * 100_000, (), "nested too deeply"),
        ('{"a": 1}', (), "name its provider"),
        ('{"a": 1}', ("--provider", "openai-chat"), "response: "),
        ("[1]", ("--stream", "--provider", "openai-chat"), "response: "),
        ("[{}]", ("--stream", "--provider", "plain"), "takes no chunks of a stream"),
        ("{}", ("--provider", "open-ai"), "is not known"),
        ("{}", ("--definitions", "nowhere.json"), "no such file"),
        ("{}", ("--tools", "no.such.module"), "no.such"),
    ],
)
def test_bad_input_is_one_sentence(
    toolferry: Toolferry, tmp_path: Path, text: str, options: tuple[str, ...], sentence: str
) -> None:
    """And exit code 2."""
    file = tmp_path / "response.json"
    file.write_text(text, encoding="utf-8")

    ran = toolferry("parse", str(file), *options)

    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert ran.err.count("\n") == 1


def test_a_definition_that_cannot_be_enforced_is_named(
    toolferry: Toolferry, tmp_path: Path
) -> None:
    """So are two of one name, and both inputs from one pipe."""
    file = written(tmp_path, saying("Hello."))
    array: dict[str, Any] = {**ADD, "parameters": {"type": "array"}}
    path = tmp_path / "bad.json"

    path.write_text(json.dumps([array]), encoding="utf-8")
    assert "object" in toolferry("parse", file, "--definitions", str(path)).err
    path.write_text(json.dumps([ADD, ADD]), encoding="utf-8")
    assert "add" in toolferry("parse", file, "--definitions", str(path)).err
    assert main.run(["parse", "--definitions", "-"]) == 2
