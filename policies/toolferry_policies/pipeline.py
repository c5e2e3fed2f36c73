"""The checks of a call, in the one order in which they are asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from toolferry import ErrorCode
from toolferry_policies.checks import (
    arguments_fit,
    confirmation_is_unneeded,
    environment_fits,
    permissions_suffice,
    role_is_allowed,
    tool_is_known,
    tool_is_visible,
)
from toolferry_policies.facts import Facts
from toolferry_policies.verdict import Deny, Permit, RequireApproval, Verdict

#: A rule: facts in, verdict out, nothing else touched.
Check: TypeAlias = Callable[[Facts], Verdict]

#: What the model can mend comes first (a name, an argument), what only people can mend after, and
#: last whether a person is asked, who is not to be asked about what may not run anyway.
CHECKS: Final[tuple[Check, ...]] = (
    tool_is_known,
    tool_is_visible,
    arguments_fit,
    role_is_allowed,
    permissions_suffice,
    environment_fits,
    confirmation_is_unneeded,
)


def judge(facts: Facts, checks: tuple[Check, ...] = CHECKS) -> Verdict:
    """Ask every check in order: the first that denies decides, else the first that wants a person.

    Fails closed: a check that raises, or that answers with anything but a verdict, denies.
    """
    so_far: Verdict = Permit()
    for check in checks:
        verdict = _ask(check, facts)
        if isinstance(verdict, Deny):
            return verdict
        so_far = verdict if isinstance(so_far, Permit) else so_far
    return so_far


def _ask(check: Check, facts: Facts) -> Verdict:
    try:
        verdict: object = check(facts)
    except Exception as error:  # noqa: BLE001 -- a broken policy must deny, whatever broke it
        return _broken(check, f"raised {type(error).__name__}: {error}")
    if isinstance(verdict, Permit | RequireApproval | Deny):
        return verdict
    return _broken(check, f"answered with {type(verdict).__name__}, which is no verdict")


def _broken(check: Check, what: str) -> Deny:
    name = getattr(check, "__name__", type(check).__name__)
    return Deny(
        ErrorCode.DENIED, "A policy could not judge this call.", detail=f"the check {name} {what}"
    )
