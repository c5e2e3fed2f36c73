"""The journals, and the history that is read from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chaos.history import History, read_history
from chaos.journal import RunFolder, append, read


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    """Give a folder with the journal of a dispatcher that sent one turn and gathered it."""
    folder = RunFolder(tmp_path)
    calls = [["c0", "look", None], ["c1", "write_cell", 3]]
    append(folder.dispatcher(0), "begin", {"turn": "s0-0", "calls": calls, "at": 1.0})
    append(folder.dispatcher(0), "acknowledged", {"turn": "s0-0", "at": 2.0})
    append(
        folder.dispatcher(0),
        "gathered",
        {
            "turn": "s0-0",
            "by": "one",
            "at": 9.0,
            "results": [
                ["c0", "succeeded", "none", 2, "", "d"],
                ["c1", "lost", "possible", 1, "", "e"],
            ],
            "messages": [["c0", "m"], ["c1", "n"]],
        },
    )
    return folder


def ran(folder: RunFolder, what: str, at: float, **keys: Any) -> History:
    """Add a line of a handler and read it all."""
    given = {"key": "s0-0:0", "attempt": 1, "idempotency_key": "s0-0:0", "pid": 5}
    append(folder.handlers, what, {**given, "at": at, **keys})
    return read_history(folder)


def test_a_line_that_was_cut_short_spoils_no_other(tmp_path: Path) -> None:
    """Its process was killed while it wrote."""
    path = tmp_path / "journal"
    append(path, "one", {})
    path.write_bytes(path.read_bytes() + b'\n{"what": "tw')
    append(path, "three", {})

    assert [line["what"] for line in read(path)] == ["one", "three"]


def test_a_turn_is_read_with_what_was_gathered(folder: RunFolder) -> None:
    """Each call with its result and the number of its messages."""
    turn = read_history(folder).turns["s0-0"]

    assert (turn.begun, turn.promised) == (1.0, 2.0)
    assert [call.got[0].outcome for call in turn.calls] == ["succeeded", "lost"]
    assert [list(call.messages.values()) for call in turn.calls] == [[1], [1]]
    assert turn.calls[1].cell == 3


def test_a_turn_that_was_sent_again_is_promised_once(folder: RunFolder) -> None:
    """The first promise counts, and the first beginning."""
    append(folder.dispatcher(0), "acknowledged", {"turn": "s0-0", "at": 5.0})

    assert read_history(folder).turns["s0-0"].promised == 2.0


def test_an_attempt_is_read_from_its_start_to_its_end(folder: RunFolder) -> None:
    """A second one of another process is another attempt."""
    ran(folder, "start", 3.0)
    ran(folder, "start", 3.5, pid=6)
    history = ran(folder, "end", 4.0)

    first, second = next(iter(history.calls)).attempts
    assert (first.start, first.end, first.how, second.end) == (3.0, 4.0, "end", None)


def test_an_attempt_without_end_died_with_its_process(folder: RunFolder) -> None:
    """At the first kill of the process after the start."""
    append(folder.faults, "kill_worker", {"pids": [4, 5], "at": 2.5})
    append(folder.faults, "kill_worker", {"pids": [4, 5], "at": 3.5})
    history = ran(folder, "start", 3.0)

    assert next(iter(history.calls)).attempts[0].died == 3.5


def test_poison_kills_its_own_process(folder: RunFolder) -> None:
    """Which it tells just before."""
    ran(folder, "start", 3.0)
    history = ran(folder, "poison", 3.1)

    (attempt,) = next(iter(history.calls)).attempts
    assert (attempt.end, attempt.died) == (None, 3.1)


def test_an_attempt_is_suspended_with_its_worker(folder: RunFolder) -> None:
    """Not one that was over before."""
    append(folder.faults, "suspend_worker", {"pids": [5], "at": 3.5, "lasts": 9.0})
    ran(folder, "start", 3.0)
    ran(folder, "end", 3.2)
    history = ran(folder, "start", 3.3, attempt=2)

    assert [one.suspended for one in next(iter(history.calls)).attempts] == [False, True]
