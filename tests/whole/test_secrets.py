"""Secrets of a call: who gets them, and where they are not."""

from __future__ import annotations

import re
import sys
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field
from structlog.processors import format_exc_info
from structlog.testing import capture_logs

from toolferry import (
    Answer,
    CancelCall,
    Context,
    ErrorCode,
    Registry,
    RetryCall,
    RetryPolicy,
    Tool,
    ToolCall,
    ToolContext,
    ToolError,
    ToolResult,
    tool,
)
from toolferry_ledger import redact_event
from toolferry_policies import Deny, Modify
from toolferry_testing import Rehearsal
from toolferry_worker.capture import CallStream

KEY = "k-7713-ABCDEF"
PASSWORD = "it's 4 Horses"  # noqa: S105 -- a sample
Password = Annotated[str, Field(json_schema_extra={"writeOnly": True})]


def result_of(one: Tool, arguments: dict[str, Any] | None = None) -> ToolResult:
    """Run one call on behalf of somebody with a key."""
    context = Context(secrets={"api_key": KEY})
    call = ToolCall("c1", one.name, arguments or {})
    return Rehearsal(Registry([one])).dispatch([call], context=context).results[0]


def test_a_handler_gets_its_secrets() -> None:
    """By name from the context, and as plain arguments."""
    got: list[str] = []

    @tool
    def log_in(user: str, password: Password, ctx: ToolContext) -> str:
        """Log in."""
        got.extend((password, ctx.secret("api_key"), ctx.identity.secrets["api_key"]))
        return user

    result = result_of(log_in, {"user": "ann", "password": PASSWORD})

    assert (got, result.content) == ([PASSWORD, KEY, KEY], "ann")


def test_a_secret_that_is_not_there_is_an_error_that_names_those_that_are() -> None:
    """So that whoever sets an application up finds the misspelt name."""

    @tool
    def read(ctx: ToolContext) -> str:
        """Read."""
        return ctx.secret("token")

    error = result_of(read).error

    assert error is not None
    assert (error.code, "it has: api_key" in error.message) == (ErrorCode.NO_SECRET, True)


def test_what_a_handler_returns_of_its_secrets_is_taken_out() -> None:
    """Wherever in its result it stands, before that is cut to size."""

    @tool(max_result_bytes=60)
    def read(password: Password, ctx: ToolContext) -> Any:
        """Read."""
        return ["x" * 40 + f" {ctx.secret('api_key')}", {"said": password}]

    result = result_of(read, {"password": PASSWORD})

    assert result.truncated
    assert KEY[:4] not in str(result.content)
    assert "Horses" not in str(result.content)


def test_a_tool_that_reveals_secrets_gives_them_in_its_results_only() -> None:
    """Not in what people see of it."""

    @tool(reveals=True, render_result=str)
    def read(ctx: ToolContext) -> str:
        """Read."""
        return ctx.secret("api_key")

    result = result_of(read)

    assert (result.content, result.view) == (KEY, "[redacted]")


@pytest.mark.parametrize(
    "raised",
    [
        ToolError("refused", f"no {KEY}", suggestion=f"not {PASSWORD}"),
        RetryCall(reason=f"again with {KEY}"),
        CancelCall(f"never with {PASSWORD}"),
        ToolError("refused", "x" * 1995 + KEY),
        ValueError(KEY),
    ],
)
def test_what_a_handler_says_of_its_secrets_in_an_error_is_taken_out(raised: Exception) -> None:
    """Also where it lies across the end of what is kept, and of a tool that reveals."""

    @tool(reveals=True)
    def read(password: Password) -> str:
        """Read."""
        assert password
        raise raised

    result = result_of(read, {"password": PASSWORD})

    assert result.error is not None
    assert "7713" not in str(result)
    assert "Horses" not in str(result)


def test_a_password_that_is_one_of_our_codes_changes_no_code() -> None:
    """Programs and rules decide by them."""

    @tool
    def read(password: Password) -> str:
        """Read."""
        raise ValueError(password)

    result = result_of(read, {"password": "execution_failed"})

    assert result.error is not None
    assert result.error.code == ErrorCode.EXECUTION_FAILED


def test_a_rule_that_quotes_a_secret_tells_it_to_nobody() -> None:
    """Neither in what it refuses nor in what it changes."""

    def rule(facts: Any) -> Any:
        password = facts.call.arguments["password"]
        if facts.call.arguments["user"] == "ann":
            return Deny(ErrorCode.DENIED, f"{password} is ann's.", suggestion=password)
        return Modify({**facts.call.arguments, "user": "ann "}, f"{password} is ann's.")

    @tool(rules=[rule])
    def read(user: str, password: Password) -> str:
        """Read."""
        return user + password[:1]

    denied = result_of(read, {"user": "ann", "password": PASSWORD})
    changed = result_of(read, {"user": "bob", "password": PASSWORD})

    assert denied.error is not None
    assert denied.error.message == "[redacted] is ann's."
    assert "Horses" not in str(denied) + str(changed)


def test_a_plain_value_where_an_object_with_a_secret_is_wanted_is_not_repeated() -> None:
    """A model that puts a secret one place too high is not told the secret again."""

    class Login(BaseModel):
        """Who logs in."""

        password: Password

    @tool
    def read(login: Login) -> None:
        """Read."""
        assert login.password

    result = result_of(read, {"login": PASSWORD})

    assert result.error is not None
    assert result.error.faults[0].got == "string, not shown"


def test_a_tool_leaves_parts_of_its_results_out() -> None:
    """Members by their paths, texts by patterns."""

    @tool(redact=["$.rows.*.iban", re.compile(r"\b\d{3}-\d{4}\b")])
    def read() -> Any:
        """Read."""
        return {"rows": [{"iban": "DE02", "phone": "call 555-0199"}]}

    rows = {"rows": [{"iban": "[redacted]", "phone": "call [redacted]"}]}

    assert result_of(read).content == rows


PHONE = "555-0199"
NUMBERS = re.compile(r"\b\d{3}-\d{4}\b")


@pytest.mark.parametrize(
    "raised",
    [ToolError("busy", f"Ask {PHONE}.", suggestion=PHONE), RetryCall(reason=f"Ask {PHONE}")],
)
def test_what_patterns_name_is_in_no_error(raised: Exception) -> None:
    """As it is in no result: whose words they are is no matter."""

    @tool(redact=[NUMBERS], retry=RetryPolicy(max_attempts=1))
    def read() -> None:
        """Read."""
        raise raised

    error = result_of(read).error

    assert error is not None
    assert "Ask [redacted]" in error.message
    assert PHONE not in str(error.to_json())


def test_what_patterns_name_is_in_no_source_and_in_no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor in what a handler prints, or raises by accident."""
    monkeypatch.setattr(sys, "stdout", CallStream(sys.stdout))

    @tool(redact=[NUMBERS])
    def read(fails: bool) -> Answer:  # noqa: FBT001 -- a model's argument
        """Read."""
        print(f"calls {PHONE}")  # noqa: T201 -- what it prints is caught
        if fails:
            raise LookupError(f"no {PHONE}")
        return Answer(content="done", source=f"the book, {PHONE}")

    with capture_logs([format_exc_info, redact_event]) as lines:
        told = [result_of(read, {"fails": fails}) for fails in (False, True)]

    assert told[0].source == "the book, [redacted]"
    text = str(lines)
    assert "calls [redacted]" in text
    assert "no [redacted]" in text
    assert PHONE not in text
