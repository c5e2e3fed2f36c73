"""Edits: a person lets a call run with other arguments, which every check has to pass."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from tests.ledger.samples import Bench, make_spec
from toolferry import (
    NO_EXTENSIONS,
    Approval,
    Concurrency,
    Context,
    EffectClass,
    ErrorCode,
    Extensions,
    Lane,
    Tool,
    fact_provider,
)
from toolferry_ledger import (
    Approvals,
    Bell,
    Claim,
    DecisionRefused,
    Jury,
    Spec,
    open_secrets,
    open_spec,
    seal_secrets,
)
from toolferry_policies import (
    NO_POLICY,
    Approver,
    Deny,
    Facts,
    Known,
    Modify,
    Permit,
    Verdict,
    read_policy,
)

ANN = Approver("ann", verified=True)
BOB = Approver("bob", verified=True)


def amount_is_small(facts: Facts) -> Verdict:
    """Allow 100 at the most, in whole hundreds."""
    amount = facts.call.arguments["amount"]
    if amount > 100:
        return Deny(ErrorCode.DENIED, "No more than 100 is paid.")
    rounded = {**facts.call.arguments, "amount": 100}
    return Permit() if amount in {1, 100} else Modify(rounded, "amount was rounded up to 100.")


PAY = Tool(
    name="pay",
    lane=Lane.ASYNC,
    effect=EffectClass.WRITE,
    confirm=True,
    display="Pay {amount} to {to}",
    resource="account:{to}",
    concurrency=Concurrency(1, "bank:{bank}"),
    rules=(amount_is_small,),
    parameters={
        "type": "object",
        "properties": {
            "to": {"type": "string"},
            "bank": {"type": "string"},
            "amount": {"type": "integer"},
            "pin": {"type": "string", "writeOnly": True},
        },
        "required": ["to", "amount"],
        "additionalProperties": False,
    },
)
FIND, NOBODY = {"pay": PAY}.get, dict[str, Tool]().get
ASKED = {"to": "bob", "amount": 1, "pin": "4711"}


@pytest.fixture
def approvals(bench: Bench) -> Iterator[Approvals]:
    """Give the approvals of the bench's system, where the tool is known."""
    with closing(Bell(bench.ledger.settings)) as bell:
        yield Approvals(bench.ledger, bell, bench.signer, Jury({"pay": PAY}.get))


@pytest.fixture(autouse=True)
def call(bench: Bench) -> None:
    """Submit a call that waits."""
    submit(bench)


def submit(bench: Bench, turn_id: str = "t", **changes: Any) -> None:
    """Submit a call of the tool."""
    fields = {"name": "pay", "tool_digest": PAY.digest, "arguments": ASKED, "approval": "It asks."}
    bench.submit(turn_id, **{**fields, **changes})


def taken(bench: Bench, key: str = "t:0") -> Spec:
    """Claim the call as a worker does, and give what it is to run."""
    suspect = bench.ledger.inspect_call(key)
    assert suspect is not None
    (claim,) = bench.ledger.claim(bench.worker, [(key, suspect.fence)]).claims
    assert isinstance(claim, Claim)
    return open_secrets(open_spec(bench.signer, claim), bench.signer)


def test_a_person_sees_what_is_asked_without_its_secrets(approvals: Approvals) -> None:
    """As the tool's display says it."""
    [pending] = approvals.pending()

    assert pending.preview == "Pay 1 to bob"
    assert pending.arguments == {"to": "bob", "amount": 1, "pin": "…"}
    assert "4711" not in str(pending.to_json())


def test_an_edited_call_runs_as_it_was_edited(bench: Bench, approvals: Approvals) -> None:
    """Both are kept, and the model is told what changed, but no secret."""
    edited = {"to": "bob", "amount": 100, "pin": "0815"}

    approvals.approve("t:0", ANN, edited, "That was too little.")
    spec = taken(bench)

    assert (spec.arguments, spec.original) == (edited, ASKED)
    assert spec.changes == (
        "A person changed the arguments: amount is 100, pin is …. They say: That was too little.",
    )


def submit_sealed(bench: Bench, tool: Tool, arguments: dict[str, Any], **secrets: str) -> None:
    """Submit a call whose secrets are sealed."""
    plain = make_spec(
        "u",
        name=tool.name,
        tool_digest=tool.digest,
        arguments=arguments,
        approval="It asks.",
        context=Context(secrets=secrets),
    )
    spec = seal_secrets(plain, tool, bench.signer)
    bench.ledger.submit("u", b"{}", "digest", bench.inbox, [bench.submission(spec)])


