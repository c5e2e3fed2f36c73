"""Examples of the pages, run as they stand, in an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

#: Seconds for a system to start, to run an example and to stop.
PATIENCE = 90


def run_example(page: str, folder: Path) -> list[str]:
    """Run the first marked example of a page in a folder, and give the lines that it printed."""
    found = re.search(r"<!-- example: (\S+) -->\n```python\n(.*?)```", page, re.DOTALL)
    assert found
    (folder / found[1]).write_text(found[2], encoding="utf-8")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TOOLFERRY_")}

    done = subprocess.run(
        [sys.executable, found[1]],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
