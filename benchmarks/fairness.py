"""Fairness: nine tenants beside one that floods, limits that are kept, a budget of ten.

    python -m benchmarks.fairness --json

1. Nine tenants keep two workers busy, each with turns of its own, one after the other. Then the
   same again, while a tenth has ten thousand calls queued. Compared is how long the nine's calls
   wait before they start.
2. Three tenants make calls of a tool with a concurrency limit and a rate, both per tenant. That
   never more ran at once is checked from what the handlers wrote down, at each call's begin; that
   never more started in any stretch of time, from the ledger's times, at each call's start.
3. Twenty threads make one call each at the same time, with a budget of ten.

It fails when something is smaller than it was to be, or a bound is not held.
"""

from __future__ import annotations

import argparse
import bisect
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks import fairness_tools
from benchmarks.fairness_tools import AT_ONCE, JOURNAL, RATE
from toolferry import Context, Lane, Registry, ToolCall
from toolferry_dispatcher import Budget, BudgetScope, Dispatcher, Limits, TurnHandle
from toolferry_ledger import Ledger, Settings, load_settings
from toolferry_worker import command

#: The tenants that behave, and the one that does not.
CROWD: Final = tuple(f"tenant-{number}" for number in range(9))
FLOODER: Final = "flooder"
#: Workers, and slots of each.
WORKERS, SLOTS = 2, 8
#: Calls of a turn: nine of them at once are several times what the slots can take.
TURN: Final = 12
#: Tenants at the desk.
VISITORS: Final = CROWD[:3]
#: Calls that ask for the budget at once, and how many it has.
ASKED, BUDGET = 20, 10
#: The most that the flood may make the nine wait: times as long as without it.
MOST: Final = 2.0
#: Seconds to wait for anything at the most.
PATIENCE: Final = 300.0
#: Calls that one flooding turn has.
_PART: Final = 1000
TOOLS: Final = Registry(
    [fairness_tools.stand_in_line, fairness_tools.visit_desk, fairness_tools.spend]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much is done."""

    flood: int = 10_000
    #: Checks of limits; each call of the desk is two.
    checks: int = 10_002
    #: Turns of each of the nine, with and without the flood.
    turns: int = 20


@contextmanager
def workers_of(settings: Settings, journal: Path) -> Iterator[Ledger]:
    """Run the workers, wait until they are there, and stop them."""
    environment = {**os.environ, **settings.environment(), JOURNAL: str(journal)}
    with ExitStack() as stack:
        for _ in range(WORKERS):
            worker = stack.enter_context(_worker(environment))
            stack.callback(worker.terminate)
        ledger = Ledger(settings)
        stack.callback(ledger.close)
        give_up_at = time.monotonic() + PATIENCE
        while len(ledger.overview().workers) < WORKERS:
            if time.monotonic() > give_up_at:
                raise SystemExit("the workers did not start; set BENCHMARK_VERBOSE=1 to see why")
            time.sleep(0.05)
        yield ledger


def _worker(environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    log = None if os.environ.get("BENCHMARK_VERBOSE") else subprocess.DEVNULL
    argv = command(Lane.ASYNC, tools="benchmarks.fairness_tools", concurrency=SLOTS)
    return subprocess.Popen(argv, env=environment, stdout=log, stderr=log)  # noqa: S603 -- our own workers


def calls(name: str, numbers: range) -> list[ToolCall]:
    """Write so many calls of a tool."""
    return [ToolCall(f"c{number}", name, {"number": number}) for number in numbers]


def crowd_waits(dispatcher: Dispatcher, turns: int) -> list[float]:
    """Have the nine make their turns at the same time; give the seconds that each call waited."""

    def one(tenant: str) -> list[float]:
        found = []
        for _ in range(turns):
            turn = dispatcher.dispatch(
                calls("stand_in_line", range(TURN)), context=Context(tenant=tenant)
            )
            results = turn.gather(timeout=PATIENCE)
            found += [(result.started_at or 0.0) - result.requested_at for result in results]
        return found

    with ThreadPoolExecutor(len(CROWD)) as threads:
        return [wait for waits in threads.map(one, CROWD) for wait in waits]


def flood(dispatcher: Dispatcher, count: int) -> None:
    """Queue so many calls of the tenth tenant."""
    for start in range(0, count, _PART):
        numbers = range(start, min(start + _PART, count))
        dispatcher.dispatch(calls("stand_in_line", numbers), context=Context(tenant=FLOODER))


def visit(dispatcher: Dispatcher, count: int) -> dict[str, list[float]]:
    """Have the visitors make so many calls of the desk; give each one's times of start, sorted."""

    def one(tenant: str) -> list[float]:
        each = -(-count // len(VISITORS))
        turns: list[TurnHandle] = [
            dispatcher.dispatch(
                calls("visit_desk", range(start, min(start + _PART, each))),
                context=Context(tenant=tenant),
            )
            for start in range(0, each, _PART)
        ]
        results = [result for turn in turns for result in turn.gather(timeout=PATIENCE)]
        return sorted(result.started_at or 0.0 for result in results)

    with ThreadPoolExecutor(len(VISITORS)) as threads:
        return dict(zip(VISITORS, threads.map(one, VISITORS), strict=True))


def crowded(journal: Sequence[str], at_once: int) -> Iterator[bool]:
    """Say of each visit whether more than so many were at the tenant's desk when it began."""
    begins, ends = defaultdict(list), defaultdict(list)
    for line in journal:
        tenant, first, last = line.split(" ")
        begins[tenant].append(int(first))
        ends[tenant].append(int(last))
    for tenant, times in begins.items():
        times.sort()
        ends[tenant].sort()
        for before, began in enumerate(times, start=1):
            yield before - bisect.bisect_right(ends[tenant], began) > at_once


def hurried(starts: Sequence[float], limit: int, per: float) -> Iterator[bool]:
    """Say of each start, in order, whether the one `limit` before it was less than `per` ago."""
    for at, start in enumerate(starts):
        yield at >= limit and round((start - starts[at - limit]) * 1000) < round(per * 1000)


def ran_of_budget(settings: Settings) -> int:
    """Make the calls that ask for the budget, at once; count those that ran."""
    budget = Budget(scope=BudgetScope.CONVERSATION, calls=BUDGET)
    at_once = threading.Barrier(ASKED)

    def one(number: int) -> bool:
        at_once.wait()
        turn = dispatcher.dispatch(calls("spend", range(number, number + 1)), conversation_id="c")
        (result,) = turn.gather(timeout=PATIENCE)
        return not result.is_error

    with (
        Dispatcher(TOOLS, settings, limits=Limits([budget])) as dispatcher,
        ThreadPoolExecutor(ASKED) as threads,
    ):
        return sum(threads.map(one, range(ASKED)))


def p95(values: Sequence[float]) -> float:
    """Give the value below which 95 of 100 lie."""
    return statistics.quantiles(values, n=20)[-1]


def measure(settings: Settings, journal: Path, sizes: Sizes) -> dict[str, Any]:
    """Do all of it on one system, and report."""
    with workers_of(settings, journal) as ledger, Dispatcher(TOOLS, settings) as dispatcher:
        ran = ran_of_budget(settings)
        starts = visit(dispatcher, -(-sizes.checks // 2))
        crowd_waits(dispatcher, 2)
        alone = p95(crowd_waits(dispatcher, sizes.turns))
        flood(dispatcher, sizes.flood)
        beside = p95(crowd_waits(dispatcher, sizes.turns))
        still_queued = sum(view.count for view in ledger.overview().states.values())
        alive = len(ledger.overview().workers)
    checks = [
        *crowded(journal.read_text().splitlines(), AT_ONCE),
        *(late for times in starts.values() for late in hurried(times, RATE.limit, RATE.per)),
    ]
    return {
        "tenants": len(CROWD) + 1,
        "flood_calls": sizes.flood,
        "workers_alive": alive,
        "p95_wait_ratio": round(beside / alone, 2),
        "limit_checks": len(checks),
        "limit_violations": sum(checks),
        "budget_asked": ASKED,
        "budget_ran": ran,
        "alone_p95_ms": round(alone * 1000, 1),
        "beside_p95_ms": round(beside * 1000, 1),
        "still_queued": still_queued,
    }


def faults(report: Mapping[str, Any], sizes: Sizes) -> Iterator[str]:
    """Say what is smaller than it was to be, and which bounds were not held."""
    least = {"tenants": len(CROWD) + 1, "flood_calls": sizes.flood, "workers_alive": WORKERS}
    least |= {"limit_checks": sizes.checks, "budget_asked": ASKED, "still_queued": 1}
    for name, size in least.items():
        if report[name] < size:
            yield f"{name} is {report[name]}, and was to be {size}"
    if report["p95_wait_ratio"] > MOST:
        yield f"the nine wait {report['p95_wait_ratio']} times as long, and {MOST} is the most"
    if report["limit_violations"]:
        yield f"{report['limit_violations']} checks found more than a limit allows"
    if report["budget_ran"] != BUDGET:
        yield f"{report['budget_ran']} calls ran on a budget of {BUDGET}"


def main() -> None:
    """Measure, print one object, and fail when a bound is not held."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="the only form there is")
    full = Sizes()
    parser.add_argument("--flood", type=int, default=full.flood, help="calls of the tenth tenant")
    parser.add_argument("--checks", type=int, default=full.checks, help="checks of limits")
    parser.add_argument("--turns", type=int, default=full.turns, help="turns of each of the nine")
    given = parser.parse_args()
    sizes = Sizes(flood=given.flood, checks=given.checks, turns=given.turns)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        os.environ["TOOLFERRY_HOME"] = home
        report = measure(load_settings(), Path(home) / "journal", sizes)
    sys.stdout.write(json.dumps(report) + "\n")
    found = list(faults(report, sizes))
    if found:
        raise SystemExit("; ".join(found))


if __name__ == "__main__":
    main()
