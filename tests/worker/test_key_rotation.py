"""The system's secret is exchanged while workers run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Final

import pytest

from tests.worker.running import RunningWorker
from toolferry import Context, ErrorCode, Lane, Registry, ToolCall, ToolContext, ToolResult, tool
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Settings

NEW: Final = b"the new key of thirty-two bytes or more"
FOREIGN: Final = b"the key of somebody who can write to the server"


@tool
async def use_key(ctx: ToolContext) -> int:
    """Use the key of the context."""
    return len(ctx.secret("api_key"))


TOOLS: Final = Registry([use_key])
WHO: Final = Context(secrets={"api_key": "k-0815"})


@pytest.fixture
def rotated(settings: Settings) -> Iterator[Settings]:
    """Give the settings of a worker that writes with the new key and still believes the old one."""
    newer = replace(settings, secret=NEW + b"," + settings.secret)
    worker = RunningWorker(newer, Lane.ASYNC, tools=__name__)
    worker.ready()
    yield newer
    worker.finish_off()


def results_with(settings: Settings, *keys: bytes) -> list[ToolResult]:
    """Have a call run by a dispatcher with each key."""
    with ExitStack() as stack:
        turns = [
            stack.enter_context(Dispatcher(TOOLS, replace(settings, secret=key))).dispatch(
                [ToolCall("c0", "use_key", {})], context=WHO
            )
            for key in keys
        ]
        return [result for turn in turns for result in turn.gather(timeout=30)]


def test_calls_of_the_old_and_the_new_key_run_and_forged_ones_do_not(
    settings: Settings, rotated: Settings
) -> None:
    """Whoever can write to the server has no call run, whatever record it puts there."""
    old, new, both, forged = results_with(settings, settings.secret, NEW, rotated.secret, FOREIGN)

    assert [one.content for one in (old, new, both)] == [6, 6, 6]
    assert forged.error is not None
    assert forged.error.code == ErrorCode.UNTRUSTED
