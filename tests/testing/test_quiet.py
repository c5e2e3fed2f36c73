"""What a rehearsal says where nobody has configured a log: only what is wrong, and no variables."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = """
from toolferry import Registry, ToolCall, tool
from toolferry_testing import Rehearsal

@tool
def charge(amount: int) -> str:
    '''Charge.'''
    card = "card-" + "4" * 12
    raise ValueError("no")

turn = Rehearsal(Registry([charge])).dispatch([ToolCall("c", "charge", {"amount": 1})])
print(turn.results[0].error.code)
"""


def test_a_failing_handler_is_told_without_its_variables(tmp_path: Path) -> None:
    """On standard error, plainly; standard output is the application's."""
    said = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True, check=True
    )

    assert said.stdout == "execution_failed\n"
    assert "ValueError: no" in said.stderr
    assert "card-4444" not in said.stderr
