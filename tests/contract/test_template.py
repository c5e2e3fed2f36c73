"""Templates over arguments."""

from __future__ import annotations

from toolferry.template import fill, places


def test_a_template_shows_texts_bare_and_all_else_as_json() -> None:
    """People read a path without quotes."""
    said = fill("{path}: {limit}, {flags}", {"path": "a.txt", "limit": 3, "flags": [True]})

    assert said == "a.txt: 3, [true]"


def test_a_template_shortens_long_texts_and_joins_lines() -> None:
    """A display is one line."""
    said = fill("Write {text}", {"text": "one\ntwo " + "x" * 500})

    assert said.startswith("Write one two x")
    assert len(said) <= 90
    assert said.endswith("…")


def test_a_template_understands_no_attributes() -> None:
    """Arguments cannot reach into Python's objects."""
    assert fill("{a.__class__} {a[0]}", {"a": "x"}) == "… …"


def test_the_places_of_a_template_are_listed_once() -> None:
    """A place that stands twice is one."""
    assert places("{a} {b.c} {a}") == ("a", "b.c")
