"""The steps of an attempt, with real tools and records as the ledger gives them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.worker.caller import TOOLS, make_spec
from toolferry import CallState, Context, Effect, ErrorCode, Outcome, Registry, ToolResult
from toolferry_ledger import (
    Claim,
    Grant,
    Pool,
    Settings,
    Settlement,
    Signer,
    Spec,
    digest_of,
    read_result,
    seal_secrets,
    write_grants,
)
from toolferry_policies import (
    Approver,
    AttemptEnd,
    Deny,
    Facts,
    Modify,
    Permit,
    RequireApproval,
    Verdict,
)
from toolferry_worker.attempt import (
    Attempt,
    Finished,
    begin,
    finish,
    give_back,
    put_back,
    time_out,
)
from toolferry_worker.progress import Reporter
from toolferry_worker.station import Station


def spec_of(name: str = "add", **changes: Any) -> Spec:
    """Give the spec of a call of a sample tool."""
    tool = TOOLS.get(name)
    assert tool is not None
    arguments = {"left": 1} if name == "add" else {"folder": "/"}
    return replace(make_spec(tool, "t", 0, arguments), **changes)


def claim_of(spec_: Spec, settings: Settings, **changes: Any) -> Claim:
    """Give the claim of a call as the ledger would, with some of it changed."""
    text = spec_.to_bytes()
    claim = Claim(
        call_key="t:0",
        fence=7,
        spec=text,
        signature=Signer(settings.secret).sign(text),
        attempt=1,
        requested_at=1000.0,
        started_at=1001.0,
        deadline_at=1120.0,
        limit=spec_.timeout,
    )
    return replace(claim, **changes)


class Silent(Reporter):
    """A reporter that brings nothing anywhere."""

    def __init__(self) -> None:
        pass

    def for_call(self, claim: Claim) -> Any:
        """Give a function that does nothing."""
        return lambda _fraction, _message: None


def begun(station: Station, spec_: Spec, **changes: Any) -> Attempt | Finished:
    """Begin an attempt of a call."""
    return begin(claim_of(spec_, station.settings, **changes), station, Silent())


def ready(station: Station, spec: Spec, **changes: Any) -> Attempt:
    """Begin an attempt that can be called."""
    attempt = begun(station, spec, **changes)
    assert isinstance(attempt, Attempt)
    return attempt


def refusal(attempt: Attempt | Finished) -> ToolResult:
    """Give the result of a call that was not run."""
    assert isinstance(attempt, Finished)
    assert attempt.settlement.result is not None
    return read_result(attempt.settlement.result)


def ruled(verdict: Any) -> Registry:
    """Give a registry whose only tool has a rule that always answers the same."""
    return with_rule(lambda _facts: verdict)


def with_rule(rule: Callable[[Facts], Verdict]) -> Registry:
    """Give a registry whose only tool has this rule."""
    tool = TOOLS.get("add")
    assert tool is not None
    return Registry([replace(tool, rules=(rule,))])


def sealed_spec(station: Station, secret: str) -> Spec:
    """Give the spec of a call that brings a secret along."""
    tool = TOOLS.get("add")
    assert tool is not None
    return seal_secrets(spec_of(context=Context(secrets={"key": secret})), tool, station.signer)


def test_a_genuine_call_can_be_called_with_defaults(station: Station) -> None:
    """Binding fills in what the model left out."""
    attempt = ready(station, spec_of())

    assert attempt.bound == ((), {"left": 1, "right": 1})


@pytest.mark.parametrize(
    "changes",
    [
        {"signature": "0" * 64},
        {"call_key": "t:1"},
        {"spec": b"{}"},
        {"started_at": 9e9},
    ],
    ids=["unsigned", "another call's", "changed", "expired"],
)
def test_a_record_that_cannot_be_believed_is_refused(
    station: Station, changes: dict[str, Any]
) -> None:
    """Nothing is run, and an operator is told."""
    with capture_logs() as logs:
        result = refusal(begun(station, spec_of(), **changes))

    assert (result.outcome, result.effect) == (Outcome.FAILED, Effect.NONE)
    assert result.error is not None
    assert result.error.code == "untrusted"
    assert logs[0]["event"] == "call.untrusted"
    assert logs[0]["log_level"] == "error"


class Everybody:
    """Peers that can run whatever it is."""

    def may_run(self, pool: Pool, digest: str) -> bool:
        """Say yes."""
        return True


ELSEWHERE = [{"name": "other"}, {"tool_digest": "another"}]


@pytest.mark.parametrize("changes", ELSEWHERE, ids=["unknown here", "another schema"])
def test_a_call_that_only_a_peer_can_run_is_passed_on(
    station: Station, changes: dict[str, Any]
) -> None:
    """It does not use up an attempt, and comes back the later the longer it has waited."""
    crowded = replace(station, peers=Everybody())

    attempt = begun(crowded, replace(spec_of(), **changes))

    assert isinstance(attempt, Finished)
    assert attempt.settlement == Settlement("t:0", 7, CallState.RETRYING, delay=0.2, uncounted=True)


@pytest.mark.parametrize(("waited", "delay"), [(0.0, 0.05), (3.0, 0.6), (60.0, 1.0)])
def test_a_call_that_waits_for_a_peer_goes_round_ever_more_slowly(
    station: Station, waited: float, delay: float
) -> None:
    """Workers that cannot run it are not kept busy with it."""
    crowded = replace(station, peers=Everybody())

    attempt = begun(crowded, spec_of(tool_digest="another"), started_at=1000.0 + waited)

    assert isinstance(attempt, Finished)
    assert attempt.settlement.delay == pytest.approx(delay)


@pytest.mark.parametrize("changes", ELSEWHERE, ids=["unknown here", "another schema"])
def test_a_call_for_a_tool_that_no_worker_has_is_not_run(
    station: Station, changes: dict[str, Any]
) -> None:
    """The model should read the new description first."""
    result = refusal(begun(station, replace(spec_of(), **changes)))

    assert result.error is not None
    assert (result.error.code, result.effect) == ("tool_changed", Effect.NONE)
    assert "which no live worker has" in result.error.message


def test_a_tool_that_is_only_declared_here_is_not_run(station: Station) -> None:
    """There is no handler to call."""
    registry = Registry()
    spec = spec_of()
    registry.declare(replace(TOOLS.visible([spec.name])[0], handler=None, signature=None))

    result = refusal(begun(replace(station, registry=registry), spec))

    assert result.error is not None
    assert result.error.code == "tool_changed"


def test_arguments_that_do_not_fit_are_refused_with_every_fault(station: Station) -> None:
    """The worker's own schema has the last word."""
    result = refusal(begun(station, spec_of(arguments={"left": "one", "right": "two"})))

    assert result.error is not None
    assert [fault.path for fault in result.error.faults] == ["left", "right"]


