"""What the program tells people, in each language that it speaks."""

from __future__ import annotations

from string import Formatter

import pytest

from toolferry import CallState
from toolferry.phrases import ENGLISH, LANGUAGES, Phrases, phrases_in


def places_of(text: str) -> set[str | None]:
    """List the places of a phrase."""
    return {place for _, place, _, _ in Formatter().parse(text) if place is not None}


@pytest.mark.parametrize("phrases", LANGUAGES.values(), ids=list(LANGUAGES))
def test_every_language_has_the_same_phrases_with_the_same_places(phrases: Phrases) -> None:
    """None is forgotten in a translation, and none is empty."""
    assert {key: places_of(text) for key, text in phrases.texts.items()} == {
        key: places_of(text) for key, text in ENGLISH.texts.items()
    }
    assert all(phrases.texts.values())


@pytest.mark.parametrize("phrases", LANGUAGES.values(), ids=list(LANGUAGES))
@pytest.mark.parametrize("state", CallState)
def test_every_state_has_its_word(phrases: Phrases, state: CallState) -> None:
    """A new state needs one in each language."""
    assert f"state.{state}" in phrases.texts


@pytest.mark.parametrize("state", CallState)
def test_the_english_words_are_those_of_the_glossary(state: CallState) -> None:
    """One word, one meaning, on the screen too."""
    assert ENGLISH.word("state", state) == state.value


def test_phrases_are_chosen_by_locale() -> None:
    """A reader of Chinese in any country reads Chinese."""
    assert phrases_in("zh-Hans-CN").word("state", "running") == "运行中"
    assert phrases_in("zh-TW").count("call", 2) == "2 个调用"
    assert phrases_in("de").count("call", 1) == "1 call"


def test_a_value_is_never_taken_for_a_place() -> None:
    """What a model wrote cannot reach into a phrase."""
    said = ENGLISH.say("about", display="{call_id}", call_id="{0.__class__}", said="x")

    assert said == "{call_id} ({0.__class__}): x"
