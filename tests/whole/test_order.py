"""Order and conflicts on real workers, proved by the journal of the handlers; and the proof."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.order import Line, faults, read_journal, run
from toolferry import Lane, Outcome
from toolferry_ledger import Keeping, Settings


def test_conflicting_calls_keep_their_order_and_never_overlap(
    settings: Settings, tmp_path: Path
) -> None:
    """Within and across turns, on two workers of each lane, with one killed on the way."""
    path = tmp_path / "journal"
    quick = replace(settings, keeping=Keeping(lease=2.0))

    outcomes = run(quick, path, repeats=40, kills=[Lane.ASYNC])

    journal = read_journal(path)
    assert list(faults(journal)) == []
    assert set(outcomes) == {Outcome.SUCCEEDED}
    ended = {line.call_key for line in journal if line.what == "end"}
    assert len(ended) == outcomes.total()


def lines(*texts: str) -> list[Line]:
    """Write a journal: what, turn's number, position, tool, cell."""
    rows = (text.split() for text in texts)
    return [
        Line(w, f"turn-{t}", f"turn-{t}:{p}", 1, tool, int(cell)) for w, t, p, tool, cell in rows
    ]


@pytest.mark.parametrize(
    ("journal", "fault"),
    [
        (["begin 0 0 write 1", "begin 1 0 write 1"], "turn-1:0 overlaps turn-0:0 on cell 1"),
        (["begin 0 0 read 1", "begin 1 0 write 1"], "turn-1:0 overlaps turn-0:0 on cell 1"),
        (
            ["begin 1 0 write 1", "end 1 0 write 1", "begin 0 3 write 1"],
            "turn-0:3 came after a later write of cell 1",
        ),
        (
            ["begin 0 1 reset -1"],
            "turn-0:1 began before all earlier calls of its turn had ended",
        ),
        (
            ["begin 0 0 reset -1", "begin 0 1 look -1"],
            "turn-0:1 runs beside turn-0:0, one of which is exclusive",
        ),
    ],
)
def test_a_breach_of_order_is_found(journal: list[str], fault: str) -> None:
    """The proof can fail."""
    assert list(faults(lines(*journal))) == [fault]


def test_what_may_run_together_is_no_fault() -> None:
    """Reads beside reads, and calls that touch nothing beside all."""
    journal = ["begin 0 0 read 1", "begin 1 0 read 1", "begin 2 0 look -1", "begin 2 1 look -1"]

    assert list(faults(lines(*journal))) == []
