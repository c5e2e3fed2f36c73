"""The words of names and descriptions."""

from __future__ import annotations

import re
from typing import Final

from toolferry.linting.verbs import VERBS

_NAME_WORD: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[^\W\d_]+")
_TEXT_WORD: Final = re.compile(r"[^\W_]+(?:'[a-z]+)?")
#: Letters from which on a word may be several that were written together: `getweatherdata`.
_GLUED: Final = 10
_LONG_VERBS: Final = tuple(verb for verb in VERBS if len(verb) > 2)  # noqa: PLR2004 -- "do", "is"

#: Words that say nothing about a subject.
SMALL: Final = frozenset(
    """
    a an and any are as at be by can do does for from has have in into is it its of on or s that
    the their them then there these this those to was were which will with you your
    """.split()  # noqa: SIM905 -- a text is easier to read
)
#: Words of names that say nothing of what a tool is about.
GENERIC: Final = frozenset(
    """
    a action add all api ask call change check command create data delete do edit entity execute
    fetch find function generic get handle handler helper info information input invoke item items
    list load lookup main make manage manager method modify my object objects operation output
    perform process query read remove request resource resources result results run save search
    select send set show start stop stuff submit the thing things tool update use util utils value
    values write
    """.split()  # noqa: SIM905 -- a text is easier to read
)


def name_words(name: str) -> tuple[str, ...]:
    """Take a name apart, in lower case and without digits.

    >>> name_words("orders.getHTTPStatus_v2")
    ('orders', 'get', 'http', 'status', 'v')
    """
    return tuple(word.lower() for word in _NAME_WORD.findall(name))


def text_words(text: str) -> frozenset[str]:
    """Give the words of a text that say something, in lower case and singular.

    >>> sorted(text_words("Gets the user's orders."))
    ['get', 'order', 'user']
    """
    words = (word.removesuffix("'s") for word in _TEXT_WORD.findall(text.lower()))
    return frozenset(stem(word) for word in words if word not in SMALL)


def stem(word: str) -> str:
    """Take off the end that makes a plural or a third person.

    >>> [stem(word) for word in ("cities", "gets", "boxes", "address", "status")]
    ['city', 'get', 'box', 'address', 'status']
    """
    if word.endswith("ies") and len(word) > 4:  # noqa: PLR2004 -- "dies"
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    ends_alike = word.endswith(("ss", "us", "is"))
    return word if ends_alike or len(word) < 4 else word.removesuffix("s")  # noqa: PLR2004 -- "gas"


def is_verb(word: str) -> bool:
    """Say whether a word of a name can be a verb; in doubt it can.

    >>> is_verb("fetch"), is_verb("getweatherdata"), is_verb("weather")
    (True, True, False)
    """
    return word in VERBS or (len(word) >= _GLUED and word.startswith(_LONG_VERBS))


def is_english(text: str) -> bool:
    """Say whether a text can be judged by English words: most of its letters are plain ones.

    >>> is_english("Read a file."), is_english("读取文件")
    (True, False)
    """
    if text.isascii():
        return True
    plain = sum(letter.isascii() for letter in text)
    return plain * 10 > len(text) * 9
