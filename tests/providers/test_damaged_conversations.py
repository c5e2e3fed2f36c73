"""Stored conversations of which anything may be broken: what mending makes of them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings

from tests.providers.damage import blows, damaged, rounds, stored
from tests.providers.test_generated import FORMATS
from toolferry_dispatcher.transcripts import WireRule, lint_messages, mend_messages

_TEXTS = re.compile(r"(?:said|told|asked|sent)-[0-9-]+\b")


def require_mended(name: str, messages: list[Any]) -> None:
    """Require that mending is done once, finds all, and loses nothing that was said."""
    mended = mend_messages(messages, name)

    assert json.dumps(mend_messages(mended, name)) == json.dumps(mended)
    left = {fault.rule for fault in lint_messages(mended, name)}
    # What cannot be read stays as it is, with all that belongs to it.
    assert left <= {WireRule.UNREADABLE}
    assert _said(messages) <= _said(mended)


def _said(messages: list[Any]) -> set[str]:
    return set(_TEXTS.findall(json.dumps(messages)))


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=15, derandomize=True)
@given(rounds=rounds, blows=blows)
def test_a_damaged_conversation_is_mended_once_and_for_all(
    name: str, rounds: list[list[tuple[str, str]]], blows: list[Any]
) -> None:
    """Whatever stands at any place of it."""
    require_mended(name, damaged(stored(name, rounds), blows))


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=1500)
@given(rounds=rounds, blows=blows)
def test_every_one_of_many_damaged_conversations_is_mended(
    name: str, rounds: list[list[tuple[str, str]]], blows: list[Any]
) -> None:
    """As before, with more of them."""
    require_mended(name, damaged(stored(name, rounds), blows))
