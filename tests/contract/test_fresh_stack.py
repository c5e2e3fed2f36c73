"""What goes deep ends the same, however deep the stack of the caller is."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from toolferry import Tool
from toolferry.fresh_stack import deeply


def below(frames: int, work: Callable[[], object]) -> object:
    """Do some work that many calls down."""
    return work() if frames == 0 else below(frames - 1, work)


def depth() -> int:
    """Count the calls that this one stands on."""
    count, frame = 0, sys._getframe()  # noqa: SLF001 -- there is no other way to count them
    while frame.f_back is not None:
        count, frame = count + 1, frame.f_back
    return count


def almost_full() -> int:
    """Give how many calls leave room for a few."""
    return sys.getrecursionlimit() - depth() - 40


def test_work_that_does_not_fit_on_a_stack_is_done_on_another() -> None:
    """And what it gives comes back."""
    assert below(almost_full(), lambda: deeply(lambda: below(500, lambda: 7))) == 7


def test_what_the_work_raises_comes_back() -> None:
    """Also what goes too deep on any stack."""
    with pytest.raises(RecursionError):
        deeply(lambda: below(10**6, lambda: 7))
    with pytest.raises(ZeroDivisionError):
        below(almost_full(), lambda: deeply(lambda: below(500, lambda: 1 // 0)))


def test_deep_arguments_are_judged_whoever_asks() -> None:
    """Sixty levels fit on a stack, if not on top of a full one."""
    schema = {
        "type": "object",
        "properties": {
            "child": {"anyOf": [{"$ref": "#"}, {"type": "null"}]},
            "n": {"type": "null"},
        },
    }
    arguments: dict[str, object] = {"n": "x"}
    for _ in range(60):
        arguments = {"child": arguments}
    validator = Tool(name="t", parameters=schema).validator

    found = below(almost_full(), lambda: validator.faults(arguments))

    assert found == validator.faults(arguments)
    assert [fault.got for fault in validator.faults(arguments)] == ['"x"']
