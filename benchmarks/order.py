"""Order and conflicts under load: many turns on few resources, and the journal of their handlers.

    python -m benchmarks.order --repeats 1000 --kill

Runs turns of writes, reads, exclusive and independent calls on two workers of each lane, many turns
at once, and proves from the handlers' own journal that conflicting calls kept the order of the
dispatches and never overlapped. With `--kill` a worker is killed in the middle.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks import order_tools
from toolferry import Lane, Outcome, Registry, ToolCall, load_tools
from toolferry_dispatcher import Dispatcher, TurnHandle
from toolferry_ledger import Ledger, Settings, load_settings
from toolferry_worker import command

#: The modules that the workers load.
TOOLS = "benchmarks.order_tools"
#: How many resources the turns fight for.
CELLS = 3
#: Turns under way at once.
IN_FLIGHT = 8
#: Seconds for a turn, with the death of a worker in it.
PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the journal."""

    what: str
    turn_id: str
    call_key: str
    attempt: int
    tool: str
    cell: int

    @property
    def place(self) -> tuple[int, int]:
        """Where its call stands in the order of all: the turn's number, the call's position."""
        return int(self.turn_id.rpartition("-")[2]), int(self.call_key.rpartition(":")[2])


def calls_of(number: int) -> list[ToolCall]:
    """Write the calls of one turn."""
    cell = {"cell": number % CELLS}
    names = ["write_cell", "look_around", "write_cell_slowly", "read_cell", "look_around"]
    names += ["reset_board"] if number % 10 == 0 else []
    names += ["write_cell", "read_cell"]
    takes_cell = {"write_cell", "write_cell_slowly", "read_cell"}
    return [
        ToolCall(f"c{position}", name, cell if name in takes_cell else {})
        for position, name in enumerate(names)
    ]


def read_journal(path: Path) -> list[Line]:
    """Read what the handlers wrote."""
    rows = (text.split(" ") for text in path.read_text().splitlines())
    return [Line(row[0], row[1], row[2], int(row[3]), row[4], int(row[5])) for row in rows]


def faults(journal: Sequence[Line]) -> Iterator[str]:
    """Name every breach of order that a journal shows."""
    open_calls: dict[str, Line] = {}
    last_write: dict[int, tuple[int, int]] = {}
    ended: Counter[str] = Counter()
    for line in journal:
        if line.what == "end":
            open_calls.pop(line.call_key, None)
            ended[line.turn_id] += 1
            continue
        open_calls.pop(line.call_key, None)  # an attempt whose worker was killed has no end
        yield from _overlaps(line, open_calls.values())
        yield from _overtakes(line, last_write)
        if line.tool == "reset" and ended[line.turn_id] < line.place[1]:
            yield f"{line.call_key} began before all earlier calls of its turn had ended"
        open_calls[line.call_key] = line


def _overlaps(line: Line, others: Iterable[Line]) -> Iterator[str]:
    for other in others:
        same_cell = line.cell >= 0 and line.cell == other.cell
        same_turn = line.turn_id == other.turn_id
        if same_cell and "write" in (line.tool, other.tool):
            yield f"{line.call_key} overlaps {other.call_key} on cell {line.cell}"
        if same_turn and "reset" in (line.tool, other.tool):
            yield f"{line.call_key} runs beside {other.call_key}, one of which is exclusive"


def _overtakes(line: Line, last_write: dict[int, tuple[int, int]]) -> Iterator[str]:
    if line.cell < 0 or line.attempt > 1:
        return
    if line.place < last_write.get(line.cell, (-1, -1)):
        yield f"{line.call_key} came after a later write of cell {line.cell}"
    if line.tool == "write":
        last_write[line.cell] = line.place


def most_at_once(journal: Sequence[Line]) -> int:
    """Count how many calls ran at the same time at the most."""
    running: set[str] = set()
    most = 0
    for line in journal:
        if line.what == "begin":
            running.add(line.call_key)
        else:
            running.discard(line.call_key)
        most = max(most, len(running))
    return most


