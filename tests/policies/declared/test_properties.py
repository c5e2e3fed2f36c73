"""What holds for every policy file, whatever stands in it and whatever a model asks for."""

from __future__ import annotations

import json
from typing import Any, Final

from hypothesis import given
from hypothesis import strategies as st

from toolferry import Context, Tool, ToolCall
from toolferry_policies import Deny, Facts, Permit, Policy, RequireApproval, judge, read_policy
from toolferry_policies.declared.lines import line_of

#: How strict a verdict is.
STRICTNESS: Final = (Permit, RequireApproval, Deny)
WORDS = st.sampled_from(["a", "b", "c"])
VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3)
ARGUMENTS = st.dictionaries(WORDS, VALUES | st.lists(VALUES, max_size=3), max_size=3)
COMPARISONS = st.sampled_from(
    [
        "{ above = 1 }",
        "{ at_least = 0, below = 10 }",
        '{ one_of = ["a", 1, true] }',
        '{ none_of = ["a", 1, true] }',
        '{ starts_with = "a" }',
        "{ longer_than = 1 }",
        "{ present = true }",
        "{ present = false }",
    ]
)
CONDITIONS = st.one_of(
    st.just('{ environments = ["production"] }'),
    st.just('{ roles = ["root"] }'),
    st.tuples(WORDS, COMPARISONS).map(lambda pair: f"{{ arguments.{pair[0]} = {pair[1]} }}"),
)
RULES = st.tuples(CONDITIONS, st.none() | CONDITIONS, st.sampled_from(["deny", "ask"]))
TOOL: Final = Tool(name="act", allowed_roles=frozenset({"root", "user"}))


def write(rules: list[tuple[str, str | None, str]]) -> str:
    """Write a policy file."""
    lines = []
    for when, unless, verb in rules:
        lines += ["[[tools.act.rules]]", f"when = {when}", f'{verb} = "No."']
        lines += [f"unless = {unless}"] if unless else []
    return "\n".join(lines)


def strictness(policy: Policy, arguments: dict[str, Any], context: Context) -> int:
    """Judge a call, and say how strict the verdict is."""
    facts = Facts(
        call=ToolCall("c1", "act", arguments),
        tool=policy.tool(TOOL),
        registered=frozenset({"act"}),
        context=context,
    )
    return STRICTNESS.index(type(judge(facts).verdict))


CONTEXTS = st.builds(
    Context,
    environment=st.sampled_from(["staging", "production"]),
    roles=st.frozensets(st.sampled_from(["root", "user", "guest"])),
)


@given(st.lists(RULES, max_size=4), st.lists(RULES, max_size=4), ARGUMENTS, CONTEXTS)
def test_more_rules_never_permit_more(
    some: list[Any], more: list[Any], arguments: dict[str, Any], context: Context
) -> None:
    """A rule only narrows, whatever it compares with whatever."""
    few = read_policy(write(some).encode(), "p.toml")
    many = read_policy(write(some + more).encode(), "p.toml")

    assert strictness(few, arguments, context) <= strictness(many, arguments, context)


@given(st.lists(RULES, max_size=4), ARGUMENTS, CONTEXTS)
def test_the_order_of_rules_does_not_decide(
    rules: list[Any], arguments: dict[str, Any], context: Context
) -> None:
    """A denial wins wherever it stands."""
    one = read_policy(write(rules).encode(), "p.toml")
    other = read_policy(write(rules[::-1]).encode(), "p.toml")

    assert strictness(one, arguments, context) == strictness(other, arguments, context)


KEYS = st.lists(
    st.tuples(st.text(st.characters(codec="utf-8"), max_size=5), st.integers(0, 3)),
    min_size=1,
    unique_by=lambda pair: pair[0],
)


@given(KEYS, st.sampled_from(["\n", "\r\n"]))
def test_every_key_is_found_where_it_stands(keys: list[tuple[str, int]], end: str) -> None:
    """Whatever it is called, and however long the values before it are."""
    lines: list[str] = []
    stands = {}
    for key, length in keys:
        stands[key] = len(lines) + 1
        quoted = json.dumps(key, ensure_ascii=False).replace("\x7f", "\\u007f")
        lines += [f"{quoted} = [", *["  1,"] * length, "]"]
    text = end.join(lines)

    assert {key: line_of(text, [key]) for key in stands} == stands
