"""The phrases: what the program tells people about calls, in the languages that it speaks.

One file a language, the same keys in each. What a model reads is not here: models read English.
"""

from __future__ import annotations

from toolferry.phrases.choice import ENGLISH, LANGUAGES, Phrases, phrases_in

__all__ = ["ENGLISH", "LANGUAGES", "Phrases", "phrases_in"]
