"""The README: its example runs as it stands, in an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def test_the_example_runs_as_it_stands(tmp_path: Path) -> None:
    """A newcomer who copies it gets both answers, the good one and the corrected one."""
    text = README.read_text(encoding="utf-8")
    found = re.search(r"<!-- example: (\S+) -->\n```python\n(.*?)```", text, re.DOTALL)
    assert found
    (tmp_path / found[1]).write_text(found[2], encoding="utf-8")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TOOLFERRY_")}

    done = subprocess.run(
        [sys.executable, found[1]],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    _assistant, good, bad = done.stdout.splitlines()
    assert '"sky":"clear"' in good.replace(" ", "")
    assert "schema" in bad
    assert "city" in bad


def test_the_readme_is_short() -> None:
    """A page that people read to its end."""
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 150
