"""The README: its example runs as it stands, in an empty folder."""

from __future__ import annotations

from pathlib import Path

from tests.docs.examples import run_example

README = Path(__file__).parents[2] / "README.md"


def test_the_example_runs_as_it_stands(tmp_path: Path) -> None:
    """A newcomer who copies it gets both answers, the good one and the corrected one."""
    printed = run_example(README.read_text(encoding="utf-8"), tmp_path)

    _assistant, good, bad = printed
    assert '"sky":"clear"' in good.replace(" ", "")
    assert "schema" in bad
    assert "city" in bad


def test_the_readme_is_short() -> None:
    """A page that people read to its end."""
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 150