@pytest.mark.parametrize("hidden", [{"pin": "…"}, {}])
def test_what_is_secret_stays_so_in_an_edited_call(
    bench: Bench, approvals: Approvals, hidden: dict[str, str]
) -> None:
    """What a person left as it was shown, or left out, is what it was."""
    submit_sealed(bench, PAY, ASKED)

    approvals.approve("u:0", ANN, {"to": "bob", "amount": 100, **hidden})
    suspect = bench.ledger.inspect_call("u:0")

    assert suspect is not None
    assert b"4711" not in suspect.spec
    spec = taken(bench, "u:0")
    assert spec.arguments == {**ASKED, "amount": 100}
    assert spec.changes == ("A person changed the arguments: amount is 100.",)


def test_members_around_a_secret_can_be_edited(bench: Bench) -> None:
    """Of an object, and of a list of the same length; the others are refused."""
    send = Tool(name="send", lane=Lane.ASYNC)
    asked = {"auth": {"user": "ann", "key": "k-0815"}, "lines": ["use k-0815", "hello"]}
    submit_sealed(bench, send, asked, key="k-0815")
    wanted = {"auth": {"user": "bob", "key": "[redacted]"}, "lines": ["use [redacted]", "bye"]}
    with closing(Bell(bench.ledger.settings)) as bell:
        desk = Approvals(bench.ledger, bell, bench.signer, Jury({"send": send}.get))
        for lines in (["bye", "use [redacted]"], ["use [redacted]"]):
            with pytest.raises(DecisionRefused, match="lines has a placeholder in place of a"):
                desk.approve("u:0", ANN, {**wanted, "lines": lines})

        desk.approve("u:0", ANN, wanted)

    spec = taken(bench, "u:0")
    assert spec.arguments == {
        "auth": {"user": "bob", "key": "k-0815"},
        "lines": ["use k-0815", "bye"],
    }


def test_nothing_runs_with_a_placeholder_in_place_of_a_secret(
    bench: Bench, approvals: Approvals
) -> None:
    """Of a text in which one was hidden only all can be left as it was, or be written anew."""
    asked = {"to": "bob at k-0815", "amount": 1}
    submit_sealed(bench, PAY, asked, key="k-0815")
    for arguments, name in (
        ({"to": "Bob at [redacted]", "amount": 1}, "to"),
        ({"to": "bob at [redacted]", "amount": 1, "pin": "…"}, "pin"),
    ):
        with pytest.raises(DecisionRefused, match=f"{name} has a placeholder in place of a secret"):
            approvals.approve("u:0", ANN, arguments)

    approvals.approve("u:0", ANN, {"to": "bob at [redacted]", "amount": 100})

    assert taken(bench, "u:0").arguments == {**asked, "amount": 100}


def test_the_same_arguments_are_no_edit(bench: Bench, approvals: Approvals) -> None:
    """The model is told nothing then."""
    approvals.approve("t:0", ANN, dict(ASKED))

    assert taken(bench).original is None


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"to": "bob", "amount": 101}, "No more than 100 is paid"),
        ({"to": "bob", "amount": "1"}, "it may not run so"),
        ({"to": "bob"}, "it may not run so"),
        ({**ASKED, "tool": "read"}, "it may not run so"),
        ({**ASKED, "to": "eve"}, "to says what the call is in line for"),
        ({**ASKED, "bank": "other"}, "bank says what the call is in line for"),
    ],
)
def test_arguments_that_a_check_refuses_change_nothing(
    bench: Bench, approvals: Approvals, arguments: dict[str, Any], why: str
) -> None:
    """The tool's schema, its rules, and its place in line; the call waits on."""
    with pytest.raises(DecisionRefused, match=why):
        approvals.approve("t:0", ANN, arguments)

    assert bench.state() == "awaiting_approval"
    approvals.approve("t:0", ANN)
    assert taken(bench).arguments == ASKED


def test_a_rule_may_change_what_a_person_changed(bench: Bench, approvals: Approvals) -> None:
    """Both changes are told."""
    approvals.approve("t:0", ANN, {"to": "bob", "amount": 60})

    spec = taken(bench)

    assert spec.arguments == {**ASKED, "amount": 100}
    assert spec.changes == (
        "A person changed the arguments: amount is 60.",
        "amount was rounded up to 100.",
    )


def test_nobody_edits_a_call_of_a_tool_that_is_not_known(
    bench: Bench, approvals: Approvals
) -> None:
    """Nor of one that has changed since."""
    submit(bench, "other", name="read")
    submit(bench, "older", tool_digest="0" * 16)

    for key in ("other:0", "older:0"):
        with pytest.raises(DecisionRefused, match="is not known here, so other arguments cannot"):
            approvals.approve(key, ANN, {"to": "bob", "amount": 2})


def test_an_edit_takes_the_earlier_approvals_away(bench: Bench, approvals: Approvals) -> None:
    """They were for another call; who gave them has to see the new one."""
    submit(bench, "two", terms=Approval(needed=2))
    edited = {"to": "bob", "amount": 100}

    approvals.approve("two:0", ANN)
    second = approvals.approve("two:0", BOB, edited)
    third = approvals.approve("two:0", ANN)

    assert (second.wants, third.wants) == (1, 0)
    assert taken(bench, "two:0").arguments == {**ASKED, "amount": 100}


