"""Dialects: what is declared of a server is done, and what cannot be meant is refused."""

from __future__ import annotations

from typing import Any

import pytest

from toolferry import ConfigurationError
from toolferry_dispatcher import Dialect, alias
from toolferry_dispatcher.providers import IdForm, MediaKind, StrictTools, forget_provider


def test_words_may_be_given_as_plain_text() -> None:
    """As those of a conversation may."""
    given: Any = {"strict": "none", "media": ["image"], "refused": ["reasoning"]}

    dialect = Dialect(**given)

    assert dialect.strict is StrictTools.NONE
    assert dialect.media == {MediaKind.IMAGE}
    assert dialect.refused == {"reasoning"}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"strict": "never"}, "dialect.strict: 'never' is none of none, each, all"),
        ({"strict": None}, "dialect.strict: None is none of none, each, all"),
        ({"media": {"pictures"}}, "dialect.media: 'pictures' is none of image, audio, video, file"),
        ({"media": "image"}, "dialect.media: must be a set of names, not 'image'"),
        ({"refused": "reasoning"}, "dialect.refused: must be a set of names, not 'reasoning'"),
        ({"call_id": "call_"}, "dialect.call_id: must be an IdForm, not 'call_'"),
    ],
)
def test_what_is_no_word_is_refused_in_one_sentence(given: dict[str, Any], sentence: str) -> None:
    """When it is declared, and not when a turn goes wrong."""
    with pytest.raises(ConfigurationError) as refused:
        Dialect(**given)

    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("dialect", "name"),
    [
        (Dialect(parallel_calls=False), "parallel_calls"),
        (Dialect(refused=frozenset({"thought"})), "refused"),
        (Dialect(call_id=IdForm("x+", "x", 4)), "call_id"),
        (Dialect(arguments_as_text=False), "arguments_as_text"),
        (Dialect(null_content=False), "null_content"),
    ],
)
def test_a_difference_that_a_format_does_not_go_by_is_refused(dialect: Dialect, name: str) -> None:
    """To take it would be to pass it over without a word."""
    with pytest.raises(ConfigurationError, match=rf"dialect\.{name}: is no difference"):
        alias("my-gemini", "gemini", dialect)


def test_a_difference_that_gemini_has_is_taken() -> None:
    """Its strict mode, its streams, and what it shows."""
    dialect = Dialect(strict=StrictTools.NONE, streams=False, media=frozenset({MediaKind.AUDIO}))

    try:
        assert alias("my-gemini", "gemini", dialect).name == "my-gemini"
    finally:
        forget_provider("my-gemini")
