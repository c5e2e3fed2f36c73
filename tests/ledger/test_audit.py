"""The audit: what happens to calls is recorded, sealed into files, and no change goes unnoticed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.ledger.samples import Bench
from toolferry import ConfigurationError
from toolferry_ledger import (
    Approvals,
    Bell,
    Ledger,
    Settings,
    Signer,
    Untrusted,
    distrust,
    open_spec,
)
from toolferry_ledger.audit.remarks import remarks_on_audit
from toolferry_ledger.audit.rounds import Rounds
from toolferry_ledger.audit.sealer import Sealer
from toolferry_ledger.audit.setting import AuditSetting
from toolferry_ledger.audit.verifying import Verified, verify

SCHEMA = {"properties": {"path": {"type": "string"}}}


@dataclass(frozen=True)
class Audited:
    """A system that is audited, and who seals it."""

    bench: Bench
    setting: AuditSetting
    folder: Path

    @property
    def sealer(self) -> Sealer:
        """Give a sealer that has just been started."""
        ledger, signer = self.bench.ledger, self.bench.signer
        return Sealer(ledger, signer, self.setting, lambda _: SCHEMA)

    def key(self, name: str) -> str:
        """Name a key of the system."""
        return f"{self.bench.ledger.settings.key_prefix}{name}"

    def run_call(self, turn_id: str = "t", **changes: Any) -> None:
        """Have a call requested, claimed and settled."""
        [claim] = self.bench.claim(self.bench.submit(turn_id, **changes).rings)
        self.bench.finish(claim)

    def whats(self) -> list[str]:
        """Verify, and give what is wrong."""
        return [one.what for one in self.verify().discrepancies]

    def lines(self) -> list[dict[str, Any]]:
        """Seal, and read what is told in the files besides the seals."""
        self.sealer.seal()
        texts = [path.read_text() for path in sorted(self.folder.glob("audit-*.jsonl"))]
        rows = [json.loads(line) for text in texts for line in text.splitlines()]
        return [row for row in rows if row["kind"] != "seal"]

    def verify(self) -> Verified:
        """Verify files and server."""
        ledger = self.bench.ledger
        prefix = ledger.settings.key_prefix
        return verify([self.folder], self.bench.signer, ledger.client, prefix)


@pytest.fixture
def audited(settings: Settings, tmp_path: Path) -> Iterator[Audited]:
    """Give a system of its own that is audited."""
    setting = AuditSetting(folder=tmp_path / "audit")
    elsewhere = replace(settings, broker_url=settings.url, audit=setting)
    bench = Bench(Ledger(elsewhere), Signer(settings.secret))
    yield Audited(bench, setting, tmp_path / "audit")
    bench.ledger.close()


def test_what_happens_to_a_call_is_told_step_by_step(audited: Audited) -> None:
    """With who asked, for whom, with what; which worker, which attempt, and what came of it."""
    bench = audited.bench
    [claim] = bench.claim(bench.submit(conversation_id="talk").rings)
    bench.finish(claim)

    requested, claimed, settled = audited.lines()

    assert [requested["kind"], claimed["kind"], settled["kind"]] == [
        "requested",
        "claimed",
        "settled",
    ]
    assert requested["arguments"] == {"path": "a.txt"}
    assert (requested["call_id"], requested["conversation"]) == ("c0", "talk")
    assert (requested["verdict"], claimed["worker"], claimed["attempt"]) == (
        "permit",
        "worker-1",
        1,
    )
    assert (settled["state"], settled["effect"]) == ("succeeded", "none")
    assert "done" not in json.dumps(settled)
    assert audited.verify().is_sound


def test_what_people_do_is_told_with_their_names(audited: Audited) -> None:
    """An approval, a denial with its reason, a withdrawal, an erasure."""
    ledger, bench = audited.bench.ledger, audited.bench
    bell = Bell(ledger.settings)
    approvals = Approvals(ledger, bell, bench.signer)
    bench.submit("t", 2, approval="it pays")
    bench.submit("u")

    approvals.approve("t:0", "ann")
    approvals.deny("t:1", "bob", "not him")
    ledger.erase(["t:1"])
    bell.close()

    told = {(row["kind"], row["call"]): row for row in audited.lines()}
    assert told["requested", "t:0"]["verdict"] == "require_approval"
    assert told["requested", "t:0"]["reason"] == "it pays"
    yes, no = told["decided", "t:0"], told["decided", "t:1"]
    assert (yes["who"], yes["verdict"], yes["state"]) == ("ann", "approve", "queued")
    assert (no["who"], no["verdict"], no["reason"]) == ("bob", "deny", "not him")
    assert ("erased", "t:1") in told


def test_a_call_that_is_withdrawn_while_it_runs_is_told(audited: Audited) -> None:
    """With the reason; and that its end was written."""
    bench = audited.bench
    [claim] = bench.claim(bench.submit().rings)

    bench.ledger.withdraw(["t:0"], "nobody waits")
    bench.finish(claim)

    assert [row["kind"] for row in audited.lines()] == [
        "requested",
        "claimed",
        "withdrawn",
        "settled",
    ]


def test_an_altered_record_is_told_as_untrusted(audited: Audited) -> None:
    """Somebody wrote into the server by hand; its worker refused it."""
    bench = audited.bench
    rings = bench.submit().rings
    key = audited.key("call:t:0")
    text: Any = bench.ledger.client.hget(key, "spec")
    bench.ledger.client.hset(key, "spec", text.replace(b"a.txt", b"b.txt"))
    [claim] = bench.claim(rings)
    with pytest.raises(Untrusted):
        open_spec(bench.signer, claim)

    bench.ledger.settle([distrust(claim)], bench.worker)

    last = audited.lines()[-1]
    assert (last["kind"], last["call"], last["worker"]) == ("untrusted", "t:0", "worker-1")
    assert "arguments" not in last


def test_a_notice_that_is_forged_or_replayed_is_told(audited: Audited) -> None:
    """Of a call that is not there, under a fence that it does not have, of one that has ended."""
    bench = audited.bench
    [ring] = bench.submit().rings
    [claim] = bench.claim([ring])
    bench.finish(claim)

    bench.ledger.claim("w", [("nobody:0", 1), ("t:0", 99), ("t:0", ring.fence)])

    refused = [row for row in audited.lines() if row["kind"] == "notice_refused"]
    assert [(row["call"], row["state"]) for row in refused] == [
        ("nobody:0", "unknown"),
        ("t:0", "succeeded"),
        ("t:0", "succeeded"),
    ]


def test_a_write_that_comes_too_late_is_told(audited: Audited) -> None:
    """It changed nothing."""
    bench = audited.bench
    [claim] = bench.claim(bench.submit().rings)
    bench.finish(claim)
    bench.finish(claim)

    assert audited.lines()[-1]["kind"] == "write_refused"


def test_secrets_are_in_no_line_and_in_no_entry(audited: Audited) -> None:
    """Neither what the schema calls secret, nor what looks like one; long texts are cut."""
    given = {"path": "x" * 1000, "token": "hunter2", "say": "password=Hunter2"}
    schema = {"properties": {"path": {}, "say": {}, "token": {"writeOnly": True}}}
    audited.run_call(arguments=given)
    entries = repr(audited.bench.ledger.client.xrange(audited.key("audit")))
    ledger, signer = audited.bench.ledger, audited.bench.signer

    Sealer(ledger, signer, audited.setting, lambda _: schema).seal()

    text = "".join(path.read_text() for path in audited.folder.iterdir())
    assert "unter2" not in entries + text
    assert "(1000 characters)" in text


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
    "what", [b"", b"{", b'{"a":1}', b"[1]", b'[["claimed","t:0"]]', b'[["settled",1,2,3]]', b"\xff"]
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


def test_the_setting_is_passed_on_to_other_processes(tmp_path: Path) -> None:
    """With its limits."""
    variables = {
        "TOOLFERRY_AUDIT": str(tmp_path),
        "TOOLFERRY_AUDIT_KEEP_DAYS": "90",
        "TOOLFERRY_AUDIT_MAX_MB": "0.5",
    }
    setting = AuditSetting.from_env(variables)

    assert setting == AuditSetting(folder=tmp_path, keep=90 * 86_400.0, max_bytes=2**19)
    assert AuditSetting.from_env(setting.environment()) == setting
    assert AuditSetting.from_env({"TOOLFERRY_AUDIT": "on"}) == AuditSetting()
    assert AuditSetting.from_env({}) is None


@pytest.mark.parametrize("value", ["x", "0", "-1", "inf", "nan"])
def test_a_limit_that_is_none_is_refused(value: str) -> None:
    """In one sentence that names its variable."""
    with pytest.raises(ConfigurationError, match="TOOLFERRY_AUDIT_MAX_MB"):
        AuditSetting.from_env({"TOOLFERRY_AUDIT": "on", "TOOLFERRY_AUDIT_MAX_MB": value})
