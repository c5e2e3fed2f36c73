"""Judging with extensions: the laws that hold whatever they answer, and the order of it all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.worker.caller import make_spec
from toolferry import (
    Context,
    ErrorCode,
    Extensions,
    FactProvider,
    Hooks,
    Interceptor,
    Tool,
    ToolCall,
)
from toolferry_ledger import Asker, Consulting, judge_again, judge_alone
from toolferry_policies import (
    NO_POLICY,
    Check,
    Deny,
    Facts,
    Judgement,
    Known,
    Modify,
    Permit,
    RequireApproval,
    Verdict,
)

ASKER = Asker()
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
VERDICTS = st.sampled_from(
    [
        Permit(),
        RequireApproval("It is late."),
        RequireApproval("It is much."),
        Deny(ErrorCode.DENIED, "No."),
        Deny(ErrorCode.DENIED, "Never."),
    ]
)


def act(n: int) -> int:
    """Act."""
    return n


def number(value: int, **options: Any) -> Facts:
    """Give the facts of a call with one number."""
    return Facts(
        call=ToolCall("c1", "act", {"n": value}),
        tool=Tool(name="act", handler=act, parameters=NUMBER, **options),
        registered=frozenset({"act"}),
        context=Context(),
    )


def judged(facts: Facts, *hooks: Check, interceptors: tuple[Interceptor, ...] = ()) -> Judgement:
    """Judge a call with hooks."""
    extensions = Extensions(interceptors=interceptors, hooks=[Hooks(pre_execute=hooks, within=5)])
    return Consulting(extensions, ASKER).judge({0: facts})[0]


def answering(verdict: Verdict) -> Check:
    """Give a hook that always answers the same."""
    return lambda _facts: verdict


def between(low: int, high: int) -> Check:
    """Give a hook that brings a number into a range."""

    def hook(facts: Facts) -> Verdict:
        value = facts.call.arguments["n"]
        inside = min(max(value, low), high)
        return Permit() if value == inside else Modify({"n": inside}, f"n was set to {inside}.")

    return hook


def at_most(limit: int) -> Check:
    """Give a rule that refuses larger numbers."""

    def rule(facts: Facts) -> Verdict:
        fits = facts.call.arguments["n"] <= limit
        return Permit() if fits else Deny(ErrorCode.DENIED, f"n is over {limit}.")

    return rule


@given(st.lists(VERDICTS, max_size=4), st.booleans())
@settings(max_examples=60)
def test_hooks_can_only_tighten(verdicts: list[Verdict], confirm: bool) -> None:  # noqa: FBT001 -- drawn
    """The first denial decides; else the tool's own wish for a person; else the first of a hook."""
    judgement = judged(number(1, confirm=confirm), *map(answering, verdicts))

    denials = [one for one in verdicts if isinstance(one, Deny)]
    wishes = [one for one in verdicts if isinstance(one, RequireApproval)]
    own = [RequireApproval("The tool act asks a person before each call.")] if confirm else []
    assert judgement.verdict == next(iter([*denials, *own, *wishes]), Permit())


@given(st.lists(VERDICTS, max_size=4))
@settings(max_examples=30)
def test_hooks_after_a_denial_are_not_asked(verdicts: list[Verdict]) -> None:
    """And those before it are, in their order."""
    asked: list[int] = []

    def noting(at: int, verdict: Verdict) -> Check:
        def hook(_facts: Facts) -> Verdict:
            asked.append(at)
            return verdict

        return hook

    judged(number(1), *[noting(at, one) for at, one in enumerate(verdicts)])

    first = next((at for at, one in enumerate(verdicts) if isinstance(one, Deny)), len(verdicts))
    assert asked == list(range(len(verdicts)))[: first + 1]


RANGES = st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 9)), max_size=3)


@given(st.integers(-99, 99), RANGES, st.integers(-9, 9))
@settings(max_examples=100)
def test_what_hooks_change_never_gets_past_a_rule(
    value: int, ranges: list[tuple[int, int]], limit: int
) -> None:
    """What may run keeps all of them as it is, and judging it again changes nothing."""
    hooks = [between(low, low + width) for low, width in ranges]
    facts = number(value, rules=(at_most(limit),))

    judgement = judged(facts, *hooks)

    if isinstance(judgement.verdict, Permit):
        call = ToolCall("c1", "act", dict(judgement.arguments))
        final = replace(facts, call=call)
        assert all(check(final) == Permit() for check in [at_most(limit), *hooks])
        again = judged(final, *hooks)
        assert (again.verdict, again.arguments, again.changes) == (Permit(), call.arguments, ())
    assert facts.call.arguments == {"n": value}


@given(st.lists(VERDICTS, max_size=4))
@settings(max_examples=30)
def test_interceptors_are_entered_up_to_the_first_that_does_not_permit(
    verdicts: list[Verdict],
) -> None:
    """One that wants a person, which is not its to say, denies."""
    given_ = [Interceptor(str(at), answering(one), within=5) for at, one in enumerate(verdicts)]
    consulting = Consulting(Extensions(interceptors=given_), ASKER)

    judgement = consulting.judge({0: number(1)})[0]

    first = next((at for at, one in enumerate(verdicts) if one != Permit()), len(verdicts))
    assert consulting.entered[0][1] == given_[:first]
    assert isinstance(judgement.verdict, Permit if first == len(verdicts) else Deny)


