"""Explaining a judgement: what each check of the pipeline has said, from the rule that decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from toolferry_policies.pipeline import CHECKS, name_of

#: Told in place of a check by a release that kept no rule.
_NOT_KEPT: Final = "not_kept"


class Said(StrEnum):
    """What a check has said of a call."""

    PERMITTED = "permitted"
    DENIED = "denied"
    #: It wants a person to decide.
    ASKED = "asked_a_person"
    #: Another one had denied before it was its turn.
    NOT_ASKED = "not_asked"


@dataclass(frozen=True, slots=True)
class CheckSaid:
    """A check, by its name, and what it has said."""

    check: str
    said: Said


def explain_checks(
    rule: str, said: Said, names: Iterable[str] = tuple(map(name_of, CHECKS))
) -> Iterator[CheckSaid]:
    """Say what each check has said of a call.

    Args:
        rule: The name of the check that decided; empty when none did, or when it was not kept.
        said: What it said; PERMITTED when all permit.
        names: All checks, in order.

    >>> [one.said.value for one in explain_checks("b", Said.DENIED, ["a", "b", "c"])]
    ['permitted', 'denied', 'not_asked']
    """
    known = list(names)
    if said is not Said.PERMITTED and rule not in known:
        # What comes before all checks, such as a response that cannot be read; or an older release.
        yield CheckSaid(rule or _NOT_KEPT, said)
        if rule and said is Said.DENIED:
            yield from (CheckSaid(name, Said.NOT_ASKED) for name in known)
        return
    decided = False
    for name in known:
        if name == rule and said is not Said.PERMITTED:
            decided = said is Said.DENIED
            yield CheckSaid(name, said)
        else:
            yield CheckSaid(name, Said.NOT_ASKED if decided else Said.PERMITTED)
