"""The tools as a model calls them: every check runs, but no server and no worker is needed."""

from __future__ import annotations

from pathlib import Path

import pytest

import notes_tools
from toolferry import Context, Outcome, Registry, ToolCall
from toolferry_testing import Rehearsal

WRITER = Context(principal="ada", permissions=frozenset({"notes:write"}))
ADD = ToolCall("call_1", "notes_add", {"text": "The rope is in the red box."})
FIND = ToolCall("call_2", "notes_find", {"words": "red ROPE"})


@pytest.fixture
def rehearsal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rehearsal:
    """Give the tools an empty file of notes."""
    monkeypatch.setattr(notes_tools, "NOTES", tmp_path / "notes.jsonl")
    return Rehearsal(Registry.from_module(notes_tools))


def test_a_note_that_was_added_is_found(rehearsal: Rehearsal) -> None:
    """Both calls of one turn succeed, in the model's order."""
    added, found = rehearsal.dispatch([ADD, FIND], context=WRITER).results

    assert added.content["text"] == "The rope is in the red box."
    assert found.content == [added.content]


def test_without_the_permission_nothing_is_written(rehearsal: Rehearsal) -> None:
    """The model is told that it may not, and the handler never runs."""
    [refused] = rehearsal.dispatch(ADD).results

    assert refused.outcome is Outcome.DENIED
    assert rehearsal.handled == []


def test_a_limit_out_of_range_is_named(rehearsal: Rehearsal) -> None:
    """The model learns which argument to correct."""
    [result] = rehearsal.dispatch(
        ToolCall("call_1", "notes_find", {"words": "x", "limit": 99})
    ).results

    assert result.error is not None
    assert "limit" in result.error.message
