"""A tool that writes and that everybody may call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.rule import Rule
from toolferry.linting.subject import Subject
from toolferry.states import EffectClass


def _check(subject: Subject) -> Iterator[Flaw]:
    effect, permissions = subject.definition.effect, subject.definition.permissions
    writes = effect is not None and effect is not EffectClass.READ
    if writes and permissions is not None and not permissions:
        yield Flaw(
            place="permissions",
            problem=f"the tool is a {effect} that everybody may call",
            mend="name what the context must permit (permissions) or who may call (allowed_roles)",
        )


RULE: Final = Rule(
    code="TF401",
    name="write-without-permissions",
    severity=Severity.WARNING,
    doc="A tool that writes needs no permission, so whoever talks to the agent can make it write.",
    bad=({"name": "orders_cancel", "effect": "write", "permissions": []},),
    good=({"name": "orders_cancel", "effect": "write", "permissions": ["orders.cancel"]},),
    check=_check,
)
