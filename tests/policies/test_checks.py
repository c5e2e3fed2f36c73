"""The checks before a call runs: what each denies, and what the model is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from toolferry import Context, ErrorCode, Tool, ToolCall
from toolferry.faults import MAX_TOLD
from toolferry_policies import CHECKS, Deny, Facts, Permit, Verdict
from toolferry_policies.checks import (
    arguments_fit,
    environment_fits,
    permissions_suffice,
    role_is_allowed,
    tool_is_known,
    tool_is_visible,
)
from toolferry_policies.checks.known import MAX_NAMES, MAX_REPEATED, closest

SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "lines": {"type": "integer", "minimum": 1}},
    "required": ["path"],
}


def facts_of(
    tool: Tool | None = None,
    *,
    name: str = "read_file",
    arguments: Mapping[str, Any] | None = None,
    registered: frozenset[str] = frozenset({"read_file", "send_mail"}),
    visible: frozenset[str] | None = None,
    context: Context | None = None,
) -> Facts:
    """Give the facts of one call."""
    return Facts(
        call=ToolCall("c1", name, arguments or {}),
        tool=tool,
        registered=registered,
        visible=visible,
        context=context or Context(),
    )


def tool_with(**fields: Any) -> Tool:
    """Give a tool that reads files."""
    return Tool(name="read_file", parameters=SCHEMA, handler=print, **fields)


def denied(verdict: Verdict) -> Deny:
    """Give the verdict, which has to be a denial."""
    assert isinstance(verdict, Deny)
    return verdict


def test_a_registered_tool_is_known() -> None:
    """The name leads to a tool."""
    assert tool_is_known(facts_of(tool_with())) == Permit()


def test_an_unknown_tool_is_answered_with_close_names_and_all_on_offer() -> None:
    """A slip of the model is put right in one turn."""
    verdict = denied(tool_is_known(facts_of(name="read_files")))

    assert verdict.code is ErrorCode.UNKNOWN_TOOL
    assert verdict.message == "There is no tool 'read_files'."
    assert verdict.suggestion == (
        "Did you mean read_file? The tools on offer are: read_file, send_mail."
    )


def test_names_that_are_not_on_offer_are_not_listed() -> None:
    """What the model was not shown it does not learn from an error."""
    verdict = denied(tool_is_known(facts_of(name="read_files", visible=frozenset({"send_mail"}))))

    assert verdict.suggestion == "The tools on offer are: send_mail."


def test_without_any_tool_the_model_is_told_to_answer() -> None:
    """There is nothing to choose from."""
    verdict = denied(tool_is_known(facts_of(registered=frozenset())))

    assert verdict.suggestion == "No tool is on offer; answer without one."


def test_a_long_list_of_tools_is_cut() -> None:
    """An error message stays short with a thousand tools."""
    names = frozenset(f"tool_{number:03}" for number in range(MAX_NAMES + 5))

    verdict = denied(tool_is_known(facts_of(name="x", registered=names)))

    assert verdict.suggestion is not None
    assert verdict.suggestion.endswith("tool_019 and 5 more.")


def test_an_endless_name_is_not_repeated_in_full() -> None:
    """A model's mistake does not come back to it at full length."""
    verdict = denied(tool_is_known(facts_of(name="x" * 100_000)))

    assert len(verdict.message) < MAX_REPEATED + 30


@pytest.mark.parametrize("name", ["READ_FILE", "read-file", "read.file", "read_fil", "readfile"])
def test_close_names_are_found_whatever_their_writing(name: str) -> None:
    """Models change case and dashes more often than words."""
    assert closest(name, ("read_file", "send_mail")) == ("read_file",)


@pytest.mark.parametrize("visible", [None, frozenset({"read_file"})])
def test_a_tool_that_was_shown_may_be_called(visible: frozenset[str] | None) -> None:
    """Either all tools were shown, or this one was."""
    assert tool_is_visible(facts_of(tool_with(), visible=visible)) == Permit()


def test_a_tool_that_was_not_shown_may_not_be_called() -> None:
    """It exists, but not for this turn."""
    verdict = denied(tool_is_visible(facts_of(tool_with(), visible=frozenset({"send_mail"}))))

    assert verdict.code is ErrorCode.TOOL_NOT_ALLOWED
    assert verdict.message == "The tool read_file is not on offer in this turn."


