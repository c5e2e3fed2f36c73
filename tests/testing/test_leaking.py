"""Leaking on purpose: nobody does it by accident."""

from __future__ import annotations

import pytest

from toolferry_policies import is_kept
from toolferry_testing.leaking import SENTENCE, leak_secrets


@pytest.mark.parametrize("said", ["", "yes", "1", SENTENCE.upper()])
def test_secrets_leak_only_for_who_says_so_word_for_word(said: str) -> None:
    """Anything else is refused, and changes nothing."""
    with pytest.raises(ValueError, match="word for word"):
        leak_secrets(said)

    assert is_kept()