def test_a_rule_that_no_schema_can_express_is_kept_too(station: Station) -> None:
    """The handler's own types have a say."""
    result = refusal(begun(station, spec_of("halve", arguments={"number": 3})))

    assert result.error is not None
    assert (result.error.code, result.effect) == ("schema", Effect.NONE)
    assert [fault.path for fault in result.error.faults] == ["number"]


@pytest.mark.parametrize(
    ("verdict", "message"),
    [
        (Permit(), ""),
        (Deny(ErrorCode.DENIED, "Not here."), "Not here."),
        (Modify({"left": 2}, "left is 2."), "A policy could not judge this call."),
        (RequireApproval("It is much."), "does not let this call run as it was admitted"),
        (None, "A policy could not judge this call."),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_tools_rules_are_asked_again_where_it_is_used(
    station: Station, verdict: Any, message: str
) -> None:
    """Of a tool that its dispatcher knows by its definition only, they are asked nowhere else."""
    attempt = begun(replace(station, registry=ruled(verdict)), spec_of())

    if not message:
        assert isinstance(attempt, Attempt)
    else:
        result = refusal(attempt)
        assert result.error is not None
        assert (result.error.code, result.effect) == ("denied", Effect.NONE)
        assert message in result.error.message


def test_what_a_rule_says_of_a_secret_is_not_logged(station: Station) -> None:
    """Not even by a rule that breaks."""
    secret = "c4na-ry-0815"  # noqa: S105 -- a sample
    spec = sealed_spec(station, secret)

    def quotes(facts: Facts) -> Verdict:
        raise ValueError(f"not with {facts.context.secrets['key']}")

    with capture_logs() as logs:
        attempt = begun(replace(station, registry=with_rule(quotes)), spec)

    assert [line["event"] for line in logs] == ["policy.failed"]
    assert secret not in f"{logs} {refusal(attempt)}"


def test_secrets_that_cannot_be_opened_here_end_their_call(
    station: Station, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a worker without the package that encrypts; an operator is told what to install."""
    spec = sealed_spec(station, "c4na-ry-0815")
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers.aead", None)

    with capture_logs() as logs:
        result = refusal(begun(station, spec))

    assert result.error is not None
    assert (result.error.code, result.effect) == ("no_secret", Effect.NONE)
    assert [(line["event"], "toolferry[secrets]" in line["reason"]) for line in logs] == [
        ("call.unopened", True)
    ]


def test_a_rule_that_wants_a_person_is_content_when_one_was_asked(station: Station) -> None:
    """The record says so, and it is signed."""
    signer, spec = station.signer, spec_of(approval="It is much.")
    grant = Grant(
        call_key="t:0",
        spec=digest_of(spec.to_bytes()),
        who=Approver("grace"),
        at=1000.0,
        until=9e9,
        token="made up",  # noqa: S106 -- as it says
    )
    registry = ruled(RequireApproval("It is much."))

    attempt = begun(replace(station, registry=registry), spec, grant=write_grants(signer, [grant]))

    assert isinstance(attempt, Attempt)


def test_a_success_is_written_as_one(station: Station) -> None:
    """The result says when, how often and with what."""
    attempt = ready(station, spec_of())

    finished = finish(attempt, AttemptEnd(outcome=Outcome.SUCCEEDED, content=2))

    assert finished.settlement.state is CallState.SUCCEEDED
    result = read_result(finished.settlement.result or b"")
    assert (result.content, result.attempts, result.started_at) == (2, 1, 1001.0)


def test_a_failure_is_followed_by_another_attempt(station: Station) -> None:
    """The retry policy decides, not the worker."""
    attempt = ready(station, spec_of())

    finished = finish(attempt, AttemptEnd(outcome=Outcome.FAILED))

    assert finished.settlement.state is CallState.RETRYING


def test_an_attempt_over_its_limit_timed_out(station: Station) -> None:
    """The error names the tool's limit."""
    finished = time_out(ready(station, spec_of()))

    assert finished.error is not None
    assert (finished.settlement.state, finished.error.code) == (CallState.TIMED_OUT, "timeout")


def test_an_attempt_that_the_deadline_cut_short_missed_the_deadline(station: Station) -> None:
    """The error names what was too short."""
    finished = time_out(ready(station, spec_of(), limit=0.5))

    assert finished.error is not None
    assert finished.error.code == "deadline"


def test_an_attempt_is_given_back_when_it_may_be_repeated(station: Station) -> None:
    """Another worker takes it at once."""
    finished = give_back(ready(station, spec_of()))

    assert finished.settlement.state is CallState.QUEUED


def test_an_attempt_that_was_not_called_is_put_back_whatever_its_tool(station: Station) -> None:
    """Nothing has happened."""
    finished = put_back(ready(station, spec_of("held_write")))

    assert finished.settlement.state is CallState.QUEUED


def test_an_attempt_that_may_not_be_repeated_is_lost_instead(station: Station) -> None:
    """It may have happened, and the result says so."""
    finished = give_back(ready(station, spec_of("held_write")))

    result = json.loads(finished.settlement.result or b"")
    assert (result["outcome"], result["effect"]) == ("lost", "possible")


def test_the_tool_of_a_shed_claim_is_not_called(station: Station) -> None:
    """The call ends at once, with what the model can do about it."""
    result = refusal(begun(station, spec_of(), marks=frozenset({"shed"})))

    assert result.error is not None
    assert (result.error.code, result.error.retryable) == ("tool_shed", True)
    assert result.effect is Effect.NONE


def test_what_an_attempt_did_is_found_out_of_a_tool_that_rests(station: Station) -> None:
    """Of such a call nobody may say that nothing has happened."""
    marks = frozenset({"shed", "verify"})

    assert isinstance(begun(station, spec_of(), marks=marks), Attempt)
