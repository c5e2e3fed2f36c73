"""A model may only call tools that exist."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from toolferry import ErrorCode
from toolferry.closeness import near_names
from toolferry_policies.facts import Facts
from toolferry_policies.verdict import Deny, Permit, Verdict

#: Names listed at the most: a model chooses badly from a long list, and pays for reading it.
MAX_NAMES: Final = 20
#: Characters of an unknown name that are looked at and repeated; real names are shorter.
MAX_REPEATED: Final = 64


def tool_is_known(facts: Facts) -> Verdict:
    """Deny a name that no tool has; name the closest ones and those on offer."""
    if facts.tool is not None:
        return Permit()
    name = facts.call.name[:MAX_REPEATED]
    return Deny(
        ErrorCode.UNKNOWN_TOOL,
        f"There is no tool {name!r}.",
        suggestion=_advice(closest(name, facts.offered), facts.offered),
    )


def closest(name: str, offered: Sequence[str]) -> tuple[str, ...]:
    """Give up to three names on offer that look like `name`, the likeliest first.

    Case, dots and dashes do not count.

    >>> closest("Read-File", ["read_file", "send_mail"])
    ('read_file',)
    """
    return _closest(name, tuple(offered))


@lru_cache(maxsize=1024)
def _closest(name: str, offered: tuple[str, ...]) -> tuple[str, ...]:
    return near_names(offered).to(name)


def _advice(close: Sequence[str], offered: Sequence[str]) -> str:
    if not offered:
        return "No tool is on offer; answer without one."
    listed = ", ".join(offered[:MAX_NAMES])
    more = f" and {len(offered) - MAX_NAMES} more" if len(offered) > MAX_NAMES else ""
    meant = f"Did you mean {' or '.join(close)}? " if close else ""
    return f"{meant}The tools on offer are: {listed}{more}."
