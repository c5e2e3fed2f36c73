"""Languages: which of several texts somebody reads best."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

#: The language of those whose own is not there.
FALLBACK: Final = "en"
#: The form of a language tag: "en", "zh-Hans-CN". Source: RFC 5646, section 2.1, without its lists.
_TAG: Final = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
#: Parts of a tag that are looked at; real ones have three.
_MAX_PARTS: Final = 8


def is_language(tag: str) -> bool:
    """Say whether a text has the form of a BCP 47 language tag.

    >>> is_language("zh-Hans-CN"), is_language("zh_CN")
    (True, False)
    """
    return _TAG.fullmatch(tag) is not None


def closest(wanted: str, languages: Collection[str]) -> str:
    """Choose the language that somebody reads best.

    The wanted one, or else what is left of it as parts are taken off its end; then another form
    of the same language; then English; then the first one. Upper and lower case are the same.

    Args:
        wanted: A BCP 47 tag, such as "zh-Hans-CN"; anything else chooses English or the first.
        languages: The tags to choose from, one at least.

    Source: RFC 4647, section 3.4 (lookup), and the steps after it are ours.

    >>> [closest(wanted, ["fr", "zh", "en"]) for wanted in ("zh-Hans-CN", "FR", "sv", "")]
    ['zh', 'fr', 'en', 'en']
    >>> closest("zh", ["en", "zh-Hans"]), closest("sv", ["fr", "de"])
    ('zh-Hans', 'fr')
    """
    known = {language.lower(): language for language in languages}
    parts = wanted.lower().split("-", _MAX_PARTS)[:_MAX_PARTS]
    same = (key for key in known if key.startswith(f"{parts[0]}-"))
    for key in (*_shorter(parts), *same, FALLBACK):
        if key in known:
            return known[key]
    return next(iter(languages))


def _shorter(parts: list[str]) -> Iterator[str]:
    for length in range(len(parts), 0, -1):
        yield "-".join(parts[:length])
