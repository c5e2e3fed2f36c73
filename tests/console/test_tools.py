"""`toolferry tools`: what a model may be offered."""

from __future__ import annotations

from pathlib import Path

from tests.console.conftest import Toolferry


def test_the_tools_are_a_table(toolferry: Toolferry) -> None:
    """One line a tool, with its lane and its limit."""
    ran = toolferry("tools")

    assert ran.code == 0
    assert "add       async    read    30 s   Add two numbers." in ran.out
    assert "hold      process  read    30 s   Run in a child process." in ran.out


def test_the_tools_are_json_schemas(toolferry: Toolferry) -> None:
    """Scripts get the whole schema of the arguments."""
    ran = toolferry("tools", "--json")

    [add, *_] = ran.object["tools"]
    assert ran.object["schema_version"] == 1
    assert add["name"] == "add"
    assert add["parameters"]["properties"] == {"a": {"type": "integer"}, "b": {"type": "integer"}}
    assert add["parameters"]["required"] == ["a", "b"]


def test_a_module_without_tools_is_refused(toolferry: Toolferry) -> None:
    """The sentence says what to put into it."""
    ran = toolferry("tools", "--tools", "tests.console.responses")

    assert ran.code == 2
    assert "holds no tools" in ran.err


def test_the_payload_of_a_provider_is_printed_with_its_report(toolferry: Toolferry) -> None:
    """The payload on stdout, fit for a file; the report on stderr."""
    ran = toolferry("tools", "--provider", "openai-chat", "--strict")

    assert ran.code == 0
    [add, *_] = ran.object["tools"]
    assert add["function"]["strict"] is True
    assert " strict; " in ran.err


def test_the_payload_and_the_report_are_json(toolferry: Toolferry) -> None:
    """One object with both."""
    ran = toolferry("tools", "--provider", "anthropic", "--strict", "--json")

    assert ran.object["provider"] == "anthropic"
    assert "add" in ran.object["strict"]
    assert ran.object["tools"][0]["input_schema"]["additionalProperties"] is False
    assert ran.object["losses"][0].keys() == {"tool", "path", "keyword", "what", "detail"}


def test_definitions_are_exported_too(toolferry: Toolferry, tmp_path: Path) -> None:
    """To see what becomes of tools that are not in a module."""
    file = tmp_path / "definitions.json"
    file.write_text('[{"name": "a.b", "parameters": {"type": "object"}}]', encoding="utf-8")

    ran = toolferry("tools", "--provider", "gemini", "--definitions", str(file), "--json")

    assert ran.object["tools"] == [{"function_declarations": [{"name": "a.b", "description": ""}]}]


def test_strict_needs_a_provider(toolferry: Toolferry) -> None:
    """Nobody is strict by himself."""
    ran = toolferry("tools", "--strict")

    assert ran.code == 2
    assert "needs --provider" in ran.err
