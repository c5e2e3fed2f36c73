"""Turns of 1, 10, 100 and 1,000 calls: raw Celery and Toolferry side by side, in one run.

    python -m benchmarks.turns --json

Every contestant is measured in every round, in turn, on the same server, so that a busy machine
slows them all; figures are medians. Toolferry reads a model's response, judges it with every check,
signs, enqueues, runs, records and gathers; Celery sends an integer and gets one back.
"""

from __future__ import annotations

import argparse
import json
import logging
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import structlog

from benchmarks import echo_tools, raw_celery
from benchmarks.system import running_system
from toolferry import Registry
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Settings

#: For each figure the calls of a turn and how many turns are measured in each of the rounds. The
#: first two after another contestant find this machine's caches cold (11 ms in place of 4 for ten
#: calls), so that short turns need many.
SIZES: Final = {
    "single_p50_ms": (1, 40),
    "turn10_ms": (10, 20),
    "turn100_ms": (100, 3),
    "turn1000_ms": (1000, 1),
}
#: How often each size is measured for each contestant.
ROUNDS: Final = 5

Gather = Callable[[int], list[Any]]


def response_with(count: int, tool: str) -> dict[str, Any]:
    """Write a Chat Completions response that asks for so many calls."""
    calls = [
        {
            "id": f"call_{n}",
            "type": "function",
            "function": {"name": tool, "arguments": json.dumps({"number": n})},
        }
        for n in range(count)
    ]
    message = {"role": "assistant", "content": None, "tool_calls": calls}
    return {"choices": [{"index": 0, "finish_reason": "tool_calls", "message": message}]}


@contextmanager
def contestants(settings: Settings) -> Iterator[dict[str, Gather]]:
    """Give the ways to run so many calls and gather them, by name."""
    registry = Registry()
    registry.register(echo_tools.echo_async)
    registry.register(echo_tools.echo_process)
    with Dispatcher(registry, settings) as dispatcher:

        def gather(tool: str) -> Gather:
            def run(count: int) -> list[Any]:
                results = dispatcher.dispatch(response_with(count, tool)).gather(timeout=60)
                return [result.content for result in results]

            return run

        yield {
            "celery_group": raw_celery.gather_group,
            "celery_delay": raw_celery.gather_delay,
            "toolferry": gather("echo_async"),
            "toolferry_process": gather("echo_process"),
        }


def measure(ways: dict[str, Gather], rounds: int) -> dict[str, dict[str, float]]:
    """Time every way at every size, in turn; give medians in milliseconds."""
    times: dict[str, dict[str, list[float]]] = {way: {size: [] for size in SIZES} for way in ways}
    for gather in ways.values():
        _time(gather, 10)
    for _ in range(rounds):
        for size, (count, turns) in SIZES.items():
            for way, gather in ways.items():
                times[way][size] += [_time(gather, count) for _ in range(turns)]
    return {
        way: {size: round(statistics.median(taken) * 1000, 2) for size, taken in sizes.items()}
        for way, sizes in times.items()
    }


def ratios(figures: dict[str, dict[str, float]], way: str, *others: str) -> dict[str, float]:
    """Say how many times the best of the others takes as long as one way."""
    return {
        size.removesuffix("_ms").removesuffix("_p50"): round(
            min(figures[other][size] for other in others) / figures[way][size], 2
        )
        for size in SIZES
    }


def run(rounds: int) -> dict[str, dict[str, float]]:
    """Measure everything and give figures and ratios."""
    with running_system() as settings, contestants(settings) as ways:
        figures = measure(ways, rounds)
    return {
        **figures,
        "ratios": ratios(figures, "toolferry", "celery_group", "celery_delay"),
        "ratios_group": ratios(figures, "toolferry", "celery_group"),
        "ratios_process": ratios(figures, "toolferry_process", "celery_group", "celery_delay"),
    }


def _time(gather: Gather, count: int) -> float:
    started = time.perf_counter()
    results = gather(count)
    taken = time.perf_counter() - started
    if results != list(range(count)):
        raise SystemExit(f"wrong results for {count} calls: {results[:5]} …")
    return taken


def main() -> None:
    """Read the command line, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds of all sizes")
    arguments = parser.parse_args()
    # As in production: an agent's process logs what needs attention.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    report = run(arguments.rounds)
    if arguments.json:
        print(json.dumps(report))
        return
    for name, row in report.items():
        print(f"{name:18}", "  ".join(f"{key} {value:>8}" for key, value in row.items()))


if __name__ == "__main__":
    main()
