"""Taking calls back that did not simply succeed, or whose handler saw secrets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Annotated, Any

import pytest
from pydantic import Field

from tests.dispatcher.hand_worker import HandWorker
from toolferry import (
    CallError,
    Effect,
    EffectClass,
    ErrorCode,
    Outcome,
    Registry,
    ToolCall,
    tool,
)
from toolferry_dispatcher import Dispatcher
from toolferry_dispatcher.undoing import UndoRefused, undo_call
from toolferry_ledger import Bell, CallStory, DeadLetters, Settings, conclude, open_spec
from toolferry_policies import AttemptEnd

DONE = AttemptEnd(outcome=Outcome.SUCCEEDED, undo={"name": "ann"})
WITHHELD = AttemptEnd(
    outcome=Outcome.FAILED,
    error=CallError.of(ErrorCode.BLOCKED, "enrol has run, but it is withheld."),
    retryable=False,
    effect=Effect.COMMITTED,
    undo={"name": "ann"},
)
BROKEN = AttemptEnd(outcome=Outcome.FAILED, effect=Effect.NONE, retryable=False)
WITH_SECRET = AttemptEnd(outcome=Outcome.SUCCEEDED, undo={"name": "ann:[redacted]"})


@tool(effect=EffectClass.WRITE, undo="strike_off")
async def enrol(
    name: str, key: Annotated[str, Field(json_schema_extra={"writeOnly": True})] = ""
) -> None:
    """Put a name on the list."""


@tool(effect=EffectClass.WRITE)
async def strike_off(name: str) -> None:
    """Take a name off the list."""


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher that knows both tools."""
    registry = Registry()
    for one in (enrol, strike_off):
        registry.register(one)
    with Dispatcher(registry, settings) as dispatcher:
        yield dispatcher


def ended(dispatcher: Dispatcher, worker: HandWorker, end: AttemptEnd) -> CallStory:
    """Have a call with a secret made that ends so; give what is known of it."""
    call = ToolCall("c", "enrol", {"name": "ann", "key": "Hunter22"})
    turn = dispatcher.dispatch(call)
    [claim] = worker.take()
    spec = open_spec(worker.signer, claim)
    worker.ledger.settle([conclude(spec, claim, end, claim.started_at)])
    with closing(Bell(worker.ledger.settings)) as bell:
        return DeadLetters(worker.ledger, worker.signer, bell).show(f"{turn.turn_id}:0")


@pytest.mark.parametrize("end", [DONE, WITHHELD])
def test_what_has_happened_can_be_taken_back(
    dispatcher: Dispatcher, worker: HandWorker, end: AttemptEnd
) -> None:
    """Also where a hook has withheld what it returned."""
    story = ended(dispatcher, worker, end)

    undo_call(dispatcher, story)

    [claim] = worker.take()
    made: Any = open_spec(worker.signer, claim)
    assert (made.name, made.arguments) == ("strike_off", {"name": "ann"})


@pytest.mark.parametrize(
    ("end", "why"), [(BROKEN, "it did not succeed"), (WITH_SECRET, "held a secret")]
)
def test_what_nobody_can_take_back_rightly_is_left(
    dispatcher: Dispatcher, worker: HandWorker, end: AttemptEnd, why: str
) -> None:
    """A call is not made with a placeholder in place of a secret."""
    story = ended(dispatcher, worker, end)

    with pytest.raises(UndoRefused, match=why):
        undo_call(dispatcher, story)
