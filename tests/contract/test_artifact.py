"""What is kept of a result that was cut, and the places in it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contract.samples import made
from toolferry import MAX_ARTIFACT_BYTES, Answer, Artifact, Cursor, Keep, Trim, shape_whole

LONG = "".join(f"{number} 码头\n" for number in range(100))


def kept_of(value: Any, **fields: Any) -> Artifact | None:
    """Shape a value, and give what is kept of it."""
    return shape_whole(made(**fields), value).artifact


@given(st.text(min_size=60), st.sampled_from(Keep))
def test_what_is_kept_is_the_whole_and_begins_with_what_was_told(text: str, keep: Keep) -> None:
    """Up to where reading goes on, whichever part was told."""
    shaped = shape_whole(made(max_result_bytes=50, trim=Trim(keep=keep)), text)

    artifact = shaped.artifact
    assert artifact is not None
    whole = artifact.text.decode()
    assert whole == text
    assert shaped.answer.content[: artifact.goes_on] == whole[: artifact.goes_on]


@pytest.mark.parametrize("keep", Keep)
def test_data_is_kept_as_json_text(keep: Keep) -> None:
    """The way it was cut."""
    artifact = kept_of({"lines": ["a"] * 50}, max_result_bytes=50, trim=Trim(keep=keep))

    assert artifact is not None
    assert artifact.text == b'{"lines":[' + b",".join([b'"a"'] * 50) + b"]}"


def test_what_was_not_cut_is_not_kept() -> None:
    """Also when its handler says that it is a part."""
    assert kept_of(Answer(content=LONG, truncated=True)) is None


def test_what_is_taken_out_of_a_result_is_not_kept() -> None:
    """Wherever in it it stands."""
    treated: list[Any] = []

    def treat(data: Any) -> Any:
        treated.append(data)
        return data.replace("pin-77", "[pin]")

    tool = made(redact=(re.compile("iban-[0-9]+"),), max_result_bytes=50)

    artifact = shape_whole(tool, f"{LONG}iban-123 pin-77", treat).artifact

    assert artifact is not None
    assert artifact.text.decode() == f"{LONG}[redacted] [pin]"
    assert treated == [f"{LONG}[redacted] pin-77"]


@pytest.mark.parametrize("text", ["x" * 5_000_000, "港" * 1_000_000, "👩" * 3_000_000])
def test_of_a_very_long_result_the_beginning_is_kept_and_says_so(text: str) -> None:
    """Within its limit, and no half character."""
    artifact = kept_of(text)

    assert artifact is not None
    kept, _, note = artifact.text.decode().partition("\n[… ")
    assert text.startswith(kept)
    assert MAX_ARTIFACT_BYTES - 4 < len(kept.encode()) <= MAX_ARTIFACT_BYTES
    assert note == f"{len(text) - len(kept):,} characters were not kept …]"


def test_half_characters_are_kept_as_what_stands_for_them() -> None:
    """One for one, so that no place moves."""
    artifact = kept_of("\ud83d" * 100, max_result_bytes=50)

    assert artifact is not None
    assert artifact.text.decode() == "\ufffd" * 100


@pytest.mark.parametrize(
    "cursor", [Cursor("t:0"), Cursor("a:1@2:0", 7), Cursor("x y:9\n:3", 10**9 - 1)]
)
def test_a_cursor_survives_its_text(cursor: Cursor) -> None:
    """Whatever its turn is called."""
    assert Cursor.read(str(cursor)) == cursor
