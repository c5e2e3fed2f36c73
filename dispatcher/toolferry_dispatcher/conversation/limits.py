"""The limits of a conversation: how much it may come to before it stops by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from toolferry import ConfigurationError
from toolferry_dispatcher.conversation.reasons import EndReason


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationLimits:
    """What the loop may come to, from the first request to the answer, pauses not counted.

    None limits nothing.

    Raises:
        ConfigurationError: A limit is negative, or no number.
    """

    #: Responses of the model, 0 or more.
    rounds: int | None = 25
    #: Calls that the model asks for, 0 or more. A response that asks for too many runs none.
    calls: int | None = None
    #: Seconds of working, 0 or more: of the model, and of waiting for calls; not those in which
    #: somebody looks at an event.
    seconds: float | None = None
    #: The sum of what `price` says of the responses and of the declared `Tool.cost` of the calls.
    cost: float | None = None

    def __post_init__(self) -> None:
        for name in self.__slots__:
            limit = getattr(self, name)
            if limit is not None and not (isinstance(limit, int | float) and limit >= 0):
                reason = f"must be 0 or more, or None, not {limit!r}"
                raise ConfigurationError(f"limits.{name}", reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a conversation has come to."""

    rounds: int = 0
    calls: int = 0
    seconds: float = 0.0
    cost: float = 0.0


#: What ends a conversation for each limit.
_REASONS: Final = {
    "rounds": EndReason.ROUNDS,
    "calls": EndReason.CALLS,
    "seconds": EndReason.SECONDS,
    "cost": EndReason.COST,
}


def used_up(limits: ConversationLimits, spent: Spent) -> EndReason | None:
    """Tell which limit leaves nothing for another request to the model.

    >>> used_up(ConversationLimits(rounds=2), Spent(rounds=2))
    <EndReason.ROUNDS: 'rounds'>
    >>> used_up(ConversationLimits(calls=2), Spent(rounds=2, calls=2)) is None
    True
    """
    for name in ("rounds", "seconds", "cost"):
        limit = getattr(limits, name)
        if limit is not None and getattr(spent, name) >= limit:
            return _REASONS[name]
    return None


def too_much(limits: ConversationLimits, spent: Spent) -> EndReason | None:
    """Tell which limit is passed by calls that would be sent.

    Args:
        limits: What is allowed.
        spent: What the conversation would have come to with them.

    >>> too_much(ConversationLimits(calls=2), Spent(calls=3))
    <EndReason.CALLS: 'calls'>
    """
    for name in ("calls", "cost"):
        limit = getattr(limits, name)
        if limit is not None and getattr(spent, name) > limit:
            return _REASONS[name]
    return None


def sentence_of(reason: EndReason, limits: ConversationLimits, spent: Spent) -> str:
    """Say in a sentence which limit ended a conversation, and what it had come to."""
    limit, so_far = getattr(limits, reason.value), getattr(spent, reason.value)
    wanted = " with the calls that the model asks for" if reason is EndReason.CALLS else ""
    return (
        f"The conversation may come to {limit:g} {_UNITS[reason]} and has come to"
        f" {so_far:g}{wanted}: raise the limit and resume it, or end it here."
    )


_UNITS: Final = {
    EndReason.ROUNDS: "responses of the model",
    EndReason.CALLS: "calls",
    EndReason.SECONDS: "seconds",
    EndReason.COST: "units of cost",
}
