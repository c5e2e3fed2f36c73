"""What the tests of the ready rules share: a tool, a call of it, and its verdict."""

from __future__ import annotations

from typing import Any

from toolferry import Context, Tool, ToolCall
from toolferry_policies import Deny, Facts, Modify, Permit, Verdict
from toolferry_policies.rules import Rule

#: Every name that the tests use; the rules must cope with any value.
SCHEMA = {
    "type": "object",
    "properties": {
        "value": {},
        "links": {"type": "array", "items": {"type": "object", "properties": {"url": {}}}},
        "where": {"type": "object", "properties": {"table": {}}},
        "token": {"type": "string", "writeOnly": True},
    },
}
TOOL = Tool(name="act", parameters=SCHEMA, handler=print)


def ask(rule: Rule, **arguments: Any) -> Verdict:
    """Ask a rule about a call with these arguments."""
    facts = Facts(
        call=ToolCall("c1", "act", arguments),
        tool=TOOL,
        registered=frozenset({"act"}),
        context=Context(),
    )
    return rule(facts)


def permits(rule: Rule, value: Any) -> bool:
    """Say whether a rule permits a value, as it is."""
    return isinstance(ask(rule, value=value), Permit)


def denied(verdict: Verdict) -> Deny:
    """Give the verdict, which has to be a denial."""
    assert isinstance(verdict, Deny)
    return verdict


def modified(verdict: Verdict) -> Modify:
    """Give the verdict, which has to be a change."""
    assert isinstance(verdict, Modify)
    return verdict
