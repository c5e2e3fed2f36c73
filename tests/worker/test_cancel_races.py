"""Cancelling in the moment in which calls end, proved by the journal of the handlers."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from tests.waiting import wait_until
from tests.worker import tools_cancelling
from tests.worker.caller import Caller
from tests.worker.running import RunningWorker, Start
from toolferry import Lane, Outcome, Registry, ToolResult
from toolferry_ledger import Bell, Canceller, Settings, Signer, Withdrawal
from toolferry_worker.orders import CANCEL_GRACE

TOOLS = Registry.from_module(tools_cancelling)
#: A tool, and the seconds that its handler takes.
Planned = tuple[str, float]
SLOTS = 4
#: Seconds that a handler takes which is to be cancelled when it ends.
SHORT = 0.02
LANES = pytest.mark.parametrize(
    ("lane", "suffix"), [(Lane.ASYNC, "_loop"), (Lane.PROCESS, "")], ids=["async", "process"]
)

pytestmark = pytest.mark.slow


@pytest.fixture
def caller(settings: Settings) -> Iterator[Caller]:
    """Give a caller of the tools that can be cancelled."""
    caller = Caller(settings, TOOLS)
    yield caller
    caller.close()


@pytest.fixture
def canceller(caller: Caller) -> Canceller:
    """Give what cancels calls of that system."""
    settings = caller.settings
    return Canceller(caller.ledger, Bell(settings), Signer(settings.secret))


class Journal:
    """What the handlers of one round wrote themselves: each begin and each end."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def lines(self) -> Counter[str]:
        """Count each line."""
        text = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        return Counter(text.splitlines())

    def has_begun(self, keys: Sequence[str]) -> Callable[[], bool]:
        """Give what tells whether all these calls have begun."""
        return lambda: all(self.lines()[f"begin {key}"] for key in keys)


class Race:
    """Rounds of calls of which the first ones are cancelled about when they end.

    Args:
        caller: Submits them.
        canceller: Cancels them.
        folder: Where the journals are written.
    """

    def __init__(self, caller: Caller, canceller: Canceller, folder: Path) -> None:
        self._caller = caller
        self._canceller = canceller
        self._folder = folder
        self._rounds = 0
        #: How those ended that ran when they were cancelled.
        self.outcomes: Counter[Outcome] = Counter()
        #: What must not be, in words.
        self.faults: list[str] = []

    def run(self, raced: Planned, others: Sequence[Planned], wait: float) -> None:
        """Have `SLOTS` calls run and others after them, cancel the first a while later."""
        self._rounds += 1
        journal = Journal(self._folder / f"journal-{self._rounds}")
        turn_id = self._caller.submit(
            *[
                (tool, {"journal": str(journal.path), "seconds": seconds})
                for tool, seconds in [*[raced] * SLOTS, *others]
            ]
        )
        keys = [f"{turn_id}:{position}" for position in range(SLOTS + len(others))]
        wait_until(journal.has_begun(keys[:SLOTS]), "the beginning")
        # A race has no event: the cancellation is to come about when the handlers end, sometimes
        # before and sometimes after, and the test counts that both have happened.
        time.sleep(wait)
        became = self._canceller.cancel(keys[:SLOTS], "race")
        results = dict(zip(keys, self._caller.wait(turn_id, len(keys)), strict=True))
        self._judge(results, became, journal.lines())

    def _judge(
        self,
        results: Mapping[str, ToolResult],
        became: Mapping[str, Withdrawal],
        lines: Counter[str],
    ) -> None:
        for key, result in results.items():
            may_be_cancelled = became.get(key) is Withdrawal.STOPPING
            has_ended = lines[f"end {key}"] == 1
            if may_be_cancelled:
                self.outcomes[result.outcome] += 1
            if result.outcome is Outcome.SUCCEEDED and not has_ended:
                self.faults.append(f"{key} succeeded and never ended")
            if result.outcome is not Outcome.SUCCEEDED and not may_be_cancelled:
                self.faults.append(f"{key} was hit: {result.error}")
            if result.outcome not in {Outcome.SUCCEEDED, Outcome.CANCELLED}:
                self.faults.append(f"{key} ended as {result.outcome}")
        self.faults += [f"{line}: {count} times" for line, count in lines.items() if count > 1]


