"""Who may decide about a call that waits for a person."""

from __future__ import annotations

import pytest

from toolferry import Approval
from toolferry_policies import Approver, refuse_to_approve, refuse_to_decide

LEADS = Approval(roles=frozenset({"lead"}))
LEAD = Approver("ann", frozenset({"lead"}), verified=True)


@pytest.mark.parametrize(
    ("person", "terms", "said"),
    [
        (Approver("ann"), Approval(), ""),
        (LEAD, LEADS, ""),
        (Approver("ann", frozenset({"lead"})), LEADS, "it takes a person's token"),
        (Approver("ann"), Approval(needed=2), "it takes a person's token"),
        (Approver("ann", verified=True), LEADS, "only people with the role lead"),
    ],
)
def test_who_may_decide(person: Approver, terms: Approval, said: str) -> None:
    """A name that nobody vouches for is enough where anybody may decide."""
    refusal = refuse_to_decide(person, terms)

    assert refusal.startswith(said)
    assert bool(refusal) == bool(said)


def test_nobody_approves_a_call_of_their_own_unless_its_tool_lets_them() -> None:
    """Everybody may deny theirs."""
    assert "nobody approves a call of their own" in refuse_to_approve(LEAD, LEADS, "ann")
    assert refuse_to_approve(LEAD, Approval(own=True), "ann") == ""
    assert refuse_to_decide(LEAD, LEADS) == ""
