"""Mixed turns: each call runs, waits for a person, or is refused, whatever its siblings do.

All 81 turns of four calls, the waiting ones approved in every order there is: each call that may
run runs once, each turn has one result for each call in the model's order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import groupby, islice, permutations, product
from pathlib import Path

import pytest

from tests.dispatcher.samples import response
from tests.waiting import wait_until
from tests.whole import approval_tools
from tests.whole.approval_tools import JOURNAL
from tests.whole.cases.scenario import journal
from tests.whole.trouble import OwnServer
from tests.worker.running import RunningWorker
from toolferry import Effect, Lane, Outcome, Registry, ToolResult
from toolferry_dispatcher import Dispatcher, TurnHandle, TurnState
from toolferry_ledger import Ledger, Settings
from toolferry_policies import Approver

KINDS = ("go", "ask", "refuse")
TOOLS = Registry.from_module(approval_tools)
ANN = Approver("ann", verified=True)
PATIENCE = 60.0
BUSY = ("queued", "running", "retrying")


@dataclass(frozen=True)
class Mix:
    """One turn, and the order in which its waiting calls are approved."""

    kinds: tuple[str, ...]
    order: tuple[int, ...]

    @property
    def turn_id(self) -> str:
        """A name for it."""
        return f"{'-'.join(self.kinds)}.{''.join(map(str, self.order))}"

    @property
    def ran(self) -> list[str]:
        """The calls that run."""
        return [f"{self.turn_id}:{at}" for at, kind in enumerate(self.kinds) if kind != "refuse"]

    def key(self, position: int) -> str:
        """Name one call."""
        return f"{self.turn_id}:{position}"

    def dispatch(self, dispatcher: Dispatcher) -> TurnHandle:
        """Dispatch it."""
        return dispatcher.dispatch(
            response(*((kind, {}) for kind in self.kinds)), turn_id=self.turn_id
        )

    def check(self, results: list[ToolResult]) -> None:
        """Require one right result for each call, in the model's order."""
        assert [one.call_id for one in results] == [f"call_{at}" for at in range(4)]
        for at, (kind, result) in enumerate(zip(self.kinds, results, strict=True)):
            if kind == "refuse":
                assert (result.outcome, result.effect) == (Outcome.DENIED, Effect.NONE)
            else:
                assert (result.outcome, result.content) == (Outcome.SUCCEEDED, self.key(at))
                assert result.attempts == 1


def mixes() -> Iterator[Mix]:
    """Give every mix of four calls with every order of its approvals."""
    for kinds in product(KINDS, repeat=4):
        waiting = [at for at, kind in enumerate(kinds) if kind == "ask"]
        yield from (Mix(kinds, order) for order in permutations(waiting))


def start_worker(settings: Settings, path: Path) -> RunningWorker:
    """Start a worker that knows the tools."""
    environment = {JOURNAL: str(path), "TOOLFERRY_DRAIN_SECONDS": "1"}
    return RunningWorker(settings, Lane.ASYNC, 8, environment, "tests.whole.approval_tools")


def each_mix_once() -> list[Mix]:
    """Give every mix with one order of its approvals, another one for each."""
    orders = [list(same) for _, same in groupby(mixes(), key=lambda mix: mix.kinds)]
    return [same[at % len(same)] for at, same in enumerate(orders)]


def test_every_mix_of_calls_ends_right(settings: Settings, tmp_path: Path) -> None:
    """All of them at once on one worker."""
    run_all(each_mix_once(), settings, tmp_path / "journal")


@pytest.mark.slow
def test_every_mix_of_calls_ends_right_in_every_order_of_approvals(
    settings: Settings, tmp_path: Path
) -> None:
    """168 turns at once on one worker."""
    run_all(list(mixes()), settings, tmp_path / "journal")


def run_all(all_mixes: list[Mix], settings: Settings, path: Path) -> None:
    """Dispatch all, approve the first waiting call of each, then the second, and check the ends."""
    worker = start_worker(settings, path)
    with ExitStack() as stack:
        stack.callback(worker.finish_off)
        worker.ready()
        dispatcher = stack.enter_context(Dispatcher(TOOLS, settings))
        turns = {mix: mix.dispatch(dispatcher) for mix in all_mixes}
        for mix, turn in turns.items():
            asked = turn.wait_approvals(PATIENCE)
            assert [one.call_key for one in asked] == [mix.key(at) for at in sorted(mix.order)]
            assert turn.state is (TurnState.PENDING if mix.order else TurnState.COMPLETE)
        ungated = Counter(words[0] for words in journal(path))
        for nth in range(4):
            for mix in (one for one in all_mixes if nth < len(one.order)):
                dispatcher.approvals.approve(mix.key(mix.order[nth]), ANN)
        for mix, turn in turns.items():
            mix.check(turn.gather(PATIENCE))

    gated = {mix.key(at) for mix in all_mixes for at in mix.order}
    assert len({mix.kinds for mix in all_mixes}) == 81
    assert not gated & ungated.keys()
    ran = Counter(words[0] for words in journal(path))
    assert ran == Counter(key for mix in all_mixes for key in mix.ran)
    assert ungated == Counter({key: 1 for key in ran if key not in gated})


