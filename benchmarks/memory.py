"""How much of the server's memory a call takes: open, ended, and as a dead letter.

    python -m benchmarks.memory --calls 1000

Writes calls with 200 characters of arguments, ten to a turn, ends them by hand with 500 characters
of content or with three failed attempts, and adds up MEMORY USAGE of all keys that hold something.
Prints bytes per call, and erases what it wrote.
"""

from __future__ import annotations

import argparse
import json
import sys
import uuid
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

from toolferry import CallError, ErrorCode, Outcome, Registry, RetryPolicy, ToolCall, tool
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import (
    Bell,
    Canceller,
    Claim,
    Ledger,
    Pool,
    Purger,
    Route,
    Settings,
    Signer,
    Tenant,
    conclude,
    load_settings,
    open_spec,
)
from toolferry_policies import AttemptEnd

ARGUMENTS, CONTENT, TURN = 200, 500, 10
OWNER = "benchmark"
SUCCESS = AttemptEnd(outcome=Outcome.SUCCEEDED, content="c" * CONTENT)
FAILURE = AttemptEnd(
    outcome=Outcome.FAILED,
    error=CallError.of(ErrorCode.EXECUTION_FAILED, "It failed with OSError (reference 01234567)."),
)


@tool(retry=RetryPolicy(max_attempts=3, base=0.001, cap=0.001))
async def note(text: str) -> str:
    """Keep a note."""
    return text


def submit(settings: Settings, calls: int) -> None:
    """Write so many calls, ten to a turn."""
    with Dispatcher(Registry([note]), settings) as dispatcher:
        for start in range(0, calls, TURN):
            size = min(TURN, calls - start)
            asked = [ToolCall(f"c{at}", "note", {"text": "a" * ARGUMENTS}) for at in range(size)]
            dispatcher.dispatch(asked)


def end_all(ledger: Ledger, signer: Signer, end: AttemptEnd) -> None:
    """Run every open call, each attempt with the same end."""
    while ledger.overview().tools:
        ledger.beat(OWNER, [Pool.of(note)], 1000)
        for claim in claims(ledger):
            spec = open_spec(signer, claim)
            ledger.settle([conclude(spec, claim, end, claim.started_at)], OWNER)
        ledger.due(2.0)


def claims(ledger: Ledger) -> Iterator[Claim]:
    """Take the calls whose notices are out."""
    rung = f"{ledger.settings.key_prefix}rung:{Route(Pool.of(note))}"
    out: Any = ledger.client.zrange(rung, 0, -1, withscores=True)
    yield from ledger.claim(OWNER, [(key.decode(), int(fence)) for key, fence in out]).claims


def bytes_held(ledger: Ledger) -> int:
    """Add up what the keys of the system take."""
    keys = list(ledger.client.scan_iter(match=f"{ledger.settings.key_prefix}*", count=1000))
    with ledger.client.pipeline(transaction=False) as pipe:
        for key in keys:
            pipe.memory_usage(key, samples=0)
        return sum(filter(None, pipe.execute()))


def measure(settings: Settings, calls: int) -> dict[str, int]:
    """Give the bytes per call of each kind."""
    signer, found = Signer(settings.secret), dict[str, int]()
    with closing(Ledger(settings)) as ledger, closing(Bell(settings)) as bell:
        purger = Purger(ledger, Canceller(ledger, bell, signer))
        for kind, end in (("succeeded", SUCCESS), ("dead letter", FAILURE)):
            before = bytes_held(ledger)
            submit(settings, calls)
            found["open"] = round((bytes_held(ledger) - before) / calls)
            end_all(ledger, signer, end)
            found[kind] = round((bytes_held(ledger) - before) / calls)
            purger.purge(Tenant("default"))
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1000)
    calls = parser.parse_args().calls
    settings = replace(load_settings(), namespace=f"memory-{uuid.uuid4().hex[:8]}")
    json.dump({"calls": calls, "bytes_per_call": measure(settings, calls)}, sys.stdout)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
