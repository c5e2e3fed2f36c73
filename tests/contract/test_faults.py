"""How what is wrong with arguments is told: where, what is wanted, and never for ever."""

from __future__ import annotations

from tests.counting import calls_in
from toolferry import ArgumentValidator
from toolferry.faults import MAX_FAULTS
from toolferry.wording import path_text


def test_faults_that_are_told_alike_are_not_written_for_ever() -> None:
    """Long names that differ only in the middle make one path, with each missing member again."""
    element = {"type": "object", "required": [f"p{n}" for n in range(60)]}
    validator = ArgumentValidator("sample", {"type": "object", "additionalProperties": element})
    misfits = validator.misfits({f"{'x' * 300}{n:03}{'x' * 300}": {} for n in range(150)})

    count = calls_in(lambda: validator.told(misfits), of=path_text.__code__)

    assert len(misfits or ()) == 150
    assert count < 8 * MAX_FAULTS


def test_long_paths_of_two_members_differ() -> None:
    """What is cut is the middle: the end tells where something is."""
    schema = {"type": "object", "additionalProperties": {"required": ["p", "q"]}}

    found = ArgumentValidator("sample", schema).faults({"x" * 300: {}})

    assert [fault.path[-5:] for fault in found] == ["xxx.p", "xxx.q"]
    assert {len(fault.path) for fault in found} == {240}
