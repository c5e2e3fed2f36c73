"""The effect table, row by row, with the rules of all rooms: nothing is judged elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from typing import Any, Final

import pytest

from tests.ledger.samples import make_spec
from toolferry import (
    CallState,
    CancelCall,
    Effect,
    EffectClass,
    Registry,
    RetryCall,
    RetryPolicy,
    Tool,
    ToolCall,
    ToolError,
    ToolResult,
    render,
)
from toolferry.result import DOUBT
from toolferry_ledger import Settlement, Spec, Suspect, conclude, overdue_end, read_result
from toolferry_ledger.endings import cancelled_end
from toolferry_policies import Care, Happening, care_of, is_dead_letter, treatment
from toolferry_testing import Raises, Rehearsal, Returns, TimesOut
from toolferry_testing.parts import Part
from toolferry_worker.verdicts import judge_lost, judge_stopped

#: The five kinds of tools: effect class, and whether idempotent.
KINDS: Final = [
    (EffectClass.READ, True),
    (EffectClass.WRITE, True),
    (EffectClass.WRITE, False),
    (EffectClass.DESTRUCTIVE, True),
    (EffectClass.DESTRUCTIVE, False),
]
#: What a handler does that comes to each happening.
PARTS: Final[Mapping[Happening, Part]] = {
    Happening.RETURNED: Returns("done"),
    Happening.RAISED: Raises(RuntimeError("It broke.")),
    Happening.EXPLAINED: Raises(ToolError("no_such_order", "No.", retryable=True)),
    Happening.ASKED_AGAIN: Raises(RetryCall(after=0)),
    Happening.DID_NOTHING: Raises(RetryCall(after=0, effect=Effect.NONE)),
    Happening.TIMED_OUT: TimesOut(),
    Happening.CANCELLED_RUNNING: Raises(CancelCall("The user has left.")),
}
#: What a handler says in words of its own is told as it is.
OWN_WORDS: Final = {Happening.EXPLAINED, Happening.CANCELLED_RUNNING}


def _overdue(spec: Spec, suspect: Suspect) -> Settlement:
    return conclude(spec, suspect, overdue_end(spec, suspect), suspect.now)


def _never_started(spec: Spec, suspect: Suspect) -> Settlement:
    return _overdue(spec, replace(suspect, state=CallState.QUEUED, attempt=0, started_at=None))


def _lease_lost(spec: Spec, suspect: Suspect) -> Settlement:
    return _overdue(spec, replace(suspect, abandoned=True))


def _withdrawn_early(spec: Spec, suspect: Suspect) -> Settlement:
    end = cancelled_end(spec, "", started=False)
    return conclude(spec, replace(suspect, attempt=0, started_at=None), end, suspect.now)


def _withdrawn(spec: Spec, suspect: Suspect) -> Settlement:
    return _overdue(spec, replace(suspect, cancelled="", abandoned=True))


#: Who judges what no handler tells. Of lost data there is no record to judge; see the dispatcher.
JUDGES: Final[Mapping[Happening, Callable[[Spec, Suspect], Settlement]]] = {
    Happening.NEVER_STARTED: _never_started,
    Happening.WORKER_LOST: judge_lost,
    Happening.LEASE_LOST: _lease_lost,
    Happening.STOPPED: lambda spec, suspect: judge_stopped(spec, suspect, suspect.now),
    Happening.CANCELLED_UNSTARTED: _withdrawn_early,
    Happening.CANCELLED_RUNNING: _withdrawn,
}


def policy(attempts: int) -> RetryPolicy:
    """Give a policy that retries after everything that it may."""
    every = frozenset({"failed", "timed_out", "lost"})
    return RetryPolicy.from_json({"max_attempts": attempts, "base": 0.01, "retry_on": every})


def rehearsed(part: Part, attempts: int, **fields: Any) -> tuple[ToolResult, int]:
    """Give the result of a call whose handler plays a part, and how often it was called."""
    tool = Tool(name="act", retry=policy(attempts), handler=lambda: None, **fields)
    rehearsal = Rehearsal(Registry([tool])).replace("act", part)
    (result,) = rehearsal.dispatch([ToolCall("c", "act", {})]).results
    return result, len(rehearsal.handled)


def judged(
    judge: Callable[[Spec, Suspect], Settlement], attempts: int, **fields: Any
) -> Settlement:
    """Give what is written of an attempt that others judge."""
    spec = make_spec(retry=policy(attempts), **fields)
    suspect = Suspect(
        call_key="t:0",
        fence=1,
        state=CallState.RUNNING,
        spec=spec.to_bytes(),
        signature="",
        attempt=1,
        requested_at=100.0,
        started_at=100.0,
        deadline_at=160.0,
        now=101.0,
        abandoned=False,
    )
    return judge(spec, suspect)


def test_every_row_has_a_test_here() -> None:
    """But the one that no record is left of."""
    assert {*PARTS, *JUDGES} == set(Happening) - {Happening.DATA_LOST}


@pytest.mark.parametrize(("happening", "kind"), list(product(PARTS, KINDS)))
def test_what_a_handler_does_is_treated_as_the_table_says(
    happening: Happening, kind: tuple[EffectClass, bool]
) -> None:
    """All the way, but for the server: again or not, outcome, effect, dead letter, words."""
    effect_class, idempotent = kind
    care = care_of(effect_class, repeatable=idempotent)
    row, part = treatment(happening, care), PARTS[happening]
    fields = {"effect": effect_class, "idempotent": idempotent}

    result, _ = rehearsed(part, 1, **fields)
    _, called = rehearsed(part, 2, **fields)

    assert called == (2 if row.again else 1)
    assert (result.outcome, result.effect) == (row.outcome, row.effect)
    dead = is_dead_letter(result.outcome, result.effect, result.error, result.attempts)
    assert dead is row.is_dead_letter
    doubted = care is Care.ONCE and row.effect is Effect.POSSIBLE and happening not in OWN_WORDS
    assert (DOUBT in render(result)) is doubted


@pytest.mark.parametrize(("happening", "kind"), list(product(JUDGES, KINDS)))
def test_what_others_judge_is_treated_as_the_table_says(
    happening: Happening, kind: tuple[EffectClass, bool]
) -> None:
    """With attempts left it goes on or ends; without, it ends; a stop uses up no attempts."""
    effect_class, repeatable = kind
    row = treatment(happening, care_of(effect_class, repeatable=repeatable))
    fields = {"effect_class": effect_class, "repeatable": repeatable}

    first = judged(JUDGES[happening], 2, **fields)
    last = judged(JUDGES[happening], 1, **fields)

    assert first.state.is_open is row.again
    if not last.state.is_open:
        result = read_result(last.result or b"")
        assert (result.outcome, result.effect) == (row.outcome, row.effect)
        assert last.dead is row.is_dead_letter
    else:
        assert happening is Happening.STOPPED
