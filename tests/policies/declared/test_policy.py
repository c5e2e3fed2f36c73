"""What tools come to under a policy file."""

from __future__ import annotations

import gc
import traceback
import weakref
from dataclasses import replace
from typing import Any

import pytest

from toolferry import Concurrency, Context, Registry, Risk, Tool, ToolCall, ToolInvalid
from toolferry_policies import (
    NO_POLICY,
    Deny,
    Facts,
    Known,
    Permit,
    Policy,
    RequireApproval,
    Verdict,
    judge,
    read_policy,
)
from toolferry_policies.declared.outcome import outcome

SCHEMA = {
    "type": "object",
    "properties": {
        "account": {"type": "string"},
        "amount": {"type": ["number", "string"], "default": 500},
        "to": {"type": "array"},
        "note": {"type": "string"},
    },
}


def refund(**arguments: Any) -> None:
    """Refund nothing."""


def names(*words: str) -> frozenset[str]:
    """Give a set of names."""
    return frozenset(words)


def tool_with(**fields: Any) -> Tool:
    """Give a tool that refunds."""
    fields = {"category": "payments", "tags": {"money", "slow"}, **fields}
    return Tool(name="refund", parameters=SCHEMA, handler=refund, **fields)


def policy_of(text: str) -> Policy:
    """Read a policy."""
    return read_policy(text.encode(), "p.toml")


def judged(policy: Policy, arguments: dict[str, Any], **context: Any) -> Verdict:
    """Judge a call of the refunding tool."""
    tool = policy.tool(tool_with())
    facts = Facts(
        call=ToolCall("c1", "refund", arguments),
        tool=tool,
        registered=names("refund"),
        context=Context(**context),
    )
    return judge(facts).verdict


def test_what_is_said_of_a_tool_takes_the_place_of_what_its_code_says() -> None:
    """Operators have the last word on who may use a tool, and how."""
    policy = policy_of(
        """[tools.refund]
allowed_roles = ["support"]
permissions = []
tenants = ["acme"]
environments = ["staging"]
timeout = 300
confirm = "always"
risk = "high"
max_result_bytes = 100
concurrency = { limit = 3, key = "account:{account}" }
"""
    )

    tool = policy.tool(tool_with(permissions=names("refund")))

    assert (tool.allowed_roles, tool.permissions) == (names("support"), frozenset())
    assert (tool.tenants, tool.environments) == (names("acme"), names("staging"))
    assert (tool.timeout, tool.deadline, tool.confirm) == (300, 300, True)
    assert (tool.risk, tool.max_result_bytes) == (Risk.HIGH, 100)
    assert tool.concurrency == Concurrency(3, "account:{account}")


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ('risk = "high"', True),
        ('risk = "medium"', False),
        ('risk = "high"\nconfirm = "never"', False),
    ],
)
def test_a_tool_that_operators_find_of_high_risk_asks_a_person(said: str, *, asks: bool) -> None:
    """As one whose code says so does; unless they say that nobody is asked."""
    policy = policy_of(f"[tools.refund]\n{said}")

    told = {one.key: one.value for one in outcome(policy, tool_with())}

    assert policy.tool(tool_with()).confirm is asks
    assert told["confirm"] == ("always" if asks else "never")


def test_workers_run_what_was_judged_by_an_overridden_tool() -> None:
    """Nothing that a policy may say is part of the digest."""
    policy = policy_of('[tools."*"]\ntimeout = 1\nconfirm = "always"\nrisk = "low"')

    assert policy.tool(tool_with()).digest == tool_with().digest


def test_the_most_specific_entry_wins_key_by_key() -> None:
    """`*`, then the category, then the tags in the file's order, then the name."""
    policy = policy_of(
        """[tools.refund]
timeout = 4
[tags.slow]
timeout = 3
tenants = ["slow"]
[tags.money]
tenants = ["money"]
environments = ["money"]
[categories.payments]
timeout = 2
environments = ["payments"]
allowed_roles = ["payments"]
[tools."*"]
timeout = 1
allowed_roles = ["all"]
permissions = ["all"]
"""
    )

    tool = policy.tool(tool_with())

    assert (tool.timeout, tool.tenants, tool.environments) == (4, names("money"), names("money"))
    assert (tool.allowed_roles, tool.permissions) == (names("payments"), names("all"))


def test_a_tool_of_which_nothing_is_said_stays_the_same_object() -> None:
    """What is not used costs nothing."""
    tool = tool_with()

    assert NO_POLICY.tool(tool) is tool
    assert policy_of("[tools.other]\ntimeout = 1").tool(tool) is tool


def test_a_tool_is_made_once() -> None:
    """A turn looks it up."""
    policy, tool = policy_of("[tools.refund]\ntimeout = 1"), tool_with()

    assert policy.tool(tool) is policy.tool(tool)


def test_a_tool_that_is_not_enabled_is_on_offer_to_nobody() -> None:
    """Neither shown nor callable."""
    registry = Registry([tool_with(), Tool(name="other", handler=print)])
    policy = policy_of("[tags.money]\nenabled = false")

    assert policy.shown(registry, None) == names("other")
    assert policy.shown(registry, ["refund", "other"]) == names("other")
    assert NO_POLICY.shown(registry, None) is None


def test_a_specific_entry_may_enable_what_a_general_one_does_not() -> None:
    """All but one can be switched off in four lines."""
    registry = Registry([tool_with(), Tool(name="other", handler=print)])
    policy = policy_of('[tools."*"]\nenabled = false\n[tools.refund]\nenabled = true')

    assert policy.shown(registry, None) == names("refund")


PRODUCTION = """[[tools.refund.rules]]
when = { environments = ["production"] }
unless = { roles = ["supervisor"] }
deny = "In production only supervisors refund."
"""


