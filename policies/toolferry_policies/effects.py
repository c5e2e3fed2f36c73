"""What a crash means: one table of what happened to a call and how careful its tool is to be.

1. A *happening* is what became of an attempt, or of a call that has none.
2. A tool's *care* is read off its effect class: a read may always run again, a repeatable write
   too, and any other tool never once an attempt has begun.
3. For each pair the table says whether another attempt may follow, as far as the effect goes; how
   the call ends when none does; what is then known of its effect; and whether that is a dead
   letter, something for a person to look at.

The rules that judge ends look things up here. `docs/effects.md` is this table written out, and the
tests hold the page, the rules and the table together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from toolferry import Effect, EffectClass, Outcome


class Care(StrEnum):
    """How careful one must be with running a tool again."""

    #: It changes nothing.
    READ = "read"
    #: It changes something, and twice is no more than once.
    REPEATABLE = "repeatable"
    #: It changes something, and twice would be twice.
    ONCE = "once"


class Happening(StrEnum):
    """What became of an attempt, or of a call that has none."""

    #: The call's deadline passed, or it was refused, before a handler was called.
    NEVER_STARTED = "never started"
    #: The handler returned.
    RETURNED = "returned"
    #: The handler raised what it had no words for.
    RAISED = "raised"
    #: The handler raised `ToolError`, with a code of its own.
    EXPLAINED = "explained"
    #: The handler raised `RetryCall`, and does not say that nothing happened.
    ASKED_AGAIN = "asked again"
    #: The handler raised `RetryCall(effect="none")`: its word that nothing happened.
    DID_NOTHING = "did nothing"
    #: It outlived its limit, or the call its deadline.
    TIMED_OUT = "timed out"
    #: The process that ran it died.
    WORKER_LOST = "worker lost"
    #: Its worker did not renew the lease, and may still be at it.
    LEASE_LOST = "lease lost"
    #: Its worker shut down and stopped it.
    STOPPED = "stopped"
    #: It was withdrawn before it began.
    CANCELLED_UNSTARTED = "cancelled before it began"
    #: It was withdrawn while it ran, or withdrew itself.
    CANCELLED_RUNNING = "cancelled while it ran"
    #: The server came back without its data.
    DATA_LOST = "server's data lost"


@dataclass(frozen=True, slots=True)
class Treatment:
    """What follows something that happened."""

    #: Whether another attempt is harmless; whether one follows, policy and deadline decide.
    again: bool
    #: How the call ends when none follows.
    outcome: Outcome
    #: What is then known of its effect.
    effect: Effect
    #: Whether a person should look at it.
    is_dead_letter: bool


def care_of(effect_class: EffectClass, *, repeatable: bool) -> Care:
    """Say how careful one must be with a tool.

    Args:
        effect_class: What running it may do.
        repeatable: Whether a tool that changes something is idempotent.

    >>> care_of(EffectClass.DESTRUCTIVE, repeatable=True)
    <Care.REPEATABLE: 'repeatable'>
    """
    if effect_class is EffectClass.READ:
        return Care.READ
    return Care.REPEATABLE if repeatable else Care.ONCE


def treatment(happening: Happening, care: Care) -> Treatment:
    """Look up what follows.

    >>> treatment(Happening.WORKER_LOST, Care.ONCE).effect
    <Effect.POSSIBLE: 'possible'>
    """
    return EFFECTS[happening][care]


def _always(outcome: Outcome, effect: Effect) -> Mapping[Care, Treatment]:
    """Give the row of an end that is the same for every tool, and nobody's concern."""
    return dict.fromkeys(
        Care, Treatment(again=False, outcome=outcome, effect=effect, is_dead_letter=False)
    )


def _changing(
    outcome: Outcome,
    *,
    after: Effect = Effect.POSSIBLE,
    again: frozenset[Care] = frozenset(),
    dead: frozenset[Care] = frozenset(),
) -> Mapping[Care, Treatment]:
    """Give the row of an end after which a read had no effect and others had that of `after`."""
    return {
        care: Treatment(
            again=care in again,
            outcome=outcome,
            effect=Effect.NONE if care is Care.READ else after,
            is_dead_letter=care in dead,
        )
        for care in Care
    }


_ALL: Final = frozenset(Care)
_HARMLESS: Final = frozenset({Care.READ, Care.REPEATABLE})
_CHANGING: Final = frozenset({Care.REPEATABLE, Care.ONCE})

#: What follows what, for every tool.
EFFECTS: Final[Mapping[Happening, Mapping[Care, Treatment]]] = MappingProxyType(
    {
        Happening.NEVER_STARTED: _always(Outcome.TIMED_OUT, Effect.NONE),
        Happening.RETURNED: _changing(Outcome.SUCCEEDED, after=Effect.COMMITTED),
        Happening.RAISED: _changing(Outcome.FAILED, again=_HARMLESS, dead=_ALL),
        Happening.EXPLAINED: _changing(Outcome.FAILED, again=_HARMLESS, dead=_CHANGING),
        Happening.ASKED_AGAIN: _changing(Outcome.FAILED, again=_HARMLESS, dead=_ALL),
        Happening.DID_NOTHING: _changing(Outcome.FAILED, after=Effect.NONE, again=_ALL, dead=_ALL),
        Happening.TIMED_OUT: _changing(Outcome.TIMED_OUT, again=_HARMLESS, dead=_ALL),
        Happening.WORKER_LOST: _changing(Outcome.LOST, again=_HARMLESS, dead=_ALL),
        Happening.LEASE_LOST: _changing(Outcome.LOST, again=_HARMLESS, dead=_ALL),
        Happening.STOPPED: _changing(Outcome.LOST, again=_HARMLESS, dead=_ALL),
        Happening.CANCELLED_UNSTARTED: _always(Outcome.CANCELLED, Effect.NONE),
        Happening.CANCELLED_RUNNING: _changing(Outcome.CANCELLED),
        Happening.DATA_LOST: _changing(Outcome.LOST),
    }
)
