"""Input files: read, or refused in one sentence that names the file."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from toolferry import Context
from toolferry_console.errors import InputUnreadable
from toolferry_console.reading import read_context, read_json


def written(folder: Path, text: str) -> str:
    """Write a file and give its name."""
    path = folder / "input.json"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """The sentence says which file is not there."""
    missing = str(tmp_path / "nowhere.json")

    with pytest.raises(InputUnreadable) as caught:
        read_json(missing)

    assert str(caught.value) == f"{missing}: no such file or directory"


def test_broken_json_is_told_with_its_place(tmp_path: Path) -> None:
    """The sentence says the line and the column."""
    source = written(tmp_path, '{\n "choices": [,]}')

    with pytest.raises(InputUnreadable, match=r"is no JSON: .* at line 2, column 14"):
        read_json(source)


def test_a_number_of_thousands_of_digits_is_refused(tmp_path: Path) -> None:
    """Python reads none of more than 4,300; that is an error of its own kind."""
    source = written(tmp_path, f'{{"a": {"1" * 5_000}}}')

    with pytest.raises(InputUnreadable, match="holds a number of more digits than are read"):
        read_json(source)


def test_json_nested_beyond_reason_is_refused(tmp_path: Path) -> None:
    """A file of a hundred thousand brackets is an error, not a crash."""
    source = written(tmp_path, "[" * 100_000)

    with pytest.raises(InputUnreadable, match="nested too deeply"):
        read_json(source)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    """The sentence says where the text stops being UTF-8."""
    path = tmp_path / "input.json"
    path.write_bytes(b'"\xff"')

    with pytest.raises(InputUnreadable, match="no UTF-8 text"):
        read_json(str(path))


def test_a_dash_means_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` reads what is piped in."""
    monkeypatch.setattr("sys.stdin", io.StringIO('{"a": 1}'))

    assert read_json("-") == {"a": 1}


@pytest.fixture(autouse=True)
def no_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be on a terminal that names no language."""
    monkeypatch.setenv("LC_ALL", "C")


def test_without_a_file_the_context_is_the_default() -> None:
    """Nobody in particular asks."""
    assert read_context(None) == Context()


def test_a_context_is_read_from_its_file(tmp_path: Path) -> None:
    """The identity comes from the application's file."""
    source = written(tmp_path, '{"principal": "ada", "roles": ["admin"]}')

    assert read_context(source) == Context(principal="ada", roles=frozenset({"admin"}))


@pytest.mark.parametrize(
    ("text", "locale"), [(None, "zh-CN"), ("{}", "zh-CN"), ('{"locale": "de"}', "de")]
)
def test_who_watches_reads_the_terminals_language_unless_the_file_says_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None, locale: str
) -> None:
    """The person at the terminal is the one who reads."""
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")

    source = None if text is None else written(tmp_path, text)
    assert read_context(source).locale == locale


def test_an_unknown_key_of_a_context_is_named(tmp_path: Path) -> None:
    """A misspelt right is an error, never silently no right."""
    source = written(tmp_path, '{"role": ["admin"]}')

    with pytest.raises(InputUnreadable, match="role is not known"):
        read_context(source)


def test_a_context_that_is_no_object_is_refused(tmp_path: Path) -> None:
    """A list is no identity."""
    with pytest.raises(InputUnreadable, match="a context is a JSON object"):
        read_context(written(tmp_path, "[]"))
