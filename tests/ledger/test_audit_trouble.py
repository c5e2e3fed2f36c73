"""The audit in trouble: what others do to stream, files and server does not go unseen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.ledger.audited import Audited
from tests.ledger.samples import Bench
from toolferry_ledger.audit.remarks import remarks_on_audit
from toolferry_ledger.audit.rounds import Rounds
from toolferry_ledger.audit.sealer import Sealer
from toolferry_ledger.audit.setting import AuditSetting
from toolferry_ledger.audit.verifying import verify


def test_an_entry_that_was_removed_is_found_and_told(audited: Audited) -> None:
    """Before it was sealed; and for ever in the files."""
    audited.run_call()
    key, client = audited.key("audit"), audited.bench.ledger.client
    entries: Any = client.xrange(key)
    client.xdel(key, entries[1][0])

    before = audited.whats()
    told = [row["what"] for row in audited.lines() if row["kind"] == "doubt"]

    assert before == ["entries 2 to 2 are missing"]
    assert told == before


def test_a_tail_of_the_stream_that_was_cut_off_is_found(audited: Audited) -> None:
    """The head knows how many there are."""
    audited.run_call()
    key, client = audited.key("audit"), audited.bench.ledger.client
    last: Any = client.xrevrange(key, count=1)
    client.xdel(key, last[0][0])

    assert audited.whats() == ["entries after 2 are missing"]


def test_an_entry_that_nobody_can_read_does_not_keep_others_from_being_sealed(
    audited: Audited,
) -> None:
    """Nested so deeply that reading it ends the stack."""
    audited.run_call()
    deep = '"\\ud800",' + "[" * 100_000 + "]" * 100_000
    forged: Any = {"number": 2, "at": 5, "what": f"[{deep}]", "hash": "0" * 40}
    audited.bench.ledger.client.xadd(audited.key("audit"), forged)

    lines = audited.lines()

    assert {row["kind"] for row in lines} >= {"settled", "doubt"}


def test_a_forged_entry_is_found(audited: Audited) -> None:
    """It cannot continue what it does not know, and hides nothing of what follows."""
    audited.run_call()
    forged: Any = {"number": 4, "at": 5, "what": '[["seal","t:0","x"]]', "hash": "0" * 40}
    audited.bench.ledger.client.xadd(audited.key("audit"), forged)
    audited.run_call("u")

    before, lines = audited.whats(), audited.lines()

    assert before[0] == "entry 4 was changed, or is not of our scripts"
    assert {row["kind"] for row in lines} >= {"doubt", "unknown", "settled"}
    assert audited.verify().is_sound


@pytest.mark.parametrize(
    "what",
    [
        *(b"", b"{", b'{"a":1}', b"[1]", b"\xff"),
        *(b'[["claimed","t:0"]]', b'[["settled",1,2,3]]'),
        b'[["claimed","\\ud800:0","","w","1",""]]',
    ],
)
def test_whatever_stands_in_an_entry_sealing_goes_on(audited: Audited, what: bytes) -> None:
    """Nobody can stop the audit by what they write into the stream."""
    audited.bench.ledger.client.xadd(
        audited.key("audit"), {"number": "9" * 5000, "at": "²", "what": what}
    )
    audited.run_call()

    assert audited.lines()[-1]["kind"] == "settled"
    assert audited.verify().is_sound


def test_files_whose_tail_was_cut_off_are_found_by_the_servers_seal(audited: Audited) -> None:
    """Also when the folder was put back as a whole, and after more was sealed."""
    audited.run_call()
    audited.lines()
    kept = {path: path.read_bytes() for path in audited.folder.iterdir()}
    audited.run_call("u")
    audited.lines()
    for path, text in kept.items():
        path.write_bytes(text)

    before = audited.whats()
    audited.run_call("v")
    audited.lines()

    assert before[0] == "lines 5 to 8 are missing: the server's seal names them"
    assert any("line 5 was to come here" in what for what in audited.whats())


def test_a_crash_between_file_and_server_tells_nothing_twice(audited: Audited) -> None:
    """The file is ahead of the server, whose entries are still there."""
    audited.run_call()
    client = audited.bench.ledger.client
    waiting: Any = client.dump(audited.key("audit"))
    first = audited.lines()
    client.delete(audited.key("audit"), audited.key("audit:sealed"))
    client.restore(audited.key("audit"), 0, waiting)
    audited.run_call("u")

    both = audited.lines()

    assert both[: len(first)] == first
    assert [row["call"] for row in both].count("t:0") == 3
    assert audited.verify().is_sound


def test_two_machines_that_seal_in_turn_make_one_chain(audited: Audited, tmp_path: Path) -> None:
    """Their folders verify together, and neither alone."""
    other = replace(audited, setting=AuditSetting(folder=tmp_path / "b"), folder=tmp_path / "b")
    for turn_id, machine in (("t", audited), ("u", other), ("v", audited), ("w", other)):
        machine.run_call(turn_id)
        machine.lines()
    ledger, prefix = audited.bench.ledger, audited.key("")
    signer = audited.bench.signer

    both = verify([audited.folder, other.folder], signer, ledger.client, prefix)

    assert both.is_sound
    assert not audited.verify().is_sound


def test_a_server_that_lost_its_data_is_told_and_the_chain_goes_on(audited: Audited) -> None:
    """Its entries count from 1 again."""
    audited.run_call()
    audited.lines()
    client = audited.bench.ledger.client
    client.delete(*client.keys(audited.key("*")))
    lost = audited.whats()
    audited.run_call()

    lines = audited.lines()

    assert lost == ["has no genuine seal: it lost its data, or somebody removed it"]
    assert lines[3]["what"] == "entry 1 comes where entry 4 was to come"
    assert [row["kind"] for row in lines[4:]] == ["requested", "claimed", "settled"]
    assert audited.verify().is_sound


def test_a_sink_that_is_broken_costs_no_result_and_is_an_alarm(audited: Audited) -> None:
    """What waits is sealed when it is mended."""
    bench = audited.bench
    audited.folder.write_text("in the way")
    rounds = Rounds(bench.ledger, audited.sealer, "w")
    audited.run_call()

    rounds.tick()
    [broken] = remarks_on_audit(bench.ledger)
    audited.folder.unlink()
    rounds.tick()
    [mended] = remarks_on_audit(bench.ledger)

    assert bench.state() == "succeeded"
    assert (broken.grade.value, mended.grade.value) == ("fail", "ok")
    assert "its files cannot be written" in broken.message
    assert len(audited.lines()) == 3


def test_a_stream_that_cannot_be_written_costs_no_result_and_is_an_alarm(
    audited: Audited,
) -> None:
    """Somebody put something else in its place; what is lost is counted."""
    bench = audited.bench
    bench.ledger.client.set(audited.key("audit"), "x")

    audited.run_call()

    assert bench.state() == "succeeded"
    assert bench.ledger.results("t", [0])
    [remark] = remarks_on_audit(bench.ledger)
    assert "3 entries could not be written" in remark.message


def test_one_of_two_seals_and_the_other_takes_over(audited: Audited, tmp_path: Path) -> None:
    """While the first one does, the second writes nothing."""
    bench, other = audited.bench, AuditSetting(folder=tmp_path / "b")
    second = Sealer(bench.ledger, bench.signer, other, lambda _: None)
    first_rounds = Rounds(bench.ledger, audited.sealer, "one")
    second_rounds = Rounds(bench.ledger, second, "two")

    audited.run_call()
    first_rounds.tick()
    audited.run_call("u")
    second_rounds.tick()
    before = (tmp_path / "b").exists()
    first_rounds.leave()
    audited.run_call("v")
    second_rounds.tick()

    assert (before, (tmp_path / "b").exists()) == (False, True)


def test_without_the_setting_nothing_of_it_is_there(bench: Bench) -> None:
    """No key, no remark."""
    [claim] = bench.claim(bench.submit().rings)
    bench.finish(claim)

    prefix = bench.ledger.settings.key_prefix
    assert not [key for key in bench.ledger.client.keys(f"{prefix}*") if b"audit" in key]
    assert not list(remarks_on_audit(bench.ledger))
