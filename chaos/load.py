"""The load: which calls a turn has. Pure: the same seed, slot and number give the same calls.

So a turn whose dispatcher died before it knew whether the turn was taken can be dispatched again by
another one, as it was.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from toolferry import Context, Priority

#: How many resources the turns share: few to meet on, many enough to go on beside a stalled one.
CELLS: Final = 12
#: Milliseconds that most handlers take, and that some do, so that a kill finds them at work.
SHORT, LONG = (2, 25), (100, 600)
#: Which part of the calls takes long.
LONG_PART: Final = 0.12
#: Which part of the turns is about one cell, holds poison, is gathered twice, is cancelled.
CELL_PART, POISON_PART, TWICE_PART, CANCELLED_PART = 0.4, 0.02, 0.15, 0.03
#: Seconds after its dispatch at which a turn is cancelled at the latest: while its calls run.
LATEST_CANCEL: Final = 0.3

_FREE: Final = (
    *("look", "look", "look_slowly", "take_seat", "stumble"),
    *("charge", "charge_slowly", "charge_later"),
)
_ON_CELL: Final = ("read_cell", "read_cell", "write_cell", "write_cell_slowly", "charge_cell")
_TENANTS: Final = ("north", "south", "west")
# No bulk calls: they run when nothing else waits, so that a slow machine runs them late by intent.
_PRIORITIES: Final = (Priority.NORMAL, Priority.NORMAL, Priority.INTERACTIVE)


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """One call of the load."""

    call_id: str
    tool: str
    arguments: dict[str, int]


@dataclass(frozen=True, slots=True)
class PlannedTurn:
    """One turn of the load, and what its dispatcher does with it."""

    turn_id: str
    calls: tuple[PlannedCall, ...]
    priority: Priority
    tenant: str
    #: Whether a second dispatcher gathers it at the same time.
    twice: bool
    #: Seconds after its dispatch at which it is cancelled; None when it is not.
    cancel_after: float | None

    @property
    def response(self) -> dict[str, Any]:
        """The model's response that asks for it, as Chat Completions."""
        calls = [
            {
                "id": call.call_id,
                "type": "function",
                "function": {"name": call.tool, "arguments": json.dumps(call.arguments)},
            }
            for call in self.calls
        ]
        message = {"role": "assistant", "content": None, "tool_calls": calls}
        return {"choices": [{"message": message, "finish_reason": "tool_calls"}]}

    @property
    def context(self) -> Context:
        """On whose behalf it runs."""
        return Context(principal="chaos", tenant=self.tenant)


def turn_name(slot: int, number: int) -> str:
    """Name the turn of a number from 0 in a slot."""
    return f"s{slot}-{number}"


def number_of(turn_id: str) -> int:
    """Give the number of a turn within its slot.

    >>> number_of(turn_name(2, 17))
    17
    """
    return int(turn_id.partition("-")[2])


def planned(seed: int, slot: int, number: int, poison: float = POISON_PART) -> PlannedTurn:
    """Plan a turn.

    Args:
        seed: Of the run.
        slot: Whose turn.
        number: Which of them, from 0.
        poison: Which part of the turns without a cell holds a poison call, 0 to 1.

    >>> planned(1, 0, 5) == planned(1, 0, 5)
    True
    """
    dice = random.Random(f"{seed}:{slot}:{number}")  # noqa: S311 -- to be drawn again, no secret
    turn_id = turn_name(slot, number)
    names = _on_cell(dice) if dice.random() < CELL_PART else _free(dice, poison)
    cell = dice.randrange(CELLS)
    calls = (
        PlannedCall(f"{turn_id}.{at}", name, _arguments(dice, name, cell))
        for at, name in enumerate(names)
    )
    return PlannedTurn(
        turn_id,
        tuple(calls),
        dice.choice(_PRIORITIES),
        dice.choice(_TENANTS),
        twice=dice.random() < TWICE_PART,
        cancel_after=dice.uniform(0, LATEST_CANCEL) if dice.random() < CANCELLED_PART else None,
    )


def _free(dice: random.Random, poison: float) -> Sequence[str]:
    names = dice.choices(_FREE, k=dice.randint(1, 8))
    if dice.random() < poison:
        names.insert(dice.randrange(len(names)), "drink_poison")
    return names


def _on_cell(dice: random.Random) -> Sequence[str]:
    names = dice.choices((*_ON_CELL, "look"), k=dice.randint(3, 7))
    if dice.random() < 1 / 4:
        names.insert(dice.randrange(len(names) + 1), "reset_board")
    return names


def _arguments(dice: random.Random, name: str, cell: int) -> dict[str, int]:
    work = {"work": dice.randint(*(LONG if dice.random() < LONG_PART else SHORT))}
    return {"cell": cell, **work} if name in _ON_CELL else work
