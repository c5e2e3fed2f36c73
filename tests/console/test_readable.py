"""The readable report, and what calls are about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.console.responses import calling
from tests.console.test_report import REFUSED, SUCCEEDED, a_report
from toolferry import Registry, tool
from toolferry.phrases import ENGLISH, LANGUAGES
from toolferry_console.displays import displays_of
from toolferry_console.readable import result_lines, summary_line
from toolferry_dispatcher import Dispatcher, TurnState
from toolferry_ledger import Settings

DISPLAYS = {"call_1": "Add 1 and 2", "call_2": "Add nothing"}


@tool(display={"en": "Read {path}", "zh": "读取 {path}"})
def read_file(path: str) -> str:
    """Read a file."""
    return path


def test_each_result_is_told_by_what_it_was_about() -> None:
    """A view on its line, an error as its sentence."""
    lines = list(result_lines([SUCCEEDED, REFUSED], DISPLAYS, ENGLISH))

    assert lines == ['Add 1 and 2 (call_1): {"sum": 3}', "Add nothing (call_2): a is missing"]


def test_a_view_of_several_lines_stands_below() -> None:
    """Indented, so that the calls can be told apart."""
    seen = replace(SUCCEEDED, view="a\nb")

    assert list(result_lines([seen], DISPLAYS, ENGLISH)) == ["Add 1 and 2 (call_1):", "  a\n  b"]


@pytest.mark.parametrize("state", TurnState)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_state_of_a_turn_has_its_word(state: TurnState, language: str) -> None:
    """A new state needs one in each language."""
    assert f"turn.{state}" in LANGUAGES[language].texts


def test_the_last_line_sums_up() -> None:
    """The turn, its state, its calls."""
    line = summary_line(a_report(TurnState.COMPLETE, SUCCEEDED, REFUSED), ENGLISH)

    assert line == "turn t1: complete, 2 calls, 1 succeeded, 1 failed"


@pytest.mark.parametrize(
    ("call", "display"),
    [
        (("read_file", {"path": "a.txt"}), "读取 a.txt"),
        (("read_file", {"path": "\x1b[2J" + "x" * 1_000_000}), "读取 \ufffd[2Jxxx"),
        (("read_file", {"pfad": "a.txt"}), "读取 …"),
        (("read_file", {"path": {"a": [None]}}), '读取 {"a": [null]}'),
        (("nobody\x1b[2J", {}), "nobody\ufffd[2J"),
    ],
)
def test_every_call_of_a_response_is_about_something(
    settings: Settings, call: tuple[str, dict[str, Any]], display: str
) -> None:
    """Also one that is refused, or of a tool that nobody has."""
    registry = Registry([read_file])
    response = calling(call)

    with Dispatcher(registry, settings) as dispatcher:
        [told] = displays_of(dispatcher.dispatch(response), response, registry, "zh-CN")

    assert told.startswith(display)
    assert len(told) <= 80