def test_a_call_that_is_judged_alone_is_looked_up_anew() -> None:
    """As one that a person has edited: what was known of it before counts for nothing."""
    extensions = Extensions(facts=[FactProvider("double", lambda f: 2 * f.call.arguments["n"])])

    judgement = judge_alone(number(21), extensions)

    assert judgement.known == {"double": 42}
    assert judge_alone(number(21), Extensions()).known == {}


def test_a_call_that_is_judged_again_is_looked_up_anew_where_it_can_be() -> None:
    """As one that waits for a person while the policy changes; else what was known counts."""

    def owned(facts: Facts) -> Verdict:
        return Permit() if facts.known["owner"] == "ada" else deny(str(facts.known["owner"]))

    tool = Tool(name="act", handler=act, parameters=NUMBER, rules=(owned,))
    spec = replace(make_spec(tool, "t", 0, {"n": 1}), known=Known({"owner": "ada"}))
    extensions = Extensions(facts=[FactProvider("owner", lambda _facts: "bob")])

    assert judge_again(spec, tool, NO_POLICY).verdict == Permit()
    assert judge_again(spec, tool, NO_POLICY, extensions).verdict == deny("bob")


def deny(word: str) -> Deny:
    """Deny with one word."""
    return Deny(ErrorCode.DENIED, word)


class Wall:
    """A call that everything stands against, and what has been put right so far."""

    STEPS = (
        "interceptor",
        "known",
        "visible",
        "schema",
        "fact provider",
        "rule",
        "tenant",
        "role",
        "permission",
        "environment",
        "hook",
        "approval",
    )

    def __init__(self) -> None:
        self.right: set[str] = set()

    def steps(self) -> Iterator[str]:
        """Put one thing right after the other, and give what is told before each."""
        for step in self.STEPS:
            yield self.told()
            self.right.add(step)

    def told(self) -> str:
        """Say what the call comes to now."""
        verdict = judge_alone(self.facts(), self.extensions()).verdict
        if isinstance(verdict, Permit):
            return "permitted"
        if isinstance(verdict, RequireApproval):
            return verdict.reason
        return verdict.detail or verdict.message

    def facts(self) -> Facts:
        """Give the facts as far as they are right."""
        of_context: dict[str, dict[str, Any]] = {
            "tenant": {"tenant": "acme"},
            "role": {"roles": frozenset({"clerk"})},
            "permission": {"permissions": frozenset({"pay"})},
            "environment": {"environment": "staging"},
        }
        context: dict[str, Any] = {}
        for step, values in of_context.items():
            context |= values if step in self.right else {}
        return Facts(
            call=ToolCall("c1", "act", {"n": 1} if "schema" in self.right else {}),
            tool=self.tool() if "known" in self.right else None,
            registered=frozenset({"act"}) if "known" in self.right else frozenset(),
            visible=frozenset({"act"}) if "visible" in self.right else frozenset(),
            context=Context(**context),
        )

    def tool(self) -> Tool:
        """Give a tool that wants everything."""
        return Tool(
            name="act",
            handler=act,
            parameters=NUMBER,
            rules=(lambda _facts: self._unless("rule"),),
            tenants=frozenset({"acme"}),
            allowed_roles=frozenset({"clerk"}),
            permissions=frozenset({"pay"}),
            environments=frozenset({"staging"}),
            confirm="approval" not in self.right,
        )

    def extensions(self) -> Extensions:
        """Give extensions that say no until they are right."""
        return Extensions(
            interceptors=[Interceptor("guard", lambda _facts: self._unless("interceptor"))],
            facts=[
                FactProvider("owner", lambda _: "ada" if "fact provider" in self.right else None)
            ],
            hooks=[Hooks(pre_execute=[lambda _facts: self._unless("hook")])],
        )

    def _owner(self) -> str | None:
        return "ada" if "fact provider" in self.right else None

    def _unless(self, step: str) -> Verdict:
        return Permit() if step in self.right else deny(f"{step}: no")


def test_one_call_fails_everything_in_the_pinned_order() -> None:
    """Each time the first reason is put right, the next one shows; at the end nothing is left."""
    wall = Wall()

    told = [*wall.steps(), wall.told()]

    assert told == [
        "interceptor: no",
        "There is no tool 'act'.",
        "The tool act is not on offer in this turn.",
        "The arguments of act do not fit: n: expected integer, got nothing.",
        "the fact provider owner gave nothing",
        "rule: no",
        "The tool act is not for the tenant of this conversation.",
        "The tool act needs the role clerk.",
        "The tool act needs the permission pay.",
        "The tool act may run in staging only, and this is development.",
        "hook: no",
        "The tool act asks a person before each call.",
        "permitted",
    ]


@pytest.fixture(scope="module", autouse=True)
def _close() -> Iterator[None]:
    yield
    ASKER.close()