def test_a_call_that_somebody_put_in_line_without_an_approval_is_not_run(
    settings: Settings, tmp_path: Path
) -> None:
    """Who can write to the server cannot approve; the worker says so in its log."""
    path, mix = tmp_path / "journal", Mix(("ask",) * 4, ())
    worker = start_worker(settings, path)
    with ExitStack() as stack:
        stack.callback(worker.finish_off)
        ledger = stack.enter_context(closing(Ledger(settings)))
        dispatcher = stack.enter_context(Dispatcher(TOOLS, settings))
        turn = mix.dispatch(dispatcher)
        put_in_line(ledger, mix.key(0))
        worker.ready()
        dispatcher.approvals.approve(mix.key(1), ANN)
        told = worker.wait_for("call.untrusted", call_key=mix.key(0))
        refused, approved = list(islice(turn, 2))

    assert told["reason"].endswith("0 of the 1 people who have to approve it have")
    assert [one.error and one.error.code for one in (refused, approved)] == ["untrusted", None]
    assert journal(path) == [[mix.key(1)]]


def put_in_line(ledger: Ledger, key: str) -> None:
    """Have a call go on as the script does that approves, but with no grant."""
    prefix, client = ledger.settings.key_prefix, ledger.client
    route = "default.async.normal"
    client.hset(f"{prefix}call:{key}", "state", "queued")
    client.zrem(f"{prefix}state:awaiting_approval", key)
    client.zadd(f"{prefix}state:queued", {key: 1})
    client.rpush(f"{prefix}ready:{route}:default", key)
    client.rpush(f"{prefix}tenants:{route}", "default")


@dataclass
class Shaken:
    """A system of which every part is replaced while turns are under way."""

    server: OwnServer
    path: Path
    worker: RunningWorker
    steps: int = 0

    def dispatcher(self) -> Dispatcher:
        """Give a new dispatcher, with now and then a new worker, or the server started again."""
        self.steps += 1
        if self.steps % 60 == 0:
            self.wait_calm()
            self.worker.finish_off()
            self.worker = start_worker(self.server.settings, self.path).ready()
        if self.steps % 100 == 0:
            self.wait_calm()
            self.server.kill()
            self.server.start()
        return Dispatcher(TOOLS, self.server.settings)

    def wait_calm(self) -> None:
        """Wait until nothing runs: a call that must not run twice would be lost with its worker."""
        with closing(Ledger(self.server.settings)) as ledger:
            states = f"{ledger.settings.key_prefix}state:"
            wait_until(
                lambda: not any(ledger.client.zcard(states + name) for name in BUSY), "the calm"
            )


@pytest.fixture
def shaken(own_server: OwnServer, tmp_path: Path) -> Iterator[Shaken]:
    """Run a system of a server and a worker of its own."""
    path = tmp_path / "journal"
    system = Shaken(own_server, path, start_worker(own_server.settings, path).ready())
    yield system
    system.worker.finish_off()


@pytest.mark.slow
def test_every_mix_ends_right_when_every_step_is_another_dispatchers(shaken: Shaken) -> None:
    """A worker is killed at every 60th step, the server at every 100th, when nothing runs."""
    all_mixes = list(mixes())
    for mix in all_mixes:
        with shaken.dispatcher() as dispatcher:
            mix.dispatch(dispatcher)
        with shaken.dispatcher() as dispatcher:
            asked = dispatcher.attach(mix.turn_id).wait_approvals(PATIENCE)
            assert [one.call_key for one in asked] == [mix.key(at) for at in sorted(mix.order)]
        for position in mix.order:
            with shaken.dispatcher() as dispatcher:
                dispatcher.approvals.approve(mix.key(position), ANN)
        with shaken.dispatcher() as dispatcher:
            mix.check(dispatcher.attach(mix.turn_id).gather(PATIENCE))

    ran = Counter(words[0] for words in journal(shaken.path))
    assert ran == Counter(key for mix in all_mixes for key in mix.ran)
