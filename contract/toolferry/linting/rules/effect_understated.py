"""A tool that says it reads, with the name of one that writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.rule import Rule
from toolferry.linting.subject import Subject
from toolferry.states import EffectClass

#: Verbs that leave no doubt, where a name begins or ends with them.
_WRITING: Final = frozenset(
    """
    activate approve archive assign book cancel deactivate delete deny deploy deposit destroy
    disable dismiss edit enable freeze grant insert install modify pay publish purchase purge
    reboot refund remove rename reschedule reset restart resume revoke send submit suspend
    terminate toggle transfer unfreeze uninstall update upload upsert withdraw
    """.split()  # noqa: SIM905 -- a text is easier to read
)


def _check(subject: Subject) -> Iterator[Flaw]:
    ends = {*subject.words[:1], *subject.words[-1:]}
    if subject.definition.effect is EffectClass.READ and not _WRITING.isdisjoint(ends):
        yield Flaw(
            place="effect",
            problem=f"by its name it can {min(_WRITING & ends)}, but it is declared as a read,"
            " which may run twice and beside anything",
            mend="declare it as write or destructive, or name it by what it reads",
        )


RULE: Final = Rule(
    code="TF402",
    name="effect-understated",
    severity=Severity.WARNING,
    doc="By its name the tool writes, but it is declared as a read and so may be run twice.",
    bad=({"name": "orders_delete", "effect": "read"},),
    good=({"name": "orders_delete", "effect": "destructive"},),
    check=_check,
)
