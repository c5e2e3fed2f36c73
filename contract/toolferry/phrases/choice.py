"""Phrases of one language, and the choice among the languages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from toolferry.languages import closest
from toolferry.phrases import en, zh


@dataclass(frozen=True, slots=True)
class Phrases:
    """What the program says to people, in one language."""

    #: As BCP 47.
    language: str
    texts: Mapping[str, str]

    def say(self, key: str, **values: object) -> str:
        """Give a phrase with its places filled.

        Raises:
            KeyError: There is no phrase of this key, or a place is left empty.

        >>> ENGLISH.say("ran", seconds="0.75 s")
        'ran 0.75 s'
        """
        return self.texts[key].format(**values)

    def count(self, noun: str, number: int) -> str:
        """Say how many there are of something: "call", "attempt".

        >>> ENGLISH.count("call", 1), ENGLISH.count("call", 2)
        ('1 call', '2 calls')
        """
        return self.say(f"{noun}.{'one' if number == 1 else 'many'}", number=number)

    def word(self, kind: str, word: str) -> str:
        """Give a word of a closed set; one that is not known here, as it is.

        >>> CHINESE.word("state", "running"), CHINESE.word("state", "dancing")
        ('运行中', 'dancing')
        """
        return self.texts.get(f"{kind}.{word}", word)

    def seconds(self, value: float) -> str:
        """Say how long something took.

        >>> ENGLISH.seconds(0.754)
        '0.75 s'
        """
        return self.say("seconds", seconds=f"{value:.2f}")

    def join(self, parts: Iterable[str]) -> str:
        """Set the parts of a sentence one behind the other."""
        return self.texts["comma"].join(parts)


ENGLISH: Final = Phrases("en", en.TEXTS)
CHINESE: Final = Phrases("zh", zh.TEXTS)
#: The languages that the program speaks, by tag.
LANGUAGES: Final[Mapping[str, Phrases]] = MappingProxyType(
    {phrases.language: phrases for phrases in (ENGLISH, CHINESE)}
)


def phrases_in(locale: str) -> Phrases:
    """Give the phrases of the language that somebody reads best.

    >>> phrases_in("zh-Hans-CN").language, phrases_in("sv").language
    ('zh', 'en')
    """
    return LANGUAGES[closest(locale, LANGUAGES)]
