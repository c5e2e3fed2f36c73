"""Explaining a judgement: what each check of the pipeline has said, from the rule that decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from toolferry_policies.pipeline import CHECKS, name_of

#: Told in place of a check where no rule was kept, as by an older release.
_NOT_KEPT: Final = "rule_not_kept"
#: The rule that comes before all checks.
READING: Final = "response_is_read"
#: What comes after all checks: the server counts calls while it writes them.
COUNTING: Final = "server_counts"


class Said(StrEnum):
    """What a check has said of a call."""

    PERMITTED = "permitted"
    DENIED = "denied"
    #: It wants a person to decide.
    ASKED = "asked_a_person"
    #: Another one had denied before it was its turn.
    NOT_ASKED = "not_asked"
    #: What an application adds to the pipeline denied, and what the checks said is not known.
    NOT_KEPT = "not_kept"


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
        rule: The name of the check that decided, or of what an application added; empty when none
            did, or when it was not kept.
        said: What it said; PERMITTED when all permit.
        names: All checks, in order.

    >>> [one.said.value for one in explain_checks("b", Said.DENIED, ["a", "b", "c"])]
    ['permitted', 'denied', 'not_asked']
    """
    known = list(names)
    if said is Said.PERMITTED or rule in known:
        yield from _in_order(rule, said, known)
    elif said is Said.ASKED or rule == COUNTING:
        yield from (CheckSaid(name, Said.PERMITTED) for name in known)
        yield CheckSaid(rule or _NOT_KEPT, said)
    else:
        others = Said.NOT_ASKED if rule == READING else Said.NOT_KEPT
        yield CheckSaid(rule or _NOT_KEPT, said)
        yield from (CheckSaid(name, others) for name in known)


def _in_order(rule: str, said: Said, names: Iterable[str]) -> Iterator[CheckSaid]:
    decided = False
    for name in names:
        if name == rule and said is not Said.PERMITTED:
            decided = said is Said.DENIED
            yield CheckSaid(name, said)
        else:
            yield CheckSaid(name, Said.NOT_ASKED if decided else Said.PERMITTED)
