"""`toolferry lint`: stored conversations, for people and for scripts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolferry_console.app import execute

CALL = {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}}
ORPHAN = [{"role": "user", "content": "?"}, {"role": "assistant", "tool_calls": [CALL]}]


def stored(folder: Path, body: Any) -> Path:
    """A file with a conversation."""
    path = folder / "talk.json"
    path.write_text(json.dumps(body), encoding="utf-8")
    return path


def test_each_fault_is_a_line_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And the exit code says that there are some."""
    code = execute(["lint", str(stored(tmp_path, ORPHAN))])

    assert code == 1
    assert capsys.readouterr().out.splitlines() == [
        'messages[1]: call_without_result: call "a" of "look" has no result',
        "openai-chat: 1 fault found",
    ]


def test_scripts_get_one_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the rule, the place and the sentence of each fault."""
    execute(["lint", str(stored(tmp_path, ORPHAN)), "--json"])

    told = json.loads(capsys.readouterr().out)
    assert (told["provider"], told["fixed"]) == ("openai-chat", False)
    assert [(one["rule"], one["message"]) for one in told["faults"]] == [("call_without_result", 1)]


def test_a_request_is_mended_where_it_has_its_messages(tmp_path: Path) -> None:
    """All else of it stays; afterwards there is nothing to find."""
    path = stored(tmp_path, {"model": "m", "messages": ORPHAN})

    assert execute(["lint", str(path), "--fix"]) == 0

    body = json.loads(path.read_text(encoding="utf-8"))
    assert body["model"] == "m"
    assert [one["role"] for one in body["messages"]] == ["user", "assistant", "tool"]
    assert execute(["lint", str(path)]) == 0


def test_a_whole_file_is_left_alone(tmp_path: Path) -> None:
    """Not a byte of it is written anew."""
    path = stored(tmp_path, ORPHAN[:1])
    before = path.read_bytes()

    assert execute(["lint", str(path), "--fix"]) == 0
    assert path.read_bytes() == before


def test_a_mended_file_is_where_it_was_and_as_private(tmp_path: Path) -> None:
    """It holds a conversation; it may be a link to it, which stays one."""
    path = stored(tmp_path, ORPHAN)
    path.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(path)

    execute(["lint", str(link), "--fix"])

    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert len(json.loads(path.read_text("utf-8"))) > len(ORPHAN)


def test_what_is_no_conversation_is_refused_in_one_sentence(tmp_path: Path) -> None:
    """With what would be one."""
    with pytest.raises(Exception, match="holds no list of messages, and no request with one"):
        execute(["lint", str(stored(tmp_path, {"model": "m"}))])
