"""What people read of one call: the tool's display, filled."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.samples import made
from toolferry import Registry, ToolInvalid

BOTH = {"en": "Read {path}", "zh": "读取 {path}"}
PATH = {"properties": {"path": {"type": "string"}}}
SECRETIVE = {
    "properties": {
        "path": {"type": "string"},
        "login": {"type": "object", "properties": {"token": {"writeOnly": True}}},
    }
}


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("zh-Hans-CN", "读取 a.txt"),
        ("zh", "读取 a.txt"),
        ("en-GB", "Read a.txt"),
        ("sv", "Read a.txt"),
    ],
)
def test_a_display_is_told_in_the_language_of_who_reads_it(locale: str, said: str) -> None:
    """The closest language that the tool speaks."""
    assert made(PATH, display=BOTH).describe({"path": "a.txt"}, locale) == said


def test_a_display_in_one_language_is_for_everybody() -> None:
    """A plain text has no language."""
    assert made(PATH, display="Read {path}").describe({"path": "a"}, "zh") == "Read a"


def test_a_tool_without_a_display_is_told_by_its_name() -> None:
    """In every language."""
    assert made().describe({"a": 1}, "zh") == "sample"


def test_a_template_that_names_a_missing_argument_in_one_language_is_refused() -> None:
    """The sentence names the language and the place."""
    tool = made(PATH, display={"en": "Read {path}", "zh": "读取 {lujing}"})

    with pytest.raises(ToolInvalid) as refused:
        Registry([tool])

    assert str(refused.value) == ("sample: display['zh'] names {lujing}, which is no parameter")


@pytest.mark.parametrize(
    ("display", "sentence"),
    [
        ({}, "display has no language: give one at least, or leave it out"),
        ({"zh_CN": "x"}, "display names the language 'zh_CN': write it as in BCP 47"),
        ({7: "x"}, "display names the language 7: write it"),
        ({"en": None}, r"display\['en'\] is None: it must be a text, such as 'Read {path}'"),
        (["Read"], r"display is \['Read'\]: it must be a text"),
    ],
)
def test_what_is_no_display_is_refused(display: Any, sentence: str) -> None:
    """One clear sentence, when the tool is made."""
    with pytest.raises(ToolInvalid, match=sentence):
        made(PATH, display=display)


def test_nobody_can_change_a_display_from_outside() -> None:
    """The tool keeps a copy."""
    given = dict(BOTH)
    tool = made(PATH, display=given)

    given["en"] = "Delete {path}"
    assert tool.describe({"path": "a"}) == "Read a"


def test_an_argument_full_of_control_characters_steers_no_terminal() -> None:
    """They show as unknown characters, on one line."""
    said = made(PATH, display="Read {path}").describe({"path": "a\x1b[2J\x9b\u202eb\n\rc\x00"})

    assert said == "Read a\ufffd[2J\ufffd\ufffdb c\ufffd"


@pytest.mark.parametrize(
    "value", ["x" * 1_000_000, ["x" * 1_000_000], {"a": "y" * 1_000_000}, [[]] * 500_000]
)
def test_an_argument_of_a_megabyte_is_shortened(value: Any) -> None:
    """A display stays a line."""
    said = made({"properties": {"path": {}}}, display="Read {path}").describe({"path": value})

    assert len(said) <= 90
    assert said.endswith("…")


def test_a_deeply_nested_argument_is_a_line_too() -> None:
    """However deep it goes."""
    value: Any = "x"
    for _ in range(5_000):
        value = [value]

    said = made({"properties": {"path": {}}}, display="Read {path}").describe({"path": value})
    assert len(said) <= 90


def test_a_missing_argument_shows_its_default() -> None:
    """That is what the call runs with."""
    schema = {"properties": {"limit": {"default": 10}, "path": {}}}

    said = made(schema, display="{path}: {limit}").describe({})
    assert said == "…: 10"


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{path} as {login.token}", "a.txt as …"),
        ("{path} by {login}", "a.txt by …"),
    ],
)
def test_secrets_stay_out(template: str, said: str) -> None:
    """Also inside an object that is named as a whole, under whatever name there."""
    login = {"token": "hunter2", "tokn": "hunter2"}

    assert made(SECRETIVE, display=template).describe({"path": "a.txt", "login": login}) == said


def test_arguments_that_do_not_fit_are_told_all_the_same() -> None:
    """People see refused calls too."""
    assert made(SECRETIVE, display="{path}: {login.token}").describe({"login": 7}) == "…: …"
