"""Priority: how long an interactive call waits while thousands of bulk calls are queued.

    python -m benchmarks.priority --json

One async worker with few slots, of which one comes free every 10 ms. The same interactive calls are
timed twice on the same system, with nothing else to do and with the flood behind them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence

from benchmarks import priority_tools
from toolferry import Lane, Priority, Registry, ToolCall
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Ledger, Pool, load_settings
from toolferry_worker import command

#: Calls that wait behind.
FLOOD = 5000
#: Slots of the worker; each call takes as many times 10 ms on average.
SLOTS = 4
#: Interactive calls that are timed, one after the other.
TIMED = 150


def waits(dispatcher: Dispatcher, count: int) -> list[float]:
    """Run interactive calls one after the other; give the seconds that each waited to start."""
    found = []
    for number in range(count):
        time.sleep(random.random() * 0.02)  # noqa: S311 -- so that no call keeps step with a slot
        call = ToolCall(f"i{number}", "take_a_slot", {})
        turn = dispatcher.dispatch([call], priority=Priority.INTERACTIVE)
        (result,) = turn.gather(timeout=30)
        found.append((result.started_at or 0.0) - (result.requested_at or 0.0))
    return found


def p95(values: Sequence[float]) -> float:
    """Give the value below which 95 of 100 lie, in milliseconds."""
    return round(statistics.quantiles(values, n=20)[-1] * 1000, 1)


def main() -> None:
    """Measure and print one object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="the only form there is")
    parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        os.environ["TOOLFERRY_HOME"] = home
        settings = load_settings()
        worker = subprocess.Popen(  # noqa: S603 -- our own worker
            command(Lane.ASYNC, tools="benchmarks.priority_tools", concurrency=SLOTS),
            env={**os.environ, **settings.environment()},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        ledger = Ledger(settings)
        while Pool(Lane.ASYNC) not in ledger.served():
            time.sleep(0.05)
        with Dispatcher(Registry([priority_tools.take_a_slot]), settings) as dispatcher:
            waits(dispatcher, 20)
            alone = waits(dispatcher, TIMED)
            bulk = [ToolCall(f"b{n}", "take_a_slot", {}) for n in range(FLOOD)]
            dispatcher.dispatch(bulk, priority=Priority.BULK)
            beside = waits(dispatcher, TIMED)
            left = sum(view.count for view in ledger.overview().states.values())
        ledger.close()
        worker.terminate()
        worker.wait(timeout=30)
    added = [one - statistics.median(alone) for one in beside]
    report = {
        "alone_p95_ms": p95(alone),
        "beside_p50_ms": round(statistics.median(beside) * 1000, 1),
        "beside_p95_ms": p95(beside),
        "added_p95_ms": p95(added),
        "still_queued": left,
    }
    sys.stdout.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main()
