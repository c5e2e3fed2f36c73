"""One run: server, crew, load, faults, and the audit when all is over."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

from chaos.crew import TOOLS, Crew
from chaos.dispatching import PATIENCE, gathered
from chaos.faults import Faults
from chaos.history import History, read_history
from chaos.journal import FOLDER, RunFolder, append, read
from chaos.load import POISON_PART
from chaos.sabotage import VARIABLE, Sabotage
from chaos.server import ChaosServer
from toolferry import LedgerUnavailable, Tool, TurnUnknown, load_tools
from toolferry_dispatcher import Dispatcher, TurnHandle, TurnState
from toolferry_ledger import Ledger
from toolferry_ledger.keeping import Keeping

#: The system that a run builds.
NAMESPACE: Final = "chaos"
#: Seconds for the workers to be there.
START_PATIENCE: Final = 60.0
#: Seconds for the audit of turns that the dispatchers could not gather.
AUDIT_PATIENCE: Final = 3.0
#: Seconds between two looks whether the workers are there.
LOOK_EVERY: Final = 0.05


class StartFailed(Exception):
    """The system of a run did not come up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is to be run."""

    seed: int
    #: Seconds of load and faults.
    seconds: float
    #: Dispatcher processes at a time.
    dispatchers: int = 3
    #: Turns a second of each dispatcher.
    rate: float = 12.0
    #: Seconds in which a call has to end; longer than any recovery.
    deadline: float = 120.0
    #: Which part of the turns without a cell holds a poison call.
    poison: float = POISON_PART
    #: How long records are kept.
    keeping: Keeping = field(default_factory=Keeping)
    #: What is planted in the system; None for the system as it is.
    sabotage: Sabotage | None = None

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables that tell the processes of it."""
        planted = {VARIABLE: self.sabotage.value} if self.sabotage else {}
        return {"CHAOS_DEADLINE": str(self.deadline), **planted}

    @property
    def arguments(self) -> list[str]:
        """What a dispatcher is told."""
        return [
            *("--seed", str(self.seed)),
            *("--rate", str(self.rate), "--deadline", str(self.deadline)),
            *("--poison", str(self.poison)),
        ]


def tools_by_name() -> dict[str, Tool]:
    """Give the tools of the run."""
    return {tool.name: tool for tool in load_tools(TOOLS)}


def run(order: Order, folder: RunFolder) -> History:
    """Run a system under load and faults, and give what its journals say.

    Raises:
        StartFailed: No worker came up; names the logs.
    """
    with system(order, folder) as (server, crew):
        faults = Faults(folder, server, crew)
        try:
            faults.start(order.seed, order.seconds)
            faults.wait()
        finally:
            faults.stop()  # before the server is closed: none is to bring it back
        crew.wait_dispatchers(time.monotonic() + order.deadline + 2 * PATIENCE)
        audit(server, folder)
    return read_history(folder)


@contextmanager
def system(order: Order, folder: RunFolder) -> Iterator[tuple[ChaosServer, Crew]]:
    """Have a system run, with its load under way; end all of its processes in the end.

    Raises:
        StartFailed: No worker or dispatcher came up; names the logs.
    """
    with ExitStack() as stack:
        server = ChaosServer(folder.path / "home", NAMESPACE, order.keeping)
        stack.callback(server.close)
        environment = {
            **server.settings.environment(),
            **order.environment,
            FOLDER: str(folder.path),
        }
        crew = Crew(folder, environment)
        stack.callback(crew.stop)
        ledger = Ledger(server.settings)
        stack.callback(ledger.close)
        crew.dispatch(order.dispatchers, order.arguments)
        _wait(lambda: len(ledger.overview().workers) >= len(crew.workers), folder, "worker-*")
        _wait(lambda: _ready(folder) == order.dispatchers, folder, "dispatcher-*")
        folder.go.write_text(str(time.monotonic() + order.seconds), encoding="utf-8")
        yield server, crew


def _ready(folder: RunFolder) -> int:
    return sum(any(line["what"] == "ready" for line in read(path)) for path in folder.dispatchers)


def _wait(reached: Callable[[], bool], folder: RunFolder, who: str) -> None:
    give_up_at = time.monotonic() + START_PATIENCE
    while not _is(reached):
        if time.monotonic() > give_up_at:
            raise StartFailed(f"{who} did not start within {START_PATIENCE:g} s: {folder.log(who)}")
        time.sleep(LOOK_EVERY)


def _is(reached: Callable[[], bool]) -> bool:
    with suppress(LedgerUnavailable):  # the machine has much to do
        return reached()
    return False


def audit(server: ChaosServer, folder: RunFolder) -> None:
    """Gather every turn once more, by a dispatcher that none of them knows."""
    turn_ids = [turn.turn_id for turn in read_history(folder).promised]
    with Dispatcher(load_tools(TOOLS), server.settings) as dispatcher:
        found = [_attached(dispatcher, turn_id, folder) for turn_id in turn_ids]
        attached = [turn for turn in found if turn is not None]
        give_up_at = time.monotonic() + AUDIT_PATIENCE
        for turn in attached:
            while turn.state is not TurnState.COMPLETE and time.monotonic() < give_up_at:
                turn.wait_news(turn.watch.ended, give_up_at - time.monotonic())
            if turn.state is TurnState.COMPLETE:
                append(folder.audit, "gathered", {**gathered(turn), "by": "audit"})


def _attached(dispatcher: Dispatcher, turn_id: str, folder: RunFolder) -> TurnHandle | None:
    """Attach to a turn, however busy the machine is; None when the ledger does not have it."""
    while True:
        try:
            return dispatcher.attach(turn_id)
        except TurnUnknown as error:
            append(folder.audit, "unknown", {"turn": turn_id, "error": str(error)})
            return None
        except LedgerUnavailable:
            time.sleep(LOOK_EVERY)
