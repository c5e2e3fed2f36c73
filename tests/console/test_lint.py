"""`toolferry tools --lint`: a report for people and for scripts, and its exit code."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from tests.console.conftest import Toolferry
from toolferry import load_tools

GOOD = {
    "name": "orders_get",
    "description": "Read one order. Use it when the id is known; it does not give the customer.",
    "parameters": {
        "type": "object",
        "properties": {"order_id": {"type": "string", "description": "As the receipt says it."}},
    },
}
#: How many tools the tests of the console have.
SAMPLES = len(load_tools("tests.console.sample_tools"))
BAD = {"type": "function", "function": {"name": "search", "description": ""}}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Give a file for definitions."""
    return tmp_path / "definitions.jsonl"


def test_findings_are_listed_by_tool_with_place_and_mend(toolferry: Toolferry) -> None:
    """The last line counts them; the exit code says that something weighs."""
    ran = toolferry("tools", "--lint")

    assert ran.code == 1
    assert ran.out.startswith("add\n")
    assert "  warning TF301  parameters.properties.a: it has no description\n" in ran.out
    assert "say what a is, in which form, and what it is when left out\n" in ran.out
    assert ran.out.splitlines()[-1].startswith(f"{SAMPLES} tools: ")


def test_findings_are_one_json_object(toolferry: Toolferry) -> None:
    """Scripts get everything that people get."""
    ran = toolferry("tools", "--lint", "--json")

    assert (ran.code, ran.object["schema_version"], ran.object["tools"]) == (1, 1, SAMPLES)
    assert sum(ran.object["counts"].values()) == len(ran.object["findings"])
    assert set(ran.object["findings"][0]) == {
        "code",
        "rule",
        "severity",
        "tool",
        "place",
        "problem",
        "mend",
    }


def test_the_examples_of_this_project_are_clean(toolferry: Toolferry) -> None:
    """They show how it is done."""
    ran = toolferry("tools", "--lint", "--tools", "examples.demo.tools")

    assert (ran.code, ran.out) == (0, "6 tools: nothing found\n")


def test_definitions_are_read_line_by_line(toolferry: Toolferry, file: Path) -> None:
    """In every form, and without a module of tools."""
    file.write_text(f"{json.dumps(GOOD)}\n\n{json.dumps(BAD)}\n", encoding="utf-8")

    ran = toolferry("tools", "--lint", "--definitions", str(file))

    assert ran.code == 1
    assert ran.out.startswith("search\n")
    assert "2 tools: 1 error, 1 warning\n" in ran.out


@pytest.mark.parametrize("text", [json.dumps([GOOD]), json.dumps({"tools": [GOOD]}, indent=1)])
def test_definitions_are_read_from_one_list(toolferry: Toolferry, file: Path, text: str) -> None:
    """As a file of JSON, also as `toolferry tools --json` prints it."""
    file.write_text(text, encoding="utf-8")

    ran = toolferry("tools", "--lint", "--definitions", str(file))

    assert (ran.code, ran.out) == (0, "1 tool: nothing found\n")


def test_definitions_come_from_standard_input(
    toolferry: Toolferry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that they can be piped in."""
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(BAD)))

    assert toolferry("tools", "--lint", "--definitions", "-", "--json").object["tools"] == 1


def test_malformed_lines_are_named(toolferry: Toolferry, file: Path) -> None:
    """Bad input: all of them in one line on stderr, and nothing is judged."""
    file.write_text(f'{json.dumps(GOOD)}\n{{"name": 7}}\nnonsense\n', encoding="utf-8")

    ran = toolferry("tools", "--lint", "--definitions", str(file))

    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        f"toolferry: {file}: line 2: name is integer, not string;"
        " line 3: it is no JSON: Expecting value, column 1\n"
    )


def test_many_malformed_lines_are_counted(toolferry: Toolferry, file: Path) -> None:
    """Bad input: ten are enough to see what is wrong."""
    file.write_text("nonsense\n" * 13, encoding="utf-8")

    ran = toolferry("tools", "--lint", "--definitions", str(file))

    assert ran.code == 2
    assert ran.err.endswith("; and 3 more\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no definitions of tools"),
        ("[]", "holds no definitions of tools"),
        ("[\n{,\n]", "is no JSON: Expecting property name"),
        ('{\n"name": \n', "is no JSON: Expecting value: line"),
        ('["{}"]', "definition 1: tool is string, not an object"),
        ("[" * 100_000, "is no JSON: "),
        ('{"name":' * 100_000, "line 1: it is nested too deeply"),
    ],
)
def test_a_file_without_definitions_is_refused(
    toolferry: Toolferry, file: Path, text: str, said: str
) -> None:
    """Bad input: the sentence says what is wrong with it."""
    file.write_text(text, encoding="utf-8")

    ran = toolferry("tools", "--lint", "--definitions", str(file))

    assert ran.code == 2
    assert said in ran.err


def test_a_missing_file_is_named(toolferry: Toolferry, file: Path) -> None:
    """Bad input: as with every file."""
    ran = toolferry("tools", "--lint", "--definitions", str(file))

    assert (ran.code, ran.err) == (2, f"toolferry: {file}: no such file or directory\n")


def test_definitions_are_only_read_to_lint_them(toolferry: Toolferry, file: Path) -> None:
    """Bad input: an option that would do nothing is refused."""
    ran = toolferry("tools", "--definitions", str(file))

    assert ran.code == 2
    assert "Option '--definitions' needs --lint" in ran.err


def test_names_from_a_file_cannot_move_the_cursor(toolferry: Toolferry, file: Path) -> None:
    """They may be anybody's."""
    file.write_text(json.dumps({"name": "get\x1b[2J\ud83d", "description": ""}), encoding="utf-8")

    ran = toolferry("tools", "--lint", "--definitions", str(file))

    assert "\x1b" not in ran.out
    assert "get\N{REPLACEMENT CHARACTER}[2J" in ran.out


def test_what_tools_prints_can_be_linted_again(toolferry: Toolferry, file: Path) -> None:
    """Definitions lose nothing on the way that a rule looks at."""
    printed = toolferry("tools", "--json").object["tools"]
    file.write_text("\n".join(map(json.dumps, printed)), encoding="utf-8")

    direct = toolferry("tools", "--lint", "--json").object["findings"]
    again = toolferry("tools", "--lint", "--json", "--definitions", str(file)).object["findings"]

    assert again == direct
