"""The page on resources: its example runs as it stands, in an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from toolferry.lifespan import DEFAULT_START_LIMIT
from toolferry_worker.openings import CLOSE_LIMIT, FIRST_PAUSE, LONGEST_PAUSE

PAGE = Path(__file__).parents[2] / "docs" / "resources.md"


def test_the_example_runs_as_it_stands(tmp_path: Path) -> None:
    """With a fake first, then with what its lifespans really open."""
    text = PAGE.read_text(encoding="utf-8")
    for name, code in re.findall(r"<!-- example: (\S+) -->\n```python\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(code, encoding="utf-8")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TOOLFERRY_")}

    done = subprocess.run(
        [sys.executable, "try_shop.py"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    said = [line for line in done.stdout.splitlines() if "[debug" not in line]
    assert said == ["200.0", "8.6"], done.stderr


def test_the_page_tells_the_numbers_of_the_code() -> None:
    """The limits and the pauses."""
    text = PAGE.read_text(encoding="utf-8")

    assert f"| {DEFAULT_START_LIMIT:g} s |" in text
    assert f"after about {FIRST_PAUSE:g} s" in text
    assert f"up to {LONGEST_PAUSE:g} s" in text
    assert f"each within {CLOSE_LIMIT:g} s" in text