def test_arguments_that_fit_are_permitted() -> None:
    """The schema has no objection."""
    assert arguments_fit(facts_of(tool_with(), arguments={"path": "a", "lines": 3})) == Permit()


def test_every_fault_of_the_arguments_is_told_at_once() -> None:
    """A missing field and a wrong type come together, each with its path."""
    verdict = denied(arguments_fit(facts_of(tool_with(), arguments={"lines": "three"})))

    assert verdict.code is ErrorCode.SCHEMA
    assert {fault.path for fault in verdict.faults} >= {"lines"}
    assert len(verdict.faults) == 2
    assert all(fault.expected in verdict.message for fault in verdict.faults)


def test_a_thousand_faults_make_no_endless_sentence() -> None:
    """The sentence tells the first ones; the error still holds every one."""
    schema = {"type": "object", "additionalProperties": {"type": "string"}}
    tool = Tool(name="read_file", parameters=schema, handler=print)
    arguments = {f"key{number}": number for number in range(MAX_TOLD + 20)}

    verdict = denied(arguments_fit(facts_of(tool, arguments=arguments)))

    assert len(verdict.faults) == MAX_TOLD + 20
    assert verdict.message.endswith("; and 20 more.")


def test_arguments_of_no_tool_are_denied() -> None:
    """Asked out of order, the check still permits nothing."""
    assert denied(arguments_fit(facts_of())).code is ErrorCode.UNKNOWN_TOOL


@pytest.mark.parametrize("roles", [{"admin"}, {"editor", "reader"}])
def test_one_of_the_allowed_roles_is_enough(roles: set[str]) -> None:
    """Roles are alternatives."""
    tool = tool_with(allowed_roles=frozenset({"admin", "editor"}))

    assert role_is_allowed(facts_of(tool, context=Context(roles=frozenset(roles)))) == Permit()


def test_without_an_allowed_role_the_call_is_denied() -> None:
    """The sentence names the roles that would do."""
    tool = tool_with(allowed_roles=frozenset({"admin", "editor"}))

    verdict = denied(role_is_allowed(facts_of(tool, context=Context(roles=frozenset({"x"})))))

    assert verdict.code is ErrorCode.DENIED
    assert verdict.message == "The tool read_file needs the role admin or editor."


@pytest.mark.parametrize(
    ("held", "sentence"),
    [
        ({"read"}, "The tool read_file needs the permission write."),
        (set(), "The tool read_file needs the permissions read, write."),
    ],
)
def test_missing_permissions_are_named(held: set[str], sentence: str) -> None:
    """All of them are needed; those that the context has are not mentioned."""
    tool = tool_with(permissions=frozenset({"read", "write"}))

    verdict = denied(
        permissions_suffice(facts_of(tool, context=Context(permissions=frozenset(held))))
    )

    assert verdict.code is ErrorCode.DENIED
    assert verdict.message == sentence


def test_all_permissions_together_suffice() -> None:
    """More than needed does no harm."""
    tool = tool_with(permissions=frozenset({"read"}))
    context = Context(permissions=frozenset({"read", "write"}))

    assert permissions_suffice(facts_of(tool, context=context)) == Permit()


def test_another_environment_is_denied() -> None:
    """The sentence says where the tool may run and where this is."""
    tool = tool_with(environments=frozenset({"staging"}))

    verdict = denied(environment_fits(facts_of(tool, context=Context(environment="production"))))

    assert verdict.code is ErrorCode.DENIED
    assert verdict.message == "The tool read_file may run in staging only, and this is production."


def test_a_listed_environment_is_permitted() -> None:
    """The context acts where the tool may run."""
    tool = tool_with(environments=frozenset({"staging"}))

    assert environment_fits(facts_of(tool, context=Context(environment="staging"))) == Permit()


@pytest.mark.parametrize("check", CHECKS)
def test_a_tool_without_demands_passes_every_check(check: Any) -> None:
    """Nothing is needed that the tool does not ask for."""
    assert check(facts_of(tool_with(), arguments={"path": "a"})) == Permit()