@pytest.mark.parametrize(
    ("environment", "roles", "verdict"),
    [("staging", (), Permit), ("production", (), Deny), ("production", ("supervisor",), Permit)],
)
def test_staging_yes_and_production_only_for_a_role(
    environment: str, roles: tuple[str, ...], verdict: type[Verdict]
) -> None:
    """The rule that everybody needs."""
    found = judged(policy_of(PRODUCTION), {}, environment=environment, roles=roles)

    assert isinstance(found, verdict)


@pytest.mark.parametrize(
    ("when", "arguments", "verdict"),
    [
        ("amount = { above = 100 }", {"amount": 100}, Permit()),
        ("amount = { above = 100 }", {"amount": 100.5}, Deny),
        ("amount = { above = 499, at_most = 500 }", {}, Deny),
        ("amount = { above = 100 }", {"amount": "1000"}, Deny),
        ("amount = { at_least = 100, below = 200 }", {"amount": 200}, Permit()),
        ('account = { none_of = ["a", "b"] }', {"account": "a"}, Permit()),
        ('account = { none_of = ["a", "b"] }', {}, Deny),
        ('account = { one_of = ["a"] }', {}, Permit()),
        ('account = { starts_with = "x-" }', {"account": "x-1"}, Deny),
        ('account = { ends_with = "-x" }', {"account": "x-1"}, Permit()),
        ("to = { longer_than = 1 }", {"to": ["a", "b"]}, Deny),
        ("to = { longer_than = 1 }", {"to": ["a"]}, Permit()),
        ("amount = { one_of = [1] }", {"amount": 1.0}, Deny),
        ('to = { one_of = ["a"] }', {"to": ["a"]}, Deny),
        ("note = { present = false }", {}, Deny),
        ("note = { present = true }", {"note": "x"}, Deny),
    ],
)
def test_arguments_are_compared_with_their_defaults_filled_in(
    when: str, arguments: dict[str, Any], verdict: Any
) -> None:
    """What cannot be compared is denied; what is left out is what the handler would get."""
    policy = policy_of(f"[[tools.refund.rules]]\nwhen = {{ arguments = {{ {when} }} }}\ndeny='No.'")

    found = judged(policy, arguments)

    assert isinstance(found, verdict) if isinstance(verdict, type) else found == verdict


def test_a_rule_may_have_a_person_asked() -> None:
    """Its sentence is for that person."""
    policy = policy_of("[[tools.refund.rules]]\nask = 'Is the customer known?'")

    assert judged(policy, {}) == RequireApproval("Is the customer known?")


def test_a_rule_that_denies_wins_over_one_that_asks() -> None:
    """Nobody is asked about what may not run anyway."""
    policy = policy_of(
        "[[tools.refund.rules]]\nask = 'Really?'\n[[tools.refund.rules]]\ndeny = 'No.'"
    )

    assert isinstance(judged(policy, {}), Deny)


def test_rules_of_all_entries_add_up() -> None:
    """A specific entry takes no general rule away."""
    policy = policy_of(
        "[[tools.'*'.rules]]\ndeny = 'Never.'\n[[tools.refund.rules]]\nask = 'Really?'"
    )

    assert isinstance(judged(policy, {}), Deny)


def test_a_declaration_that_does_not_fit_its_tool_permits_no_call() -> None:
    """It fails closed, and the log can tell why."""
    policy = policy_of("[tools.refund]\nconcurrency = { limit = 1, key = '{nothing}' }")
    facts = Facts(
        call=ToolCall("c1", "refund", {}),
        tool=policy.tool(tool_with()),
        registered=names("refund"),
        context=Context(),
    )

    verdict = judge(facts).verdict

    assert isinstance(verdict, Deny)
    assert "concurrency names {nothing}, which is no parameter" in verdict.detail


def test_a_rule_may_ask_for_what_was_looked_up() -> None:
    """Without it nothing is permitted."""
    policy = policy_of(
        "[[tools.refund.rules]]\nwhen = { facts = { 'owner.country' = { none_of = ['NL'] } } }\n"
        "deny = 'No.'"
    )
    facts = Facts(
        call=ToolCall("c1", "refund", {}),
        tool=policy.tool(tool_with()),
        registered=names("refund"),
        context=Context(),
    )
    dutch, german = (Known({"owner": {"country": country}}) for country in ("NL", "DE"))

    assert judge(replace(facts, known=dutch)).verdict == Permit()
    assert isinstance(judge(replace(facts, known=german)).verdict, Deny)
    assert isinstance(judge(facts).verdict, Deny)


ABOUT = {
    "another tool": "[tools.other]\ntimeout = 5",
    "it": "[tools.refund]\ntimeout = 5",
    "it, unfit": '[tools.refund]\nconcurrency = { limit = 1, key = "{nobody}" }',
}


@pytest.mark.parametrize("text", ABOUT.values(), ids=ABOUT.keys())
def test_a_policy_keeps_no_tool_alive(text: str) -> None:
    """A dispatcher without tools of its own takes over other ones every few seconds."""
    policy = read_policy(text.encode(), "policy.toml")
    tool = Tool(name="refund", handler=refund, parameters=SCHEMA)
    gone = weakref.ref(tool)

    policy.tool(tool)
    del tool
    gc.collect()

    assert gone() is None


def test_a_tool_that_does_not_fit_its_policy_remembers_no_call() -> None:
    """However many of them are denied."""
    policy = read_policy(ABOUT["it, unfit"].encode(), "policy.toml")
    [rule] = policy.tool(Tool(name="refund", handler=refund, parameters=SCHEMA)).rules

    def depth() -> int:
        with pytest.raises(ToolInvalid) as raised:
            rule(None)
        return len(traceback.extract_tb(raised.tb))

    assert depth() == depth()