class Fleet:
    """Two workers of each lane; one that is killed is replaced."""

    def __init__(self, environment: dict[str, str], stack: ExitStack) -> None:
        self._environment = environment
        self._stack = stack
        self._workers = {(lane, number): self._start(lane) for lane in Lane for number in (0, 1)}

    def kill(self, lane: Lane) -> None:
        """Kill the first worker of a lane at once, and start another."""
        worker = self._workers[lane, 0]
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
        self._workers[lane, 0] = self._start(lane)

    def _start(self, lane: Lane) -> subprocess.Popen[bytes]:
        log = None if os.environ.get("BENCHMARK_VERBOSE") else subprocess.DEVNULL
        worker = subprocess.Popen(  # noqa: S603 -- our own workers
            command(lane, tools=TOOLS, concurrency=4),
            env=self._environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        self._stack.callback(_stop, worker)
        return worker


def _stop(worker: subprocess.Popen[bytes]) -> None:
    worker.terminate()
    try:
        worker.wait(timeout=10)
    except subprocess.TimeoutExpired:
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()


@contextmanager
def fleet_of(settings: Settings, journal: Path) -> Iterator[Fleet]:
    """Run the workers, wait until they are there, and stop them."""
    environment = {**os.environ, **settings.environment(), order_tools.JOURNAL: str(journal)}
    with ExitStack() as stack:
        fleet = Fleet(environment, stack)
        ledger = Ledger(settings)
        stack.callback(ledger.close)
        give_up_at = time.monotonic() + PATIENCE
        while len(ledger.overview().workers) < 2 * len(Lane):
            if time.monotonic() > give_up_at:
                raise SystemExit("the workers did not start; set BENCHMARK_VERBOSE=1 to see why")
            time.sleep(0.05)
        yield fleet


def run(settings: Settings, journal: Path, repeats: int, kills: Sequence[Lane]) -> Counter[Outcome]:
    """Run the turns, several at once, and count how their calls ended.

    Args:
        settings: Which system.
        journal: Where the handlers write.
        repeats: How many turns.
        kills: The lanes of which a worker is killed on the way, one after the other.
    """
    outcomes: Counter[Outcome] = Counter()
    registry: Registry = load_tools(TOOLS)
    with fleet_of(settings, journal) as fleet, Dispatcher(registry, settings) as dispatcher:
        under_way: deque[TurnHandle] = deque()
        killers = []
        for number in range(repeats):
            under_way.append(dispatcher.dispatch(calls_of(number), turn_id=f"turn-{number}"))
            for turn, lane in enumerate(kills, start=1):
                if number == turn * repeats // (len(kills) + 1):
                    killers.append(threading.Thread(target=fleet.kill, args=(lane,)))
                    killers[-1].start()
            while len(under_way) >= IN_FLIGHT:
                outcomes.update(r.outcome for r in under_way.popleft().gather(timeout=PATIENCE))
        for turn_handle in under_way:
            outcomes.update(r.outcome for r in turn_handle.gather(timeout=PATIENCE))
        for killer in killers:
            killer.join()
    return outcomes


def main() -> None:
    """Run it and print one object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=1000)
    parser.add_argument("--kill", action="store_true", help="kill a worker of each lane on the way")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        os.environ["TOOLFERRY_HOME"] = home
        path = Path(home) / "journal"
        began = time.monotonic()
        kills = list(Lane) if options.kill else []
        outcomes = run(load_settings(), path, options.repeats, kills)
        journal = read_journal(path)
        found = list(faults(journal))
    report = {
        "turns": options.repeats,
        "calls": sum(outcomes.values()),
        "outcomes": {outcome.value: count for outcome, count in outcomes.items()},
        "attempts": sum(line.what == "begin" for line in journal),
        "most_at_once": most_at_once(journal),
        "faults": found,
        "seconds": round(time.monotonic() - began, 1),
    }
    sys.stdout.write(json.dumps(report) + "\n")
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
