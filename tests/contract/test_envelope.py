"""What a model receives, held by golden files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.counting import calls_in
from toolferry import (
    CallError,
    Effect,
    ErrorCode,
    Fault,
    Hint,
    Outcome,
    ResultFormat,
    ToolResult,
    envelope,
    render,
    schema_error,
)
from toolferry.fitted import fitted
from toolferry.wording import clean_text, json_text

GOLDEN = Path(__file__).parent / "golden"
#: The keys of the envelope, in the order in which they are written.
KEYS = [
    "ok",
    "source",
    "content",
    "truncated",
    "next_cursor",
    "error_code",
    "message",
    "path",
    "expected",
    "got",
    "allowed",
    "closest",
    "example",
    "retryable",
    "suggestion",
    "effect",
]

RESULTS = {
    "success": ToolResult(
        call_id="c1",
        name="read_file",
        outcome=Outcome.SUCCEEDED,
        effect=Effect.NONE,
        content={"lines": ["größer", None]},
        source="file:notes.md",
    ),
    "success_with_more": ToolResult(
        call_id="c1",
        name="search",
        outcome=Outcome.SUCCEEDED,
        effect=Effect.NONE,
        content="first page …",
        truncated=True,
        next_cursor="p2",
    ),
    "success_without_content": ToolResult(
        call_id="c1", name="wait", outcome=Outcome.SUCCEEDED, effect=Effect.NONE
    ),
    "success_of_a_write": ToolResult(
        call_id="c1",
        name="send_mail",
        outcome=Outcome.SUCCEEDED,
        effect=Effect.COMMITTED,
        content="sent",
    ),
    "success_with_a_view": ToolResult(
        call_id="c1",
        name="list_orders",
        outcome=Outcome.SUCCEEDED,
        effect=Effect.NONE,
        content=[{"id": 1}, {"id": 2}],
        view="2 orders, for people only",
    ),
    "schema_faults": ToolResult(
        call_id="c1",
        name="search",
        outcome=Outcome.FAILED,
        effect=Effect.NONE,
        error=schema_error(
            "search",
            (
                Fault(path="query", expected="string", got="nothing"),
                Fault(path="limit", expected="integer from 1 to 50", got='"ten"'),
            ),
        ),
        hint=Hint(example={"query": "text"}),
    ),
    "unknown_value": ToolResult(
        call_id="c1",
        name="weather",
        outcome=Outcome.FAILED,
        effect=Effect.NONE,
        error=schema_error("weather", (Fault(path="unit", expected='one of "C", "F"', got='"K"'),)),
        hint=Hint(allowed=("C", "F"), example={"unit": "C"}),
    ),
    "unknown_tool": ToolResult(
        call_id="c1",
        name="reed_file",
        outcome=Outcome.FAILED,
        effect=Effect.NONE,
        error=CallError.of(
            ErrorCode.UNKNOWN_TOOL,
            "There is no tool 'reed_file'.",
            suggestion="Did you mean read_file? The tools on offer are: read_file, send_mail.",
            faults=(Fault(path="name", expected="the name of a tool on offer", got='"reed_file"'),),
        ),
        hint=Hint(closest=("read_file",)),
    ),
    "timeout_of_a_write": ToolResult(
        call_id="c1",
        name="send_mail",
        outcome=Outcome.TIMED_OUT,
        effect=Effect.POSSIBLE,
        error=CallError.of(ErrorCode.TIMEOUT, "send_mail did not end within 30 s."),
    ),
    "own_code_of_a_tool": ToolResult(
        call_id="c1",
        name="find_order",
        outcome=Outcome.FAILED,
        effect=Effect.NONE,
        source="table:orders",
        error=CallError(
            code="no_such_order", message="Order 17 does not exist.", retryable=False, suggestion=""
        ),
    ),
}


@pytest.mark.parametrize("name", RESULTS)
def test_the_model_receives_what_the_golden_files_hold(name: str) -> None:
    """Both forms, byte for byte."""
    result = RESULTS[name]

    assert f"{render(result)}\n" == (GOLDEN / f"{name}.json").read_text(encoding="utf-8")
    plain = render(result, ResultFormat.TEXT)
    assert f"{plain}\n" == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", RESULTS)
def test_the_envelope_has_its_keys_in_one_order_and_no_others(name: str) -> None:
    """Absent means left out; the text is the envelope."""
    keys = list(envelope(RESULTS[name]))

    assert keys == [key for key in KEYS if key in keys]
    assert json.loads(render(RESULTS[name])) == envelope(RESULTS[name])


def test_every_golden_file_is_used() -> None:
    """None is left over."""
    names = {path.stem for path in GOLDEN.iterdir()}

    assert names == set(RESULTS)


@pytest.mark.parametrize("code", ErrorCode)
def test_every_error_code_is_told_with_its_defaults(code: ErrorCode) -> None:
    """A failure always has a code, a message, and whether it may be repeated."""
    error = CallError.of(code, "It went wrong.")
    result = ToolResult(
        call_id="c1", name="t", outcome=Outcome.FAILED, effect=Effect.NONE, error=error
    )

    assert envelope(result) == {
        "ok": False,
        "error_code": code.value,
        "message": "It went wrong.",
        "retryable": error.retryable,
        "suggestion": error.suggestion,
        "effect": "none",
    }


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (Outcome.FAILED, "execution_failed"),
        (Outcome.TIMED_OUT, "timeout"),
        (Outcome.CANCELLED, "cancelled"),
        (Outcome.DENIED, "denied"),
        (Outcome.LOST, "worker_lost"),
    ],
)
def test_an_end_without_a_word_still_tells_a_code(outcome: Outcome, code: str) -> None:
    """A result that lost its error is no success."""
    told = envelope(ToolResult(call_id="c1", name="t", outcome=outcome, effect=Effect.POSSIBLE))

    assert (told["ok"], told["error_code"], told["effect"]) == (False, code, "possible")
    assert told["message"].endswith(".")


@pytest.mark.parametrize("form", ResultFormat)
def test_half_characters_never_leave(form: ResultFormat) -> None:
    """No provider takes text that UTF-8 cannot hold."""
    error = CallError(code="x", message="a\ud83d", retryable=False, suggestion="")
    result = ToolResult(
        call_id="c1", name="t", outcome=Outcome.FAILED, effect=Effect.NONE, error=error
    )

    assert "a\N{REPLACEMENT CHARACTER}" in render(result, form).encode().decode()


@pytest.mark.parametrize(
    "text", ["数据" * 500, 'a"' * 500, "\\" * 999, "\x01x" * 500, "\ud83d" * 500]
)
def test_an_error_is_cut_to_its_size_in_few_steps(text: str) -> None:
    """Whatever its characters take as JSON; what is kept is the beginning of what it was."""
    error = {"message": text, "got": text, "suggestion": text, "effect": "none"}

    cut = fitted(error)

    assert clean_text(text).startswith(cut["message"].removesuffix("…"))
    assert 470 <= len(json_text(cut["message"]).encode()) <= 480
    assert calls_in(lambda: fitted(error), of=json_text.__code__) < 30


@pytest.mark.parametrize("content", [None, "", 0, False, [], {}])
def test_plain_text_is_never_empty(content: object) -> None:
    """A provider may refuse an empty result; zero and false are content."""
    result = ToolResult(
        call_id="c1", name="t", outcome=Outcome.SUCCEEDED, effect=Effect.NONE, content=content
    )

    nothing = content is None or content == ""
    wanted = "[no content]" if nothing else json.dumps(content)
    assert render(result, ResultFormat.TEXT) == wanted
    assert envelope(result)["content"] == content
