"""The loop's watch, over a loop that is really blocked."""

from __future__ import annotations

import asyncio
import threading

from structlog.testing import capture_logs
from structlog.typing import EventDict

from toolferry_worker.loop_watch import BLOCKED_AFTER, LoopWatch


def test_a_tool_that_blocks_the_loop_is_named() -> None:
    """With the place in its code, and once for each time that it does so."""
    loop = asyncio.new_event_loop()
    watch = LoopWatch(loop)
    untold = threading.Lock()
    untold.acquire()

    def hear(_logger: object, _method: str, event: EventDict) -> EventDict:
        """Let the tool go on: the watch has told of it."""
        untold.release()
        return event

    with capture_logs(processors=[hear]) as logs:

        async def blocking() -> None:
            """Hold the loop until somebody tells of it."""
            untold.acquire(timeout=10 * BLOCKED_AFTER)

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
