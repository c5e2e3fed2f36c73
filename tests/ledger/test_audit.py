"""The audit: what happens to calls is recorded, and sealed into files, without secrets."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.ledger.audited import Audited
from tests.ledger.samples import make_spec
from tests.waiting import wait_until
from toolferry import (
    Approval,
    CallError,
    CallState,
    ConfigurationError,
    Context,
    EffectClass,
    ErrorCode,
    Lane,
    Outcome,
    Tool,
)
from toolferry_ledger import (
    Allowing,
    Approvals,
    Bell,
    Jury,
    Untrusted,
    distrust,
    open_spec,
)
from toolferry_ledger.audit.sealer import Sealer
from toolferry_ledger.audit.setting import AuditSetting
from toolferry_policies import Approver, AttemptEnd


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


def test_what_had_ended_before_the_server_lost_it_was_refused_by_nobody(audited: Audited) -> None:
    """Its turn is written anew with the result that is known of it."""
    bench = audited.bench
    [claim] = bench.claim(bench.submit().rings)
    result = bench.conclude(claim).result
    call = replace(
        bench.submission(make_spec()),
        spec=b"",
        signature="",
        result=result,
        outcome=CallState.SUCCEEDED,
    )

    bench.ledger.submit("again", b"{}", "digest", bench.inbox, [call])

    last = audited.lines()[-1]
    assert (last["kind"], last["call"], last["state"]) == ("settled", "again:0", "succeeded")
    assert "verdict" not in last


def test_nothing_of_a_content_is_told(audited: Audited) -> None:
    """Also where it looks like an error, or like an effect."""
    bench = audited.bench
    [claim] = bench.claim(bench.submit().rings)
    content = {"error": {"code": "leaked"}, "effect": "committed", "text": '"effect":"possible"'}
    bench.finish(claim, AttemptEnd(outcome=Outcome.SUCCEEDED, content=content))

    settled = audited.lines()[-1]

    assert (settled["effect"], settled.get("code")) == ("none", None)
    assert settled["result_bytes"] > 100
    assert "leaked" not in str(settled)


def test_a_failure_is_told_with_its_code(audited: Audited) -> None:
    """Each attempt; the handler's own code too."""
    bench = audited.bench
    [claim] = bench.claim(bench.submit(repeatable=False, effect_class=EffectClass.WRITE).rings)
    error = CallError.of(ErrorCode.EXECUTION_FAILED, "It broke.")
    bench.finish(claim, AttemptEnd(outcome=Outcome.FAILED, error=error))

    settled = audited.lines()[-1]

    assert (settled["state"], settled["effect"]) == ("failed", "possible")
    assert settled["code"] == "execution_failed"


def test_what_people_do_is_told_with_their_names(audited: Audited) -> None:
    """An approval, a denial with its reason, a withdrawal, an erasure."""
    ledger, bench = audited.bench.ledger, audited.bench
    bell = Bell(ledger.settings)
    approvals = Approvals(ledger, bell, bench.signer)
    bench.submit("t", 2, approval="it pays")
    bench.submit("u")

    approvals.approve("t:0", Approver("ann"))
    approvals.deny("t:1", Approver("bob"), "not him")
    ledger.erase(["t:1"])
    bell.close()

    told = {(row["kind"], row["call"]): row for row in audited.lines()}
    assert told["requested", "t:0"]["verdict"] == "require_approval"
    assert told["requested", "t:0"]["reason"] == "it pays"
    yes, no = told["decided", "t:0"], told["decided", "t:1"]
    assert (yes["who"], yes["verdict"], yes["state"]) == ("ann", "approve", "queued")
    assert (no["who"], no["verdict"], no["reason"]) == ("bob", "deny", "not him")
    assert ("erased", "t:1") in told


READ = Tool(name="read_file", lane=Lane.ASYNC)