@fact_provider
def owner(facts: Facts) -> str:
    """Look up who is paid."""
    return f"owner of {facts.call.arguments['amount']}"


def owner_is_known(facts: Facts) -> Verdict:
    """Allow what was looked up for these arguments only."""
    wanted = f"owner of {facts.call.arguments['amount']}"
    if facts.known["owner"] == wanted:
        return Permit()
    return Deny(ErrorCode.DENIED, "Its owner is another one.")


def test_what_was_looked_up_for_the_first_arguments_says_nothing_of_others(bench: Bench) -> None:
    """It is looked up anew; who cannot do that cannot edit."""
    knowing = replace(PAY, rules=(owner_is_known,))
    submit(bench, "u", known=Known({"owner": "owner of 2"}))
    with closing(Bell(bench.ledger.settings)) as bell:
        blind, seeing = (
            Approvals(
                bench.ledger, bell, bench.signer, Jury({"pay": knowing}.get, NO_POLICY, found)
            )
            for found in (lambda: NO_EXTENSIONS, lambda: Extensions(facts=[owner]))
        )
        with pytest.raises(DecisionRefused, match="it may not run so"):
            blind.approve("u:0", ANN, {"to": "bob", "amount": 2})

        seeing.approve("u:0", ANN, {"to": "bob", "amount": 2})

    assert taken(bench, "u:0").known["owner"] == "owner of 2"


def test_who_knows_a_tool_from_the_catalog_only_asks_who_decides_about_it_or_edits_nothing(
    bench: Bench,
) -> None:
    """A hook or a fact provider beside the code of the tool is not passed by."""
    offered = replace(PAY, rules=(), deciders=frozenset({"fact provider owner"}))
    edited = {**ASKED, "amount": 100}
    with closing(Bell(bench.ledger.settings)) as bell:
        blind, seeing = (
            Approvals(
                bench.ledger, bell, bench.signer, Jury({"pay": offered}.get, NO_POLICY, found)
            )
            for found in (lambda: NO_EXTENSIONS, lambda: Extensions(facts=[owner]))
        )
        with pytest.raises(DecisionRefused, match="judged by the fact provider owner, which can"):
            blind.approve("t:0", ANN, edited)
        state = bench.state("t:0")
        seeing.approve("t:0", ANN, edited)

    assert (state, taken(bench).known["owner"]) == ("awaiting_approval", "owner of 100")


def test_a_call_is_judged_by_the_policy_of_now(bench: Bench) -> None:
    """It waits on when that forbids it, and runs when that has changed back."""
    stricter = read_policy(b"[tools.pay]\nenabled = false", "policy.toml")
    with closing(Bell(bench.ledger.settings)) as bell:
        strict, lenient = (
            Approvals(bench.ledger, bell, bench.signer, Jury({"pay": PAY}.get, policy))
            for policy in (stricter, NO_POLICY)
        )
        for arguments in (None, ASKED):
            with pytest.raises(DecisionRefused, match="it may not run so"):
                strict.approve("t:0", ANN, arguments)

        lenient.approve("t:0", ANN)

    assert taken(bench).arguments == ASKED


@pytest.mark.parametrize("arguments", [None, ASKED])
def test_a_call_that_nobody_can_judge_any_more_waits_on(
    bench: Bench, arguments: dict[str, Any] | None
) -> None:
    """Its tool is known to nobody, and operators have changed their policy; it can be denied."""
    submit(bench, "u", policy="0123456789ab")
    with closing(Bell(bench.ledger.settings)) as bell:
        blind, seeing = (
            Approvals(bench.ledger, bell, bench.signer, Jury(find)) for find in (NOBODY, FIND)
        )
        with pytest.raises(DecisionRefused, match=r"is not known here, so .*: start a worker"):
            blind.approve("u:0", ANN, arguments)
        state = bench.state("u:0")
        seeing.approve("u:0", ANN, arguments)

    assert (state, taken(bench, "u:0").arguments) == ("awaiting_approval", ASKED)


def test_an_edit_keeps_its_place_under_the_limit_of_the_policy_too(bench: Bench) -> None:
    """Operators may have declared another limit than the tool has."""
    text = b'[tools.pay.concurrency]\nlimit = 1\nkey = "pin:{pin}"'
    policy = read_policy(text, "policy.toml")
    with closing(Bell(bench.ledger.settings)) as bell:
        limited = Approvals(bench.ledger, bell, bench.signer, Jury({"pay": PAY}.get, policy))

        with pytest.raises(DecisionRefused, match="pin says what the call is in line for"):
            limited.approve("t:0", ANN, {**ASKED, "pin": "0815"})