def working(start: Start, lane: Lane, concurrency: int) -> RunningWorker:
    """Run a worker that has these tools."""
    return start(lane, concurrency=concurrency, tools=tools_cancelling.__name__).ready()


@LANES
@pytest.mark.parametrize("seed", [7, 8])
def test_five_hundred_races_stop_no_other_call(  # noqa: PLR0913, PLR0917 -- all of them differ
    caller: Caller,
    canceller: Canceller,
    start: Start,
    tmp_path: Path,
    lane: Lane,
    suffix: str,
    seed: int,
) -> None:
    """Each call has one result, which is true, and those that come after end well."""
    working(start, lane, SLOTS)
    race, tool = Race(caller, canceller, tmp_path), f"brief{suffix}"
    dice = random.Random(seed)  # noqa: S311 -- a seed, no secret

    wait = SHORT / 2
    while race.outcomes.total() < 500:
        before = race.outcomes.copy()
        chance = dice.uniform(-SHORT / 8, SHORT / 8)
        race.run((tool, SHORT), [(tool, SHORT / 4)] * SLOTS, max(0.0, wait + chance))
        # On a fast machine and on a slow one: as near to the end of the handlers as can be.
        fresh = race.outcomes - before
        is_early = fresh[Outcome.CANCELLED] > fresh[Outcome.SUCCEEDED]
        wait = max(0.0, wait + (SHORT / 20 if is_early else -SHORT / 20))

    assert race.faults == []
    assert min(race.outcomes[one] for one in (Outcome.CANCELLED, Outcome.SUCCEEDED)) > 20


def test_a_hundred_kills_hit_no_other_call(
    caller: Caller, canceller: Canceller, start: Start, tmp_path: Path
) -> None:
    """Handlers that are deaf and end about when they would be killed, with others right behind."""
    working(start, Lane.PROCESS, SLOTS)
    race = Race(caller, canceller, tmp_path)
    dice = random.Random(7)  # noqa: S311 -- a seed, no secret

    while race.outcomes.total() < 100:
        seconds = CANCEL_GRACE + dice.uniform(-0.02, 0.06)
        race.run(("brief_deaf", seconds), [("brief", SHORT)] * SLOTS, 0.0)

    assert race.faults == []
    assert min(race.outcomes[one] for one in (Outcome.CANCELLED, Outcome.SUCCEEDED)) > 0


@LANES
@pytest.mark.parametrize("way", [RunningWorker.kill, RunningWorker.stop], ids=["killed", "stopped"])
def test_a_thousand_cancelled_calls_never_start(  # noqa: PLR0913, PLR0917 -- all of them differ
    caller: Caller,
    canceller: Canceller,
    start: Start,
    tmp_path: Path,
    lane: Lane,
    suffix: str,
    way: Callable[[RunningWorker], object],
) -> None:
    """Not by the workers that run, nor by those that come after them."""
    first = [working(start, lane, 2) for _ in range(2)]
    journal = Journal(tmp_path / "journal")
    tool, path = f"brief{suffix}", str(journal.path)
    held = caller.submit(*[(tool, {"journal": path, "seconds": 3.0})] * 4)
    held_keys = [f"{held}:{position}" for position in range(4)]
    wait_until(journal.has_begun(held_keys), "the calls that hold the slots")
    queued = caller.submit(*[(tool, {"journal": path, "seconds": 0.0})] * 1000)

    became = canceller.cancel([f"{queued}:{position}" for position in range(1000)])
    for worker in first:
        way(worker)
    working(start, lane, 2)
    after = caller.run(*[(tool, {"journal": path, "seconds": 0.0})] * 50)

    assert set(became.values()) == {Withdrawal.CANCELLED}
    assert {one.outcome for one in caller.wait(queued, 1000)} == {Outcome.CANCELLED}
    assert {one.outcome for one in after} == {Outcome.SUCCEEDED}
    begun = {line for line in journal.lines() if line.startswith("begin ")}
    assert not any(line.startswith(f"begin {queued}:") for line in begun)
    assert len(begun) == 54
