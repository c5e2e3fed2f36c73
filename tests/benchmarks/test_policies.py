"""The benchmark of judging: what it prints."""

from __future__ import annotations

import json

import pytest

from benchmarks.policies import CONTESTANTS, main


def test_the_benchmark_prints_one_object_for_each_tool(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its figures depend on the machine; that all calls were permitted does not."""
    monkeypatch.setattr("sys.argv", ["policies", "--json", "--turns", "20"])

    main()

    printed = json.loads(capsys.readouterr().out)
    assert printed.keys() == CONTESTANTS.keys()
    for figures in printed.values():
        assert figures.keys() == {"median_us", "p99_us", "calls"}
        assert figures["calls"] == 200
