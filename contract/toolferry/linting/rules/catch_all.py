"""One tool that is many."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.members import Member
from toolferry.linting.rule import Rule
from toolferry.linting.samples import taking
from toolferry.linting.subject import Subject

_SELECTORS: Final = frozenset(
    """
    action action_type actiontype cmd command endpoint method op operation request_type
    """.split()  # noqa: SIM905 -- a text is easier to read
)
_SELECTING: Final = re.compile(
    r"\b(?:action|operation)s?\b.{0,30}\b(?:perform|execute|do)", re.IGNORECASE
)
_TOLD: Final = frozenset({"kind", "task", "type"})
#: The keys that lead to a parameter: `properties` and its name.
_TOP: Final = 2
_PAYLOADS: Final = frozenset(
    """
    args arguments body content data input json kwargs options parameters params payload
    """.split()  # noqa: SIM905 -- a text is easier to read
)


def _check(subject: Subject) -> Iterator[Flaw]:
    top = [member for member in subject.members if len(member.at) == _TOP]
    selector = next((member for member in top if _selects(member)), None)
    payload = next((member for member in top if member.name.lower() in _PAYLOADS), None)
    if selector is not None and payload is not None:
        yield Flaw(
            place=selector.place,
            problem=f"{selector.name} chooses what the tool does, and {payload.name} holds whatever"
            " that needs",
            mend="make a tool of each choice, with parameters of its own",
        )


def _selects(member: Member) -> bool:
    name = member.name.lower()
    told = name in _TOLD and _SELECTING.search(member.description)
    return member.is_a("string") and bool(name in _SELECTORS or told)


RULE: Final = Rule(
    code="TF308",
    name="catch-all",
    severity=Severity.WARNING,
    doc="One parameter chooses what the tool does and another holds the rest: many tools in one.",
    bad=(
        taking(
            "orders_manage",
            action={"type": "string", "description": "What to do."},
            payload={"type": "object", "description": "What it needs."},
        ),
    ),
    good=(
        taking("orders_cancel", order_id={"type": "string", "description": "Which order."}),
        taking("orders_refund", order_id={"type": "string", "description": "Which order."}),
    ),
    check=_check,
)
