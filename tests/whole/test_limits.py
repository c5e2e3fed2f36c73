"""Budgets and the loop guard, from many processes and threads at once."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, Final

import pytest

from toolferry import Context, Registry, ToolCall, tool
from toolferry_dispatcher import Budget, BudgetScope, Dispatcher, Limits
from toolferry_ledger import Settings

#: Processes, threads of each, and calls of each thread.
CROWD, THREADS, CALLS = 3, 4, 15
ALLOWED: Final = 77
_SPAWN: Final = multiprocessing.get_context("spawn")


@tool
async def look(number: int) -> int:
    """Give it back."""
    return number


TOOLS: Final = Registry([look])
BUDGET: Final = Budget(scope=BudgetScope.PRINCIPAL, calls=ALLOWED, per=3600)


def refused_of(settings: Settings, barrier: Any, first: int) -> list[str]:
    """Make calls from several threads, half of them the same one; give why each did not run."""
    with Dispatcher(TOOLS, settings, limits=Limits([BUDGET])) as dispatcher:

        def one(thread: int) -> list[str]:
            found = []
            for number in range(CALLS):
                same = number % 2 == 0
                call = ToolCall("c", "look", {"number": 0 if same else first + number})
                ended = dispatcher.dispatch(
                    [call],
                    conversation_id=f"talk {thread % 2}",
                    context=Context(principal="ann"),
                ).read_ended()
                error = ended[0].error if ended else None
                found.append(error.code if error else "")
            return found

        barrier.wait(60)
        with ThreadPoolExecutor(THREADS) as threads:
            return [code for codes in threads.map(one, range(THREADS)) for code in codes]


@pytest.mark.slow
def test_processes_and_threads_share_what_is_counted(settings: Settings) -> None:
    """The budget lets exactly so many through, and of the same call five in each conversation."""
    with _SPAWN.Manager() as manager, ProcessPoolExecutor(CROWD, _SPAWN) as processes:
        barrier = manager.Barrier(CROWD)
        asked = [
            processes.submit(refused_of, settings, barrier, 1000 * number)
            for number in range(CROWD)
        ]
        found = [code for one in asked for code in one.result(timeout=120)]

    repeats = found.count("repeated_call")
    assert len(found) == CROWD * THREADS * CALLS
    assert found.count("") == ALLOWED
    assert found.count("budget_exhausted") == len(found) - ALLOWED - repeats
    assert repeats > 0
