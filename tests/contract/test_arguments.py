"""Reading the arguments of a call, strictly."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolferry import ArgumentFault, CallError, ErrorCode, parse_arguments


def refused(text: Any) -> ArgumentFault:
    """Read arguments that cannot be read."""
    with pytest.raises(ArgumentFault) as caught:
        parse_arguments(text)
    return caught.value


@pytest.mark.parametrize(
    "nothing", [None, "", "  \n\t", "null", " null\n", b"", b"null", {}, "{}"], ids=repr
)
def test_nothing_means_no_arguments(nothing: Any) -> None:
    """Providers write it in many ways."""
    assert parse_arguments(nothing) == {}


def test_an_object_is_taken_as_it_is_and_copied() -> None:
    """Some servers send an object instead of its text."""
    sent = {"query": "notes", "deep": {"list": [1, None]}}

    read = parse_arguments(sent)
    assert read == sent
    assert read["deep"] is not sent["deep"]
    assert parse_arguments(MappingProxyType(sent)) == sent


def test_text_and_bytes_are_read_alike() -> None:
    """Bytes are UTF-8."""
    assert parse_arguments('{"a": "é"}') == parse_arguments('{"a": "é"}'.encode()) == {"a": "é"}


def test_integers_stay_exact() -> None:
    """An id past 2**53 is not rounded."""
    assert parse_arguments('{"id": 1234567890123456789}')["id"] == 1234567890123456789
    assert parse_arguments({"id": 9007199254740993})["id"] == 9007199254740993


def test_brackets_inside_of_texts_are_no_brackets() -> None:
    """A scanner reads the text, not a search for `}{`."""
    text = json.dumps({"text": 'use }{ and \\" ' + "[{" * 100})

    assert parse_arguments(text) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"ratio": NaN}', "NaN is no JSON number"),
        ('{"ratio": -Infinity}', "-Infinity is no JSON number"),
        ('{"ratio": 1e999}', "the number 1e999 is too large"),
        ('{"ratio": ' + "9" * 5_000 + "}", "a number has too many digits"),
        ('{"a": 1, "b": {"c": 1, "c": 2}}', 'the member "c" is there twice'),
        ('{"a": 1} and more', "there is more text after the value, at character 10"),
        ('{"a": 1}}', "there is more text after the value, at character 9"),
        ('{"a": 1} {oops', "there is more text after the value, at character 10"),
        ('{"a": 1} [1]', "there is more text after the value, at character 10"),
        ("[1] [2]", "there is more text after the value, at character 5"),
        ("[{}]", "one object is wanted, and this came: array of 1"),
        ('"{}"', "one object is wanted, and this came: string"),
        ("17", "one object is wanted, and this came: integer"),
        ("```json\n{}\n```", "expecting value at character 1"),
        ("Sure! {}", "expecting value at character 1"),
        ("{'a': 1}", "expecting property name enclosed in double quotes at character 2"),
        ('{"a": 1,}', "expecting property name enclosed in double quotes at character 9"),
        ('{"a": tru }', "expecting value at character 7"),
        ('{"a" 1}', "expecting ':' delimiter at character 6"),
        ('{"a": "\n"}', "invalid control character at at character 8"),
        ('{"a": "\\q"}', "invalid \\escape"),
        ("\ufeff{}", "expecting value at character 1"),
        (b'{"a": "\xff"}', "byte 8 is no UTF-8"),
        ('{"a": "\\ud83d"}', "half a character"),
        ('{"a": "\ud83d"}', "half a character"),
        ({"a": "\ud83d"}, "half a character"),
        ({"a": float("nan")}, "the object holds what JSON cannot"),
        ({"a": object()}, "the object holds what JSON cannot"),
        ([1], "one object is wanted, and this came: array of 1"),
        (7, "one object is wanted, and this came: integer"),
    ],
)
def test_what_is_no_json_object_is_refused_with_what_and_where(text: Any, sentence: str) -> None:
    """The model is told enough to send it right."""
    fault = refused(text)

    assert fault.code is ErrorCode.INVALID_JSON
    assert sentence in fault.message
    assert fault.message.startswith("The arguments are no valid JSON object: ")


def test_whole_surrogate_pairs_are_characters() -> None:
    """An escaped emoji is no half of anything."""
    assert parse_arguments('{"a": "\\ud83d\\ude00"}') == {"a": "😀"}


@pytest.mark.parametrize(
    "text",
    ['{"a": 1}{"a": 2}', '{"a": 1}\n{"a": 1}', '{"a": 1}, {"b": 2}', '{"a": "}{"} {} {}'],
)
def test_several_objects_are_refused_as_such(text: str) -> None:
    """None of them is picked."""
    fault = refused(text)

    assert fault.code is ErrorCode.MULTIPLE_OBJECTS
    assert fault.message.startswith("The arguments are several objects; the first ends at char")


WHOLE = '{"path": "a\\u00e9\\n", "n": [-1.5e+3, true, false, null, {"x": {}}]} '


@pytest.mark.parametrize("end", range(1, len(WHOLE) - 1))
def test_a_text_that_ends_anywhere_inside_is_truncated(end: int) -> None:
    """Every beginning of a valid object, however short, is told apart from a wrong one."""
    assert refused(WHOLE[:end]).code is ErrorCode.TRUNCATED


def test_a_text_that_ends_inside_of_a_second_object_is_no_single_object() -> None:
    """The first is whole, so it is not just cut off."""
    assert refused('{"a": 1}{"a": ').code is ErrorCode.INVALID_JSON


@pytest.mark.parametrize("text", ['{"a": x', "{tru", '{"a": 1 b', '{"a" tr', "{nul"])
def test_a_wrong_text_that_also_ends_early_is_invalid(text: str) -> None:
    """No continuation could make it right."""
    assert refused(text).code is ErrorCode.INVALID_JSON


@pytest.mark.parametrize("depth", [65, 5_000, 200_000])
def test_arguments_that_are_too_deep_are_refused(depth: int) -> None:
    """Never a RecursionError, whether they end or not."""
    text = '{"a": ' + "[" * (depth - 1) + "]" * (depth - 1) + "}"

    assert refused(text).code is ErrorCode.TOO_DEEP
    assert refused(text[:depth]).code in (ErrorCode.TOO_DEEP, ErrorCode.TRUNCATED)


def test_arguments_may_be_sixty_four_levels_deep() -> None:
    """The limit itself is allowed, and many brackets beside each other are not deep."""
    deepest = '{"a": ' + "[" * 63 + "]" * 63 + "}"

    assert parse_arguments(deepest)["a"]
    assert len(parse_arguments('{"a": [' + "[], " * 999 + "[]]}")["a"]) == 1_000


def test_an_object_that_is_too_deep_or_holds_itself_is_refused() -> None:
    """It did not come as text, and is judged alike."""
    endless: dict[str, Any] = {}
    endless["a"] = [endless, endless]

    assert refused(endless).code is ErrorCode.TOO_DEEP


def test_a_fault_gives_the_error_of_the_result() -> None:
    """With the defaults of its code."""
    fault = refused('{"a"')

    assert fault.error() == CallError.of(ErrorCode.TRUNCATED, fault.message)
    assert str(fault) == f"truncated: {fault.message}"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8"), max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=3), inner, max_size=3)
    ),
    max_leaves=10,
)
OBJECTS = st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=3), JSON, max_size=4)


@settings(max_examples=60, deadline=None)
@given(data=OBJECTS, ascii_only=st.booleans())
def test_every_json_object_is_read_as_python_reads_it(
    data: dict[str, Any],
    *,
    ascii_only: bool,
) -> None:
    """Strictness refuses nothing that is right."""
    text = json.dumps(data, ensure_ascii=ascii_only)

    assert parse_arguments(text) == data
    assert parse_arguments(data) == data


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet='{}[]",:0123456789eE+-.\\untrfals ', max_size=30) | st.binary(max_size=20))
def test_any_text_is_read_or_refused(text: str | bytes) -> None:
    """Nothing else than a fault ever comes out."""
    try:
        read: object = parse_arguments(text)
    except ArgumentFault as fault:
        read = fault.error()

    assert isinstance(read, dict | CallError)
