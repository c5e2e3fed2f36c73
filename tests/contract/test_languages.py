"""The choice of a language."""

from __future__ import annotations

import pytest

from toolferry.languages import closest, is_language


@pytest.mark.parametrize(
    ("wanted", "languages", "chosen"),
    [
        ("zh-Hans-CN", ["en", "zh", "zh-Hans"], "zh-Hans"),
        ("zh-Hans-CN", ["en", "zh"], "zh"),
        ("ZH-hans-cn", ["en", "zh"], "zh"),
        ("zh", ["en", "zh-Hant"], "zh-Hant"),
        ("zh-CN", ["fr", "en"], "en"),
        ("zh-CN", ["fr", "de"], "fr"),
        ("", ["fr", "en"], "en"),
        ("en-GB", ["zh"], "zh"),
        ("-" * 1_000_000, ["zh", "en"], "en"),
    ],
)
def test_the_closest_language_is_chosen(wanted: str, languages: list[str], chosen: str) -> None:
    """Shorter and shorter, then another form, then English, then the first."""
    assert closest(wanted, languages) == chosen


@pytest.mark.parametrize("tag", ["zh_CN", "", "c", "zh-", "chinesisch-", "z h", "zh\n"])
def test_what_is_no_tag_is_told(tag: str) -> None:
    """A misspelt tag would never be chosen."""
    assert not is_language(tag)
