"""From what a handler returned to the content of a result, within its tool's limits."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contract.samples import made
from toolferry import (
    Answer,
    CancelCall,
    ConversionFailed,
    ErrorCode,
    RetryCall,
    ToolError,
    shape,
)
from toolferry.shaping import cut_text, json_size
from toolferry.wording import json_text


def refused(value: Any, **fields: Any) -> ConversionFailed:
    """Shape what cannot become a result."""
    with pytest.raises(ConversionFailed) as caught:
        shape(made(**fields), value)
    return caught.value


@pytest.mark.parametrize("value", [None, "", "text", 0, [1, None], {"a": {"b": True}}])
def test_small_content_is_kept_as_it_is(value: Any) -> None:
    """It stays structured, and is not marked."""
    assert shape(made(), value) == Answer(content=value)


def test_an_answer_keeps_what_its_handler_says() -> None:
    """Source, cursor and mark go into the result, the content is converted."""
    given_ = Answer(content={"b", "a"}, truncated=True, next_cursor="p2", source="table:orders")

    assert shape(made(), given_) == Answer(
        content=["a", "b"], truncated=True, next_cursor="p2", source="table:orders"
    )


def test_a_long_text_is_cut_between_two_characters_and_marked() -> None:
    """What is left is the beginning, as long as fits."""
    shaped = shape(made(max_result_bytes=20), "é" * 1_000)

    assert shaped == Answer(content="é" * 9, truncated=True)
    assert json_size(shaped.content) == 20


def test_large_data_is_cut_as_its_json_text() -> None:
    """The model sees the beginning, and that it is one."""
    rows = [{"id": n} for n in range(1_000)]

    shaped = shape(made(max_result_bytes=100), rows)
    assert shaped.truncated
    assert json_text(rows).startswith(shaped.content)
    assert 98 <= json_size(shaped.content) <= 100


def test_a_text_of_twenty_megabytes_is_cut_without_being_converted() -> None:
    """Much text is no fault, only too much for a model."""
    shaped = shape(made(max_result_bytes=1_000_000), "x" * 20_000_000)

    assert shaped == Answer(content="x" * 999_998, truncated=True)


@pytest.mark.parametrize("value", ["x" * 50_000_000, ["x" * 1_000_000] * 50])
def test_fifty_megabytes_are_refused(value: Any) -> None:
    """Nobody meant to return that."""
    assert refused(value).code is ErrorCode.RESULT_TOO_LARGE


def test_half_characters_of_a_cut_text_are_replaced() -> None:
    """The beginning is valid text too."""
    assert shape(made(max_result_bytes=16), "\ud83d" * 100).content == "\ufffd" * 4


def test_the_adapter_decides_what_the_model_sees() -> None:
    """It gets what the handler returned, before conversion, and may give an answer."""
    tool = made(adapter=lambda rows: Answer(content=len(rows), source="count"))

    assert shape(tool, {1, 2, 3}) == Answer(content=3, source="count")


def test_an_adapter_that_fails_is_a_bad_result_without_its_words() -> None:
    """Its exception may hold a secret."""
    error = refused({"password": "hunter2"}, adapter=lambda value: value["hunter2"])

    assert error.reason == "has a result adapter that raised KeyError"
    assert "hunter2" not in str(error)


@pytest.mark.parametrize(
    "signal", [ToolError("no_rows", "There are none."), RetryCall(), CancelCall("gone")]
)
def test_an_adapter_may_speak_like_a_handler(signal: Exception) -> None:
    """Its signals pass."""

    def speak(_: Any) -> None:
        raise signal

    with pytest.raises(type(signal)):
        shape(made(adapter=speak), 1)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer(next_cursor=7), "returned a value of type int as next_cursor"),  # type: ignore[arg-type]  # the fault
        (Answer(source="x" * 5_000), "returned 5,000 characters as source"),
    ],
)
def test_a_cursor_or_source_that_is_no_short_text_is_refused(answer: Answer, reason: str) -> None:
    """They are no place for content."""
    assert refused(answer).reason.startswith(reason)


def test_what_cannot_be_converted_is_refused() -> None:
    """With the tool's name and the type."""
    assert refused(object()).code is ErrorCode.BAD_RESULT


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=40), st.integers(2, 60))
def test_a_cut_text_is_the_longest_beginning_that_fits(text: str, limit: int) -> None:
    """Escapes and wide characters are counted as JSON writes them."""
    cut = cut_text(text, limit)

    assert text.startswith(cut)
    assert json_size(cut) <= limit
    assert cut == text or json_size(text[: len(cut) + 1]) > limit


def test_texts_longer_than_one_piece_are_cut_exactly() -> None:
    """The piece in which the limit lies is found, whatever it holds."""
    text = '"é\n' * 10_000

    cut = cut_text(text, 50_000)
    assert text.startswith(cut)
    assert 49_998 <= len(json.dumps(cut, ensure_ascii=False).encode()) <= 50_000
