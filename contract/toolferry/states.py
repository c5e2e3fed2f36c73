"""The closed sets: what a call can be, how it can end, and what is known of its effect."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Lane(StrEnum):
    """Where a call runs."""

    #: On the event loop of an async worker; limits by cancellation.
    ASYNC = "async"
    #: In a child process that can be killed.
    PROCESS = "process"


class EffectClass(StrEnum):
    """What running a tool may do to the world."""

    #: Changes nothing; may always be repeated.
    READ = "read"
    #: Changes something that can be put right.
    WRITE = "write"
    #: Changes something that cannot be put right.
    DESTRUCTIVE = "destructive"


class Risk(StrEnum):
    """How much harm a wrong call can do."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class ResultFormat(StrEnum):
    """In which form the model reads a tool's results."""

    #: The JSON envelope.
    ENVELOPE = "envelope"
    #: Plain text: the content itself, notes in brackets after it.
    TEXT = "text"


class Effect(StrEnum):
    """What is known of the effect of one call."""

    #: Nothing happened.
    NONE = "none"
    #: It may or may not have happened.
    POSSIBLE = "possible"
    #: It happened.
    COMMITTED = "committed"


class Outcome(StrEnum):
    """How a call ended."""

    #: The handler returned and its result was kept.
    SUCCEEDED = "succeeded"
    #: The call could not be run, or its handler failed on its last attempt.
    FAILED = "failed"
    #: An attempt outlived its limit, or the call its deadline.
    TIMED_OUT = "timed_out"
    #: A person, the caller or the handler withdrew it.
    CANCELLED = "cancelled"
    #: A policy refused it before it ran.
    DENIED = "denied"
    #: Its worker vanished and it may not be repeated, or not any more.
    LOST = "lost"


class CallState(StrEnum):
    """Where a call stands: five open states, then one outcome."""

    #: An earlier call of its turn has to end first.
    WAITING = "waiting"
    #: A person has to decide first.
    AWAITING_APPROVAL = "awaiting_approval"
    #: Ready to be claimed by a worker.
    QUEUED = "queued"
    #: Claimed: an attempt is under way.
    RUNNING = "running"
    #: An attempt failed; the next one is due at a set time.
    RETRYING = "retrying"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"
    DENIED = "denied"
    LOST = "lost"

    @property
    def is_open(self) -> bool:
        """Whether the call still has to end."""
        return self in OPEN_STATES


#: The states in which a call still has to end.
OPEN_STATES: Final = frozenset(
    {
        CallState.WAITING,
        CallState.AWAITING_APPROVAL,
        CallState.QUEUED,
        CallState.RUNNING,
        CallState.RETRYING,
    }
)

_ENDS: Final = frozenset(CallState) - OPEN_STATES
_NEVER_STARTED: Final = _ENDS - {CallState.SUCCEEDED}

#: The only changes of state there are, each made by a ledger script. How a call ends or goes on
#: after an attempt is looked up here by the script itself, which has no table of its own.
TRANSITIONS: Final[Mapping[CallState, frozenset[CallState]]] = MappingProxyType(
    {
        CallState.WAITING: frozenset({CallState.QUEUED}) | _NEVER_STARTED,
        CallState.AWAITING_APPROVAL: frozenset({CallState.QUEUED, CallState.WAITING})
        | _NEVER_STARTED,
        CallState.QUEUED: frozenset({CallState.RUNNING}) | _NEVER_STARTED,
        CallState.RUNNING: frozenset({CallState.RETRYING, CallState.QUEUED})
        | (_ENDS - {CallState.DENIED}),
        CallState.RETRYING: frozenset({CallState.QUEUED}) | _NEVER_STARTED,
        **{end: frozenset() for end in _ENDS},
    }
)
