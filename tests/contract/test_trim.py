"""What stays of a result that is too long for a model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contract.samples import made
from toolferry import ConversionFailed, Keep, ToolInvalid, Trim, estimate_tokens, shape
from toolferry.shaping import json_size
from toolferry.trim import trim_text

LOG = "\n".join(f"line {number}" for number in range(1_000))


def test_a_text_with_too_many_tokens_is_cut_to_as_many_as_may_be() -> None:
    """Its bytes would have had room."""
    shaped = shape(made(trim=Trim(max_tokens=50)), "word " * 1_000)

    assert shaped.truncated
    assert estimate_tokens(shaped.content) == 50


def test_chinese_counts_by_the_character() -> None:
    """By the bytes alone a model would get three times as much as of English."""
    shaped = shape(made(trim=Trim(max_tokens=50)), "港" * 1_000)

    assert shaped.content == "港" * 50


def test_the_end_of_a_log_can_be_what_stays() -> None:
    """And it shows how much is missing."""
    content = shape(made(max_result_bytes=200, trim=Trim(keep=Keep.TAIL)), LOG).content

    first, _, rest = content.partition("\n")
    assert first == f"[… {len(LOG) - len(rest):,} characters left out …]"
    assert LOG.endswith(rest)
    assert len(rest) > 100


def test_both_ends_of_a_text_can_stay() -> None:
    """Two thirds from the beginning, one from the end."""
    content = shape(made(max_result_bytes=200, trim=Trim(keep=Keep.ENDS)), LOG).content

    head, tail = content.split("\n[… ")[0], content.split("left out …]\n")[1]
    assert LOG.startswith(head)
    assert LOG.endswith(tail)
    assert len(head) == pytest.approx(2 * len(tail), abs=2)


def test_data_is_trimmed_as_its_json_text() -> None:
    """Also when its tokens alone are too many."""
    rows = [{"id": number} for number in range(100)]

    shaped = shape(made(trim=Trim(max_tokens=20, keep=Keep.TAIL)), rows)

    assert shaped.truncated
    assert shaped.content.endswith('{"id":99}]')


def test_a_result_within_its_tokens_is_kept_as_it_is() -> None:
    """It stays structured."""
    assert shape(made(trim=Trim(max_tokens=20)), {"a": [1, 2]}).content == {"a": [1, 2]}


def test_tokens_can_be_counted_by_a_tokenizer() -> None:
    """Words, say."""
    trim = Trim(max_tokens=16, count=lambda text: len(text.split()))

    assert shape(made(trim=trim), "one two " * 100).content.split() == ["one", "two"] * 8


def test_a_counter_that_fails_is_a_bad_result_without_its_words() -> None:
    """Its exception may hold what it counted."""

    def broken(text: str) -> int:
        raise ValueError(text)

    with pytest.raises(ConversionFailed) as caught:
        shape(made(trim=Trim(max_tokens=16, count=broken)), "hunter2" * 100)

    assert caught.value.reason == "has a counter of tokens that raised ValueError"


@given(
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=300),
    st.sampled_from(Keep),
    st.integers(60, 200),
)
def test_what_is_trimmed_fits_and_is_valid_text(text: str, keep: Keep, limit: int) -> None:
    """Whatever part stays, and whatever it is of."""
    trimmed = trim_text(text, keep, lambda part: json_size(part) <= limit, len(text))

    assert json_size(trimmed) <= limit
    assert trimmed.encode()


@pytest.mark.parametrize("tokens", [0, 15, -1])
def test_a_limit_in_which_no_sentence_has_room_is_refused(tokens: int) -> None:
    """It would hide everything."""
    with pytest.raises(ValueError, match="max_tokens is"):
        Trim(max_tokens=tokens)


def test_a_trim_that_is_none_is_refused_with_the_tools_name() -> None:
    """At once, and not at the first long result."""
    with pytest.raises(ToolInvalid, match="it must be a `Trim`"):
        made(trim=500)
