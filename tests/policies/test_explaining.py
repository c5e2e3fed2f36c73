"""What each check is told to have said, from the rule that decided."""

from __future__ import annotations

import pytest

from toolferry_policies import CHECKS, name_of
from toolferry_policies.explaining import READING, Said, explain_checks

NAMES = [name_of(check) for check in CHECKS]


def test_where_all_permit_each_is_told_so() -> None:
    """In the order of the pipeline."""
    told = list(explain_checks("", Said.PERMITTED))

    assert [one.check for one in told] == NAMES
    assert {one.said for one in told} == {Said.PERMITTED}


@pytest.mark.parametrize("rule", NAMES)
def test_those_before_a_denial_permitted_and_those_after_it_were_not_asked(rule: str) -> None:
    """Whichever it is."""
    told = [one.said for one in explain_checks(rule, Said.DENIED)]

    at = NAMES.index(rule)
    assert told[:at] == [Said.PERMITTED] * at
    assert told[at] is Said.DENIED
    assert set(told[at + 1 :]) <= {Said.NOT_ASKED}


def test_a_wish_for_a_person_ends_no_asking() -> None:
    """A denial by a later check would have decided."""
    told = [one.said for one in explain_checks("rules_hold", Said.ASKED)]

    assert told.count(Said.ASKED) == 1
    assert told.count(Said.PERMITTED) == len(NAMES) - 1


def test_what_could_not_be_read_was_judged_by_nobody() -> None:
    """Reading comes before the checks."""
    told = list(explain_checks(READING, Said.DENIED))

    assert told[0].check == READING
    assert {one.said for one in told[1:]} == {Said.NOT_ASKED}


@pytest.mark.parametrize("rule", ["office_hours", ""])
def test_of_what_an_application_added_nobody_knows_what_the_checks_said(rule: str) -> None:
    """It may have denied before or after them."""
    denied = list(explain_checks(rule, Said.DENIED))
    asked = list(explain_checks(rule, Said.ASKED))

    assert {one.said for one in denied[1:]} == {Said.NOT_KEPT}
    assert {one.said for one in asked[:-1]} == {Said.PERMITTED}
    assert asked[-1].said is Said.ASKED
