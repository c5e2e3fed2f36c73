"""Conversations whose process is killed for good, and that another process goes on with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.talks import answers
from tests.waiting import wait_until
from toolferry_ledger import Settings

pytestmark = pytest.mark.slow


def start(folder: Path, settings: Settings, wait_at: str) -> subprocess.Popen[str]:
    """Start a process that leads the conversation of this folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.dispatcher.talker", str(folder), wait_at],
        env={**os.environ, **settings.environment()},
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("ends_while_away", [True, False])
@pytest.mark.parametrize("wait_at", ["told", "stored"])
def test_a_killed_conversation_goes_on_in_another_process(
    settings: Settings, worker: HandWorker, tmp_path: Path, wait_at: str, *, ends_while_away: bool
) -> None:
    """Every call is claimed once, and has one answer, whatever the dead process had stored."""
    first = start(tmp_path, settings, wait_at)
    wait_until((tmp_path / "waiting").exists, "the moment in which it is killed")
    first.kill()
    first.communicate()
    claims = worker.take()
    if ends_while_away:
        worker.succeed(*claims)

    second = start(tmp_path, settings, "nowhere")
    if not ends_while_away:
        worker.succeed(*claims)
    said, _ = second.communicate(timeout=30)

    text, messages = json.loads(said)
    assert (second.returncode, text) == (0, "Fine.")
    assert len(claims) == 2
    assert worker.take() == []
    assert answers(messages) == ["call_0", "call_1"]
