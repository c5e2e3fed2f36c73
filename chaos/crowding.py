"""Crowding: no more calls of a tool at once than its limit allows. Pure.

An attempt lasts as in `ordering`, and those of suspended workers count as little.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from chaos.history import Attempt, History
from chaos.verdicts import Violation
from toolferry import Tool


def crowded(history: History, tools: Mapping[str, Tool]) -> Iterator[Violation]:
    """Name the calls that began while as many ran as may."""
    runs: dict[str, list[Attempt]] = {}
    for call in history.calls:
        if tools[call.tool].concurrency is not None:
            runs.setdefault(call.tool, []).extend(call.attempts)
    for name, attempts in runs.items():
        limit = tools[name].concurrency
        if limit is not None:
            yield from _too_many(attempts, limit.limit)


def _too_many(attempts: list[Attempt], limit: int) -> Iterator[Violation]:
    running: list[Attempt] = []
    for one in sorted(attempts, key=lambda attempt: attempt.start):
        if one.suspended:
            continue
        running = [other for other in running if other.over > one.start]
        if len(running) >= limit:
            others = ", ".join(other.key for other in running)
            yield Violation("crowded", one.key, f"it ran beside {others}; {limit} may run at once")
        running.append(one)
