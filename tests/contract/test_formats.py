"""The formats that are checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolferry.formats import CHECKED_FORMATS, FORMAT_CHECKER, FORMAT_EXAMPLES
from toolferry.validator import ArgumentValidator

GOOD = {
    "date": ["2025-11-29", "2024-02-29"],
    "date-time": ["2025-11-29T20:00:00Z", "2025-11-29t20:00:00.123+05:30", "2025-11-29 20:00:00z"],
    "duration": ["PT1H30M", "P3D", "P1Y2M", "P2W", "PT0.5S", "-PT5M"],
    "email": ["ada@example.org", "a.b+c@sub.example.org", "ada@localhost"],
    "hostname": ["example.org", "a", "xn--bcher-kva.example", "1.2.3"],
    "ipv4": ["192.0.2.1"],
    "ipv6": ["::1", "2001:db8::192.0.2.1"],
    "time": ["20:00:00", "20:00:00.5Z", "20:00:00-08:00"],
    "uri": ["https://example.org/a?b=%20#c", "mailto:ada@example.org", "urn:isbn:123"],
    "uuid": ["7f6c0a52-9d4f-4d0c-9f05-2f0f5a3b8f11", "7F6C0A52-9D4F-4D0C-9F05-2F0F5A3B8F11"],
}
BAD = {
    "date": ["2025-02-30", "25-11-29", "2025-11-29T00:00:00Z", "20251129", "٢٠٢٥-11-29"],
    "date-time": ["2025-11-29T20:00:00", "2025-11-29", "2025-11-29T25:00:00Z", "", "2025-11-29TZ"],
    "duration": ["P", "PT", "1h", "P1H", "PT1H ", ""],
    "email": ["ada", "ada@", "@x", "a b@x.org", "Ada <ada@example.org>", "a..b@x.org", ".a@x.org"],
    "hostname": ["", "-a", "a-", "a..b", "a_b", "a" * 64, "a." * 130, "ä.org"],
    "ipv4": ["192.0.2.256", "192.0.2", "1.2.3.4/8", "01.2.3.4"],
    "ipv6": ["fe80::1%eth0", "12345::", "::1::"],
    "time": ["2 pm", "24:00:00", "20:60:00", "20:00:60", "20:00:00+24:00", "20:00:00+05:60"],
    "uri": ["example.org", "/a", "http://a b", "http://[::1", "x:%zz", "http://a:99999", "ht tp:x"],
    "uuid": ["7f6c0a52", "7f6c0a529d4f4d0c9f052f0f5a3b8f11", "g" * 36],
}


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in GOOD.items() for text in texts]
)
def test_a_text_of_the_format_passes(name: str, text: str) -> None:
    """What the standard allows is not refused."""
    assert CHECKED_FORMATS[name](text)
    assert FORMAT_CHECKER.conforms(text, name)


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in BAD.items() for text in texts]
)
def test_a_text_that_is_not_of_the_format_does_not_pass(name: str, text: str) -> None:
    """Near misses are told apart."""
    assert not CHECKED_FORMATS[name](text)
    assert not FORMAT_CHECKER.conforms(text, name)


def test_every_checked_format_has_its_tests_and_an_example() -> None:
    """A model that is told a format sees what it looks like."""
    assert set(GOOD) == set(BAD) == set(CHECKED_FORMATS) == set(FORMAT_EXAMPLES)
    assert all(CHECKED_FORMATS[name](text) for name, text in FORMAT_EXAMPLES.items())


def test_a_text_of_a_model_is_never_compiled_as_a_regex() -> None:
    """Some take seconds to compile, and some are right in another language than Python."""
    schema = {"properties": {"a": {"type": "string", "format": "regex"}}}

    for text in ("(?i)" + "[\u0100-\uffff]x" * 1_000, "(?<year>\\d{4})", "(" * 1_000):
        assert ArgumentValidator("find", schema).faults({"a": text}) == ()


def test_the_page_about_errors_names_the_formats_that_are_checked() -> None:
    """A developer need not read the code to know."""
    page = (Path(__file__).parents[2] / "docs" / "errors.md").read_text(encoding="utf-8")

    assert all(f"`{name}`" in page for name in CHECKED_FORMATS)


def test_other_formats_and_other_types_pass() -> None:
    """A format is about texts, and one that is not listed is a note."""
    assert FORMAT_CHECKER.conforms("anything", "idn-email")
    assert FORMAT_CHECKER.conforms(5, "date")
