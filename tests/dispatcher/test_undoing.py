"""Taking calls back that did not simply succeed, or whose handler saw secrets."""

from __future__ import annotations

from collections.abc import Iterator
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
from toolferry_dispatcher import AsyncDispatcher, Dispatcher, UndoRefused
from toolferry_ledger import Settings, conclude, open_spec
from toolferry_policies import AttemptEnd, Budget, BudgetScope, Limits

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


def ended(
    dispatcher: Dispatcher, worker: HandWorker, end: AttemptEnd, turn_id: str | None = None
) -> str:
    """Have a call with a secret made that ends so; give its key."""
    call = ToolCall("c", "enrol", {"name": "ann", "key": "Hunter22"})
    turn = dispatcher.dispatch(call, turn_id=turn_id)
    [claim] = worker.take()
    spec = open_spec(worker.signer, claim)
    worker.ledger.settle([conclude(spec, claim, end, claim.started_at)])
    return f"{turn.turn_id}:0"


@pytest.mark.parametrize("end", [DONE, WITHHELD])
def test_what_has_happened_can_be_taken_back(
    dispatcher: Dispatcher, worker: HandWorker, end: AttemptEnd
) -> None:
    """Also where a hook has withheld what it returned."""
    key = ended(dispatcher, worker, end)

    dispatcher.undo(key)

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
    key = ended(dispatcher, worker, end)

    with pytest.raises(UndoRefused, match=why):
        dispatcher.undo(key)


async def test_a_call_is_taken_back_from_an_event_loop(
    dispatcher: Dispatcher, worker: HandWorker, settings: Settings
) -> None:
    """The dispatcher for event loops has the same powers, and it is the same undo."""
    key = ended(dispatcher, worker, DONE)

    async with AsyncDispatcher(dispatcher.registry, settings) as other:
        turn = await other.undo(key)
        assert not other.extensions
        assert other.signer.verify(b"x", dispatcher.signer.sign(b"x"))

    assert turn.turn_id == dispatcher.undo(key).turn_id
    assert len(worker.take()) == 1


def test_a_call_of_a_turn_with_the_longest_name_can_be_taken_back(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """Twice is once, as ever."""
    key = ended(dispatcher, worker, DONE, turn_id="t" * 200)

    turns = {dispatcher.undo(key).turn_id for _ in range(2)}

    assert len(turns) == 1
    assert len(worker.take()) == 1


@pytest.mark.parametrize("turn_id", ["t", "t" * 200])
def test_what_was_refused_can_be_taken_back_once_that_is_allowed(
    dispatcher: Dispatcher, worker: HandWorker, settings: Settings, turn_id: str
) -> None:
    """A budget that was empty is full again, a policy was changed; then it happens once."""
    key = ended(dispatcher, worker, DONE, turn_id)
    spent = Limits(budgets=(Budget(scope=BudgetScope.TURN, calls=0),))

    with Dispatcher(dispatcher.registry, settings, limits=spent) as poor:
        refused = [poor.undo(key).gather(5)[0].outcome for _ in range(2)]
    turns = {dispatcher.undo(key).turn_id for _ in range(2)}

    assert refused == [Outcome.DENIED] * 2
    assert len(turns) == 1
    assert len(worker.take()) == 1
