"""The language of the person at the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolferry.languages import FALLBACK, is_language

#: The variables that name it; the first that says something counts. Source: POSIX, section 8.2.
_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


def terminal_locale(environment: Mapping[str, str]) -> str:
    """Read the language from the variables of a terminal, as BCP 47; English when none is named.

    >>> terminal_locale({"LANG": "zh_CN.UTF-8"}), terminal_locale({"LANG": "C.UTF-8"})
    ('zh-CN', 'en')
    """
    named = next(filter(None, map(environment.get, _VARIABLES)), "")
    tag = named.partition(".")[0].partition("@")[0].replace("_", "-")
    return tag if is_language(tag) and tag != "POSIX" else FALLBACK
