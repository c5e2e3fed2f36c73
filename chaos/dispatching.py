"""One dispatcher of a chaos run: sends turns and gathers them until it is time, or until it dies.

    python -m chaos.dispatching --slot 0 --seed 7 --rate 12 --deadline 60

1. Each turn is written down before its dispatch and again when the dispatch has returned, which is
   when the system has promised its results.
2. What it gathers is written down: the results and the messages.
3. The dispatcher that takes the place of a killed one finds both in the journal of their slot. It
   attaches to turns that were promised, and dispatches those again of which nobody knows whether
   they were taken, under the same id.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from chaos.crew import TOOLS
from chaos.journal import RunFolder, append, read
from chaos.load import PlannedTurn, number_of, planned
from toolferry import LedgerUnavailable, TurnUnknown, load_tools
from toolferry_dispatcher import Dispatcher, TurnHandle, TurnState
from toolferry_ledger import load_settings

T = TypeVar("T")

#: Turns of one dispatcher that may be open at once: few, so that on a slow machine calls wait for
#: what was done to them, and not for each other.
MOST_OPEN: Final = 40
#: Seconds that it waits for news between two looks at what is to be sent.
NEWS_PATIENCE: Final = 0.03
#: Seconds beyond the last deadline for which it waits for results.
PATIENCE: Final = 15.0


def gathered(turn: TurnHandle) -> dict[str, Any]:
    """Give what a turn that is complete yields, fit for a journal.

    Returns:
        `{"turn": str, "results": [[call_id, outcome, effect, attempts, code, digest], …],
        "messages": [[call_id, digest], …]}`, a digest of the whole result or message each.
    """
    results = [
        [one.call_id, one.outcome, one.effect, one.attempts, _code(one), _digest(one.to_json())]
        for one in turn.gather(timeout=0)
    ]
    messages = [
        [message["tool_call_id"], _digest(message)]
        for message in turn.messages(timeout=0)
        if message["role"] == "tool"
    ]
    return {"turn": turn.turn_id, "results": results, "messages": messages}


def _code(result: Any) -> str:
    return result.error.code if result.error else ""


def _digest(data: object) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Following:
    """A turn that is waited for."""

    turn: TurnHandle
    by: str


class Sender:
    """Sends and gathers the turns of one slot.

    Args:
        slot: Which one.
        plan: Gives the turn of a number from 0.
        journal: Of the slot.
        deadline: Seconds in which a call has to end.
    """

    def __init__(
        self, slot: int, plan: Callable[[int], PlannedTurn], journal: Path, deadline: float
    ) -> None:
        self._plan = plan
        self._journal = journal
        self._deadline = deadline
        registry = load_tools(TOOLS)
        settings = load_settings()
        self._name = f"dispatcher-{slot}.{os.getpid()}"
        self._first = Dispatcher(registry, settings)
        self._second = Dispatcher(registry, settings)
        self._open: list[Following] = []
        self._to_cancel: list[tuple[float, TurnHandle]] = []
        self._next = 0
        self._give_up_at = time.monotonic() + deadline + PATIENCE

    def resume(self) -> None:
        """Take over the turns that earlier dispatchers of this slot left behind."""
        begun, promised, done = set[str](), set[str](), set[str]()
        for line in read(self._journal):
            kinds = {"begin": begun, "acknowledged": promised, "gathered": done, "given_up": done}
            if line["what"] in kinds:
                kinds[line["what"]].add(line["turn"])
        self._next = 1 + max(map(number_of, begun), default=-1)
        for turn_id in sorted(begun - done, key=number_of):
            if turn_id in promised:
                self._attach(turn_id)
            else:
                self._dispatch(self._plan(number_of(turn_id)))

    def wait_go(self, go: Path) -> float:
        """Say that this dispatcher is there, and wait to be told until when turns are sent."""
        self._note("ready", {"by": self._name})
        while not (text := go.read_text(encoding="utf-8") if go.exists() else ""):
            time.sleep(NEWS_PATIENCE)
        return float(text)

    def send(self, until: float, rate: float) -> None:
        """Send turns at a rate until that time, as long as not too many are open."""
        due = time.monotonic()
        while (now := time.monotonic()) < until:
            if now >= due and len(self._open) < MOST_OPEN:
                due = max(due + 1 / rate, now - 1)
                self._begin()
            self._collect()

    def finish(self) -> None:
        """Gather what is open, however long that is promised to take."""
        while self._open and time.monotonic() < self._give_up_at:
            self._collect()
        for one in self._open:
            self._note("given_up", {"turn": one.turn.turn_id, "by": one.by})
        self._first.close()
        self._second.close()

    def _begin(self) -> None:
        turn = self._plan(self._next)
        self._next += 1
        calls = [[call.call_id, call.tool, call.arguments.get("cell")] for call in turn.calls]
        self._note("begin", {"turn": turn.turn_id, "calls": calls})
        self._dispatch(turn)

    def _dispatch(self, planned_turn: PlannedTurn) -> None:
        turn = self._insist(
            lambda: self._first.dispatch(
                planned_turn.response,
                provider="openai-chat",
                turn_id=planned_turn.turn_id,
                priority=planned_turn.priority,
                context=planned_turn.context,
            )
        )
        if turn is None:
            return
        self._note("acknowledged", {"turn": turn.turn_id})
        self._give_up_at = time.monotonic() + self._deadline + PATIENCE
        self._open.append(Following(turn, self._name))
        if planned_turn.twice:
            self._follow_too(turn.turn_id)
        if planned_turn.cancel_after is not None:
            self._to_cancel.append((time.monotonic() + planned_turn.cancel_after, turn))

    def _attach(self, turn_id: str) -> None:
        with suppress(TurnUnknown):  # its calls then count as lost
            turn = self._insist(lambda: self._first.attach(turn_id))
            if turn is not None:
                self._open.append(Following(turn, self._name))

    def _follow_too(self, turn_id: str) -> None:
        with suppress(TurnUnknown):
            turn = self._insist(lambda: self._second.attach(turn_id))
            if turn is not None:
                self._open.append(Following(turn, f"{self._name}'"))

    def _cancel_due(self) -> None:
        now = time.monotonic()
        for due, turn in [one for one in self._to_cancel if one[0] <= now]:
            self._to_cancel.remove((due, turn))
            if self._insist(turn.cancel) is not None:
                self._note("cancel", {"turn": turn.turn_id})

    def _insist(self, act: Callable[[], T]) -> T | None:
        """Do it until the server answers; None when it does not for as long as is promised."""
        while time.monotonic() < self._give_up_at:
            try:
                return act()
            except LedgerUnavailable:
                time.sleep(0.1)
        return None

    def _collect(self) -> None:
        """Wait a moment for news, and write down what is complete."""
        self._cancel_due()
        if not self._open:
            time.sleep(NEWS_PATIENCE)
            return
        oldest = self._open[0].turn
        oldest.wait_news(oldest.watch.ended, NEWS_PATIENCE)
        for one in [one for one in self._open if one.turn.state is TurnState.COMPLETE]:
            with suppress(LedgerUnavailable):
                self._note("gathered", {**gathered(one.turn), "by": one.by})
                self._open.remove(one)
        for one in [one for one in self._open if one.turn.watch.abandoned]:
            self._note("given_up", {"turn": one.turn.turn_id, "by": one.by})
            self._open.remove(one)

    def _note(self, what: str, keys: dict[str, Any]) -> None:
        append(self._journal, what, keys)


def main() -> None:
    """Be one dispatcher."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slot", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--rate", type=float, required=True, help="turns a second")
    parser.add_argument("--deadline", type=float, required=True, help="seconds")
    parser.add_argument("--poison", type=float, required=True, help="part of the turns")
    options = parser.parse_args()
    folder = RunFolder.of_this_process()

    def plan(number: int) -> PlannedTurn:
        return planned(options.seed, options.slot, number, options.poison)

    sender = Sender(options.slot, plan, folder.dispatcher(options.slot), options.deadline)
    sender.resume()
    sender.send(sender.wait_go(folder.go), options.rate)
    sender.finish()


if __name__ == "__main__":
    main()
