"""The names that Gemini takes for functions."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from toolferry_dispatcher.providers.names import fitted_name

#: The types allow 128 characters, but models were seen to refuse more than 64.
_LEGAL: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}")
_ILLEGAL_RUN: Final = re.compile(r"[^A-Za-z0-9_.:-]+")


@lru_cache(maxsize=4096)
def gemini_name(name: str) -> str:
    """Give the name that goes over the wire: ASCII letters, digits and `_.:-`, 1 to 64.

    It begins with a letter or `_`.

    >>> gemini_name("calendar.update_event"), gemini_name("2fa/check")
    ('calendar.update_event', '_2fa_check_5b5e899b46')
    """
    return fitted_name(name, _LEGAL, _ILLEGAL_RUN)
