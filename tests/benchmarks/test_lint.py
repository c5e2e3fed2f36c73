"""The benchmark of the linter: its counts, and the sample for checking by hand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.lint import counts, excerpt, judged, main, read, sample
from toolferry import RULES, lint

FILE = Path(__file__).parents[1] / "data" / "corpus" / "tools.jsonl"


def test_every_rule_is_counted() -> None:
    """Also those that found nothing."""
    found = lint(read(FILE))

    counted = counts(found)

    assert counted.keys() == RULES.keys()
    assert sum(counted.values()) == len(found)


def test_a_sample_can_be_drawn_again_and_holds_rare_rules() -> None:
    """Two findings of each rule, where there are so many."""
    found = judged(read(FILE))
    counted = Counter(one.finding.code for one in found)

    drawn = sample(found, 60, seed=3)

    shares = Counter(one.finding.code for one in drawn)
    assert len(drawn) == 60
    assert all(shares[code] >= min(2, count) for code, count in counted.items())
    assert [excerpt(one) for one in drawn] == [excerpt(one) for one in sample(found, 60, seed=3)]


def test_the_benchmark_prints_its_figures(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time first, then a line for each rule."""
    monkeypatch.setattr("sys.argv", ["lint", str(FILE)])

    main()

    first, *others = capsys.readouterr().out.splitlines()
    assert first.startswith("84 definitions, ")
    assert len(others) == len(RULES)
