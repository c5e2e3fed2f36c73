"""Orphans: a child whose parent was killed before it could ask the kernel to go along."""

from __future__ import annotations

import os

from tests.waiting import wait_until
from toolferry_worker.child import leave_if_orphaned


def _be_orphan(parent: int, says: int) -> None:
    """Wait until the parent has gone, look, and say so if that is survived."""
    wait_until(lambda: os.getppid() != parent, "the end of the parent")
    leave_if_orphaned(parent)
    os.write(says, b"alive")
    os._exit(0)


def test_a_child_whose_parent_has_died_already_ends() -> None:
    """It would wait for work for ever: its siblings hold its pipe open."""
    hears, says = os.pipe()
    parent = os.fork()
    if parent == 0:
        itself = os.getpid()
        if os.fork() == 0:
            _be_orphan(itself, says)
        os._exit(0)
    os.close(says)
    os.waitpid(parent, 0)

    with os.fdopen(hears, "rb") as heard:
        assert heard.read() == b""


def test_a_child_whose_parent_lives_goes_on() -> None:
    """It is looked at once, when it begins."""
    leave_if_orphaned(os.getppid())
