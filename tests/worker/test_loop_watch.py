"""The loop's watch, over a loop that is really blocked."""

from __future__ import annotations

import asyncio
import threading
import time

from structlog.testing import capture_logs

from toolferry_worker.loop_watch import BLOCKED_AFTER, LoopWatch


def test_a_tool_that_blocks_the_loop_is_named() -> None:
    """With the place in its code, and once for each time that it does so."""
    loop = asyncio.new_event_loop()
    watch = LoopWatch(loop)
    with capture_logs() as logs:

        async def blocking() -> None:
            """Hold the loop."""
            until = time.monotonic() + 10 * BLOCKED_AFTER
            while not logs and time.monotonic() < until:
                time.sleep(0.01)  # noqa: ASYNC251 -- it blocks the loop until the watch has told of it

        loop.call_soon(watch.start)
        task = loop.create_task(blocking(), name="slow_tool")
        thread = threading.Thread(target=lambda: loop.run_until_complete(task))
        thread.start()
        thread.join()
    watch.stop()
    loop.close()

    assert [(log["event"], log["tool"]) for log in logs] == [("loop.blocked", "slow_tool")]
    assert "in blocking" in logs[0]["at"]


def test_a_loop_that_lives_is_not_told_of() -> None:
    """Not even when it is idle for long."""
    loop = asyncio.new_event_loop()
    watch = LoopWatch(loop)
    loop.call_soon(watch.start)

    with capture_logs() as logs:
        loop.run_until_complete(asyncio.sleep(BLOCKED_AFTER + 0.3))
    watch.stop()
    loop.close()

    assert logs == []
