"""The checks together: their order, and that a broken one denies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolferry import Context, EffectClass, ErrorCode, Tool, ToolCall
from toolferry_policies import (
    CHECKS,
    Check,
    Deny,
    Facts,
    Modify,
    Permit,
    RequireApproval,
    Verdict,
    judge,
)

FACTS = Facts(
    call=ToolCall("c1", "read_file", {}),
    tool=Tool(name="read_file", handler=print),
    registered=frozenset({"read_file"}),
    context=Context(),
)
DENIALS = [Deny(code, code.value) for code in ErrorCode]


def answering(verdict: Any) -> Check:
    """Give a check that always answers the same."""
    return lambda _facts: verdict


def raising(error: BaseException) -> Check:
    """Give a check that is broken."""

    def broken(_facts: Facts) -> Verdict:
        raise error

    return broken


def only_here(facts: Facts) -> Verdict:
    """Deny every path but one: a rule as a tool has it."""
    if facts.call.arguments.get("path") == "here":
        return Permit()
    return Deny(ErrorCode.DENIED, "Only here.")


def at_most(limit: int) -> Check:
    """Give a check that has a number cut to a limit."""

    def capped(facts: Facts) -> Verdict:
        if facts.call.arguments["number"] <= limit:
            return Permit()
        return Modify({"number": limit}, f"number was cut to {limit}.")

    return capped


def at_least(limit: int) -> Check:
    """Give a check that has a number raised to a limit."""

    def raised(facts: Facts) -> Verdict:
        if facts.call.arguments["number"] >= limit:
            return Permit()
        return Modify({"number": limit}, f"number was raised to {limit}.")

    return raised


def number(value: int) -> Facts:
    """Give the facts of a call with one number."""
    return replace(FACTS, call=ToolCall("c1", "read_file", {"number": value}))


def test_the_order_of_the_checks_is_pinned() -> None:
    """What the model can mend is told before what it cannot."""
    assert [check.__name__ for check in CHECKS] == [
        "tool_is_known",
        "tool_is_visible",
        "arguments_fit",
        "rules_hold",
        "tenant_is_allowed",
        "role_is_allowed",
        "permissions_suffice",
        "environment_fits",
        "confirmation_is_unneeded",
    ]


def test_a_call_with_everything_wrong_gets_one_reason_after_the_other() -> None:
    """Each time the first reason is put right, the next one shows."""
    tool = Tool(
        name="read_file",
        handler=print,
        parameters={"type": "object", "properties": {}, "required": ["path"]},
        allowed_roles=frozenset({"admin"}),
        permissions=frozenset({"files"}),
        environments=frozenset({"staging"}),
        tenants=frozenset({"acme"}),
        rules=(only_here,),
    )
    steps: list[dict[str, Any]] = [
        {"tool": tool, "registered": frozenset({"read_file"})},
        {"visible": frozenset({"read_file"})},
        {"call": ToolCall("c1", "read_file", {"path": "/etc"})},
        {"call": ToolCall("c1", "read_file", {"path": "here"})},
        {"context": Context(tenant="acme")},
        {"context": Context(tenant="acme", roles=frozenset({"admin"}))},
        {
            "context": Context(
                tenant="acme", roles=frozenset({"admin"}), permissions=frozenset({"files"})
            )
        },
    ]
    fields: dict[str, Any] = {
        "call": ToolCall("c1", "read_file", {}),
        "tool": None,
        "registered": frozenset(),
        "visible": frozenset(),
        "context": Context(),
    }

    told = []
    for step in [{}, *steps]:
        fields |= step
        verdict = judge(Facts(**fields)).verdict
        assert isinstance(verdict, Deny)
        told.append((verdict.code.value, verdict.message.rpartition(" the ")[2]))

    assert [code for code, _ in told] == [
        "unknown_tool",
        "tool_not_allowed",
        "schema",
        "denied",
        "denied",
        "denied",
        "denied",
        "denied",
    ]
    assert [message for _, message in told[3:7]] == [
        "Only here.",
        "tenant of this conversation.",
        "role admin.",
        "permission files.",
    ]


@given(st.lists(st.sampled_from([Permit(), *DENIALS]), max_size=8))
def test_the_first_check_that_does_not_permit_decides(verdicts: list[Verdict]) -> None:
    """With no such check the call may run."""
    expected = next((verdict for verdict in verdicts if verdict != Permit()), Permit())

    assert judge(FACTS, tuple(map(answering, verdicts))).verdict == expected


@given(st.lists(st.sampled_from([Permit(), *DENIALS]), max_size=4))
def test_judging_again_changes_nothing(verdicts: list[Verdict]) -> None:
    """The same facts always get the same verdict, and repeated checks add nothing."""
    checks = tuple(map(answering, verdicts))

    assert judge(FACTS, checks) == judge(FACTS, checks) == judge(FACTS, checks + checks)


@given(st.lists(st.sampled_from([Permit(), RequireApproval("why"), *DENIALS]), max_size=6))
def test_a_denial_counts_more_than_a_wish_for_approval(verdicts: list[Verdict]) -> None:
    """Wherever it comes: nobody is asked about what may not run anyway."""
    verdict = judge(FACTS, tuple(map(answering, verdicts))).verdict

    denials = [one for one in verdicts if isinstance(one, Deny)]
    asked = [one for one in verdicts if isinstance(one, RequireApproval)]
    assert verdict == next(iter([*denials, *asked]), Permit())


ASKS = "The tool read_file asks a person before {} call."


@pytest.mark.parametrize(
    ("confirm", "wanted"),
    [
        (False, Permit()),
        (True, RequireApproval("The tool read_file asks a person before each call.")),
        (lambda _facts: False, Permit()),
        (
            lambda _facts: True,
            RequireApproval("The tool read_file asks a person before this call."),
        ),
        (
            lambda _facts: None,
            RequireApproval("The tool read_file asks a person before this call."),
        ),
    ],
)
def test_a_tool_can_ask_a_person_before_each_call(
    *, confirm: bool | Callable[[Facts], bool], wanted: Verdict
) -> None:
    """Nobody is asked otherwise."""
    facts = replace(FACTS, tool=Tool(name="read_file", handler=print, confirm=confirm))

    assert judge(facts).verdict == wanted


def test_a_predicate_that_fails_denies() -> None:
    """Nobody knows whether a person had to be asked."""

    def fails(_facts: Facts) -> bool:
        raise LookupError

    facts = replace(FACTS, tool=Tool(name="read_file", handler=print, confirm=fails))

    assert isinstance(judge(facts).verdict, Deny)


@pytest.mark.parametrize(
    ("effect", "asks"), [("read", False), ("write", False), ("destructive", True)]
)
def test_a_tool_of_high_risk_asks_a_person_unless_it_says_otherwise(
    effect: EffectClass, *, asks: bool
) -> None:
    """What cannot be put right is of high risk."""
    said, silent = Tool(name="a", effect=effect, confirm=False), Tool(name="a", effect=effect)

    assert (said.confirm, silent.confirm) == (False, asks)


def test_a_wish_for_approval_without_a_reason_denies() -> None:
    """It must not pass for no wish at all."""
    verdict = judge(FACTS, (lambda _facts: RequireApproval(""),)).verdict

    assert isinstance(verdict, Deny)


def test_checks_after_the_deciding_one_are_not_asked() -> None:
    """A later check may rely on what the earlier ones made sure of."""
    checks = (answering(DENIALS[0]), raising(AssertionError("asked")))

    assert judge(FACTS, checks).verdict == DENIALS[0]


def test_a_check_that_raises_denies() -> None:
    """The log learns what broke; the model learns nothing of it."""
    verdict = judge(FACTS, (raising(ValueError("the database says hush")),)).verdict

    assert isinstance(verdict, Deny)
    assert verdict.code is ErrorCode.DENIED
    assert verdict.message == "A policy could not judge this call."
    assert verdict.detail == "the check broken raised ValueError: the database says hush"


@pytest.mark.parametrize("nonsense", [None, True, "permit", Permit, 0])
def test_a_check_that_answers_with_nonsense_denies(nonsense: object) -> None:
    """Only a verdict permits; what merely looks true does not."""
    verdict = judge(FACTS, (answering(nonsense),)).verdict

    assert isinstance(verdict, Deny)
    assert "which is no verdict" in verdict.detail


def test_a_program_that_is_being_stopped_stops() -> None:
    """Ctrl-C in the middle of a check is no verdict."""
    with pytest.raises(KeyboardInterrupt):
        judge(FACTS, (raising(KeyboardInterrupt()),))


def test_what_a_check_changed_is_judged_anew_from_the_start() -> None:
    """No change gets past a check that comes before the one that made it."""

    def odd(facts: Facts) -> Verdict:
        fits = facts.call.arguments["number"] % 2
        return Permit() if fits else Deny(ErrorCode.DENIED, "It must be odd.")

    judgement = judge(number(99), (odd, at_most(10)))

    assert judgement.verdict == Deny(ErrorCode.DENIED, "It must be odd.")
    assert judgement.rule == "odd"


def test_what_was_changed_is_told_with_the_arguments_that_came_of_it() -> None:
    """The facts themselves stay as they are."""
    facts = number(99)

    judgement = judge(facts, (at_most(50), at_most(10)))

    assert judgement.verdict == Permit()
    assert judgement.arguments == {"number": 10}
    assert judgement.changes == ("number was cut to 50.", "number was cut to 10.")
    assert facts.call.arguments == {"number": 99}


def test_checks_that_undo_each_others_changes_deny() -> None:
    """They would go on for ever."""
    verdict = judge(number(99), (at_most(10), at_least(20))).verdict

    assert isinstance(verdict, Deny)
    assert "the 11th change of one call" in verdict.detail


@given(st.integers(), st.lists(st.tuples(st.booleans(), st.integers()), max_size=5))
def test_a_change_never_lets_through_what_a_check_refuses(
    value: int, limits: list[tuple[bool, int]]
) -> None:
    """Whatever was changed: what may run passes every check as it is."""
    checks = tuple(at_most(limit) if is_top else at_least(limit) for is_top, limit in limits)

    judgement = judge(number(value), checks)

    if isinstance(judgement.verdict, Permit):
        final = replace(FACTS, call=ToolCall("c1", "read_file", dict(judgement.arguments)))
        assert all(check(final) == Permit() for check in checks)


def test_a_change_without_a_reason_denies() -> None:
    """The model has to be told what was changed."""
    verdict = judge(number(1), (lambda _facts: Modify({}, ""),)).verdict

    assert isinstance(verdict, Deny)
