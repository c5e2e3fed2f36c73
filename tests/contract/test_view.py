"""What people see of a result."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.samples import made
from toolferry import CallError, Effect, ErrorCode, Outcome, ToolInvalid, ToolResult, view_of
from toolferry.view import MAX_VIEW, fit_view


def result_of(outcome: Outcome = Outcome.SUCCEEDED, **fields: Any) -> ToolResult:
    """Give a result."""
    return ToolResult(call_id="c1", name="t", outcome=outcome, effect=Effect.NONE, **fields)


async def render_async(_: Any) -> str:
    """Be no plain function."""
    return ""


def test_a_view_keeps_its_lines() -> None:
    """It is plain text, of several lines if need be; its first line may be indented."""
    assert fit_view("\n  a  b\nc\n\n") == "  a  b\nc"


def test_a_view_of_fifty_megabytes_is_cut_to_its_limit() -> None:
    """The cut shows."""
    view = fit_view("x" * 50_000_000)

    assert view is not None
    assert len(view) == MAX_VIEW
    assert view.endswith("…")


def test_a_view_steers_no_terminal() -> None:
    """Handlers show what others wrote."""
    assert fit_view("a\x1b[31m\u202eb") == "a\ufffd[31m\ufffdb"


@pytest.mark.parametrize("rendered", [None, 7, b"bytes", ["a"]])
def test_what_is_no_text_is_no_view(rendered: Any) -> None:
    """It says what it was."""
    with pytest.raises(TypeError, match="render_result gave a value of type"):
        fit_view(rendered)


@pytest.mark.parametrize(
    ("result", "english", "chinese"),
    [
        (result_of(content={"a": 1}, view="3 rows"), "3 rows", "3 rows"),
        (result_of(content={"a": 1}), '{"a": 1}', '{"a": 1}'),
        (result_of(content="a\nb"), "a b", "a b"),
        (result_of(content=0), "0", "0"),
        (result_of(), "no content", "无内容"),
        (result_of(content="a", truncated=True), "a (cut)", "a（已截断）"),  # noqa: RUF001 -- Chinese
        (
            result_of(Outcome.FAILED, error=CallError.of(ErrorCode.DENIED, "Not\x1b now.")),
            "Not\ufffd now.",
            "Not\ufffd now.",
        ),
        (result_of(Outcome.LOST), "lost", "已丢失"),
    ],
)
def test_every_result_has_something_to_see(result: ToolResult, english: str, chinese: str) -> None:
    """Its own view, else its content in short, else its error."""
    assert (view_of(result), view_of(result, "zh-CN")) == (english, chinese)


def test_large_content_is_seen_in_short() -> None:
    """A generic view is a line or two."""
    assert len(view_of(result_of(content=["x" * 1_000_000]))) == 200


def test_only_a_view_that_is_there_is_kept() -> None:
    """Most results have none, and pay nothing for it."""
    seen = result_of(view="3 rows")

    assert "view" not in result_of().to_json()
    assert seen.to_json()["view"] == "3 rows"
    assert ToolResult.from_json(seen.to_json()) == seen


@pytest.mark.parametrize("word", ["adapter", "render_result"])
@pytest.mark.parametrize(
    ("function", "sentence"),
    [(render_async, "is async: it must be a plain function"), ("str", "is 'str': it must be a fu")],
)
def test_what_is_no_plain_function_cannot_shape_results(
    word: str, function: Any, sentence: str
) -> None:
    """It is told when the tool is made, not when a call ends."""
    with pytest.raises(ToolInvalid, match=f"sample: {word} {sentence}"):
        made(**{word: function})
