"""A tool's own rules, from the dispatcher to what the model reads."""

from __future__ import annotations

import json
from typing import Any

from toolferry import EffectClass, ErrorCode, Outcome, Registry, ToolCall, tool
from toolferry_policies import Deny, Facts, Modify, Permit, RequireApproval, Verdict
from toolferry_testing import Rehearsal

LIMIT = 100
SAID = "limit was cut to 100."


def rows_are_few(facts: Facts) -> Verdict:
    """Cut a number of rows to what is allowed, as a rule of a tool does."""
    if facts.call.arguments["limit"] <= LIMIT:
        return Permit()
    return Modify({**facts.call.arguments, "limit": LIMIT}, SAID)


def table_is_open(facts: Facts) -> Verdict:
    """Deny one table."""
    if facts.call.arguments["table"] != "salaries":
        return Permit()
    return Deny(ErrorCode.DENIED, "The table salaries is not for models.")


@tool(rules=[rows_are_few, table_is_open], effect=EffectClass.READ)
async def read_rows(table: str, limit: int) -> str:
    """Read rows of a table."""
    return f"{limit} rows of {table}"


def told(arguments: dict[str, Any]) -> dict[str, Any]:
    """Give what the model reads of a call."""
    turn = Rehearsal(Registry([read_rows])).dispatch([ToolCall("c1", "read_rows", arguments)])
    envelope: dict[str, Any] = json.loads(turn.messages()[0]["content"])
    return envelope


def test_a_call_runs_with_the_arguments_that_a_rule_made_of_it() -> None:
    """And the model is told, so that it does not take the result for all rows."""
    assert told({"table": "orders", "limit": 5000}) == {
        "ok": True,
        "content": "100 rows of orders",
        "changed": [SAID],
    }


def test_each_rule_may_change_a_call() -> None:
    """All of it is told."""

    def text_is_small(facts: Facts) -> Verdict:
        text = facts.call.arguments["table"]
        arguments = {**facts.call.arguments, "table": text.lower()}
        return Permit() if text.islower() else Modify(arguments, "table is in small letters.")

    @tool(rules=[rows_are_few, text_is_small])
    async def read(table: str, limit: int) -> str:
        """Read."""
        return f"{limit} {table}"

    turn = Rehearsal(Registry([read])).dispatch(
        [ToolCall("c1", "read", {"table": "ORDERS", "limit": 101})]
    )

    assert turn.results[0].content == "100 orders"
    assert turn.results[0].changes == (SAID, "table is in small letters.")


def test_a_call_that_keeps_all_rules_runs_as_it_is() -> None:
    """Nothing is said of rules then."""
    assert told({"table": "orders", "limit": 5}) == {"ok": True, "content": "5 rows of orders"}


def test_a_call_that_a_rule_denies_does_not_run_whatever_another_would_change() -> None:
    """The model reads the rule's own sentence."""
    read = told({"table": "salaries", "limit": 5000})

    assert (read["error_code"], read["message"]) == (
        "denied",
        "The table salaries is not for models.",
    )
    assert read["effect"] == "none"


def test_a_rule_that_wants_a_person_is_told_to_the_rehearsal_as_an_approval() -> None:
    """It waits with its reason, as a tool does that always asks."""

    def asks(_facts: Facts) -> Verdict:
        return RequireApproval("It is much.")

    @tool(rules=[asks])
    async def pay() -> None:
        """Pay."""

    turn = Rehearsal(Registry([pay])).dispatch([ToolCall("c1", "pay", {})])

    assert turn.results[0].outcome is Outcome.SUCCEEDED