def test_an_edit_is_told_beside_what_was_requested(audited: Audited) -> None:
    """Also when it comes before the request was sealed; each edit with its own arguments."""
    ledger, bench = audited.bench.ledger, audited.bench
    terms = Approval(needed=2)
    bench.submit(approval="it reads", tool_digest=READ.digest, terms=terms)
    with closing(Bell(ledger.settings)) as bell:
        approvals = Approvals(ledger, bell, bench.signer, Jury({"read_file": READ}.get))
        approvals.approve("t:0", Approver("ann", verified=True), {"path": "b.txt"}, "not that one")
        approvals.approve("t:0", Approver("bob", verified=True), {"path": "c.txt"})
        approvals.approve("t:0", Approver("ann", verified=True))

    rows = audited.lines()

    told = [(row["kind"], row.get("who"), row.get("arguments")) for row in rows]
    assert told == [
        ("requested", None, {"path": "a.txt"}),
        ("edited", "ann", {"path": "b.txt"}),
        ("decided", "ann", None),
        ("edited", "bob", {"path": "c.txt"}),
        ("decided", "bob", {"path": "c.txt"}),
        ("decided", "ann", {"path": "c.txt"}),
    ]
    assert rows[1]["reason"] == "not that one"
    assert len({row["signature"] for row in rows if "signature" in row}) == 3
    assert audited.verify().is_sound


def test_that_a_call_goes_into_line_is_told(audited: Audited) -> None:
    """When what it waited for has ended, and when its retry is due."""
    bench = audited.bench
    [first] = bench.claim(bench.submit(count=2, after=lambda at: (0,) if at else ()).rings)
    broke = CallError.of(ErrorCode.EXECUTION_FAILED, "It broke.")
    bench.finish(first, AttemptEnd(outcome=Outcome.FAILED, error=broke))
    rings = wait_until(lambda: bench.ledger.due(60.0).rings, "the retry")
    [again] = bench.claim(rings)
    bench.finish(again)

    told = [(row["call"], row["before"]) for row in audited.lines() if row["kind"] == "queued"]

    assert told == [("t:0", "retrying"), ("t:1", "waiting")]


def test_standing_approvals_are_told(audited: Audited) -> None:
    """Who gave it, each use with how many are left, and who took it back."""
    bench = audited.bench
    with closing(Bell(bench.ledger.settings)) as bell:
        jury = Jury({"read_file": READ}.get)
        approvals = Approvals(bench.ledger, bell, bench.signer, jury)
        one = approvals.standing.allow(
            "read_file",
            Approver("eve"),
            principal="anonymous",
            pinned={},
            uses=3,
            lasts=60.0,
        )
        bench.submit(approval="it reads", tool_digest=READ.digest, arguments={})
        allowing = Allowing(bench.ledger, bell, bench.signer, jury)
        allowing.answer({"t:0": "read_file"}, Context())
        approvals.standing.revoke(one.allowance.id, Approver("zoe"))

    allowed, _, used, revoked = audited.lines()

    name = one.allowance.id
    assert [row["standing"] for row in (allowed, used, revoked)] == [name] * 3
    assert (allowed["kind"], allowed["who"], allowed["uses"]) == ("allowed", "eve", 3)
    assert (used["kind"], used["who"], used["uses_left"]) == ("decided", "eve", 2)
    assert used["allowed_at"] == one.allowance.at
    assert (revoked["kind"], revoked["who"]) == ("revoked", "zoe")


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


@pytest.mark.parametrize("value", ["", " ", "off", "OFF", "false", "no", "0"])
def test_what_people_write_for_no_audit_means_none(value: str) -> None:
    """It makes no folder of that name."""
    assert AuditSetting.from_env({"TOOLFERRY_AUDIT": value}) is None


def test_a_word_that_could_be_a_folder_is_refused() -> None:
    """Whoever means that writes it as a path; `on` is understood however it is written."""
    with pytest.raises(ConfigurationError, match=r"'true' is no folder: name .* \./true .* say on"):
        AuditSetting.from_env({"TOOLFERRY_AUDIT": "true"})

    assert AuditSetting.from_env({"TOOLFERRY_AUDIT": "On"}) == AuditSetting()
    found = AuditSetting.from_env({"TOOLFERRY_AUDIT": "./off"})
    assert found is not None
    assert found.folder == Path("off").absolute()


@pytest.mark.parametrize("value", ["x", "0", "-1", "inf", "nan"])
def test_a_limit_that_is_none_is_refused(value: str) -> None:
    """In one sentence that names its variable."""
    with pytest.raises(ConfigurationError, match="TOOLFERRY_AUDIT_MAX_MB"):
        AuditSetting.from_env({"TOOLFERRY_AUDIT": "on", "TOOLFERRY_AUDIT_MAX_MB": value})
