"""The conversation of the examples: three rounds with a model of every provider's."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def run(provider: str) -> list[str]:
    """Run the example and give the lines that it prints."""
    ran = subprocess.run(
        [sys.executable, "-m", "examples.conversation", "--provider", provider],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout.splitlines()


@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini", "deepseek"])
def test_three_rounds_with_a_failure_and_an_approval(provider: str) -> None:
    """Parallel calls; every request passes the rules of the scripted server."""
    lines = run(provider)

    assert '  read_file: failed, "There is no file farewell.txt in the notes."' in lines
    assert '  read_file: succeeded, "你好世界"' in lines
    assert "  a person is asked: Publish “你好世界”? yes" in lines
    assert lines[-1] == "conversation complete: 3 rounds, 3 calls, 3 requests taken, 0 refused"


def test_what_deepseek_said_and_read_goes_back_as_it_was() -> None:
    """The server holds its message to what it sent; ids are equal, and the text is not escaped."""
    messages: list[dict[str, Any]] = [
        json.loads(line) for line in run("deepseek") if line.startswith("{")
    ]

    said, told = messages[1], messages[2]
    assert said["reasoning_content"] == "Let me think."
    assert told["tool_call_id"] == said["tool_calls"][0]["id"]
    assert told["content"] == '{"ok":true,"content":"你好世界"}'
