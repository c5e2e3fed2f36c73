"""The language of the person at the terminal."""

from __future__ import annotations

import pytest

from toolferry_console.language import terminal_locale


@pytest.mark.parametrize(
    ("environment", "locale"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh-CN"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "zh_TW"}, "zh-TW"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": ""}, "en-US"),
        ({"LANG": "de_DE@euro", "LC_MESSAGES": ""}, "de-DE"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "\x1b[2J"}, "en"),
    ],
)
def test_the_first_variable_that_says_something_counts(
    environment: dict[str, str], locale: str
) -> None:
    """What names no language is English."""
    assert terminal_locale(environment) == locale
