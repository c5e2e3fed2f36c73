"""`toolferry tools`: what a model may be offered."""

from __future__ import annotations

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
