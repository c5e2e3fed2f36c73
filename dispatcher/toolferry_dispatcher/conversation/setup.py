"""How a conversation is led: what an application may say about it."""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, TypedDict

from toolferry import ConfigurationError, Context
from toolferry_dispatcher.cancelling import OnTimeout
from toolferry_dispatcher.conversation.failing import OnFailure, go_on
from toolferry_dispatcher.conversation.limits import ConversationLimits
from toolferry_dispatcher.conversation.option_types import require_callables, require_types
from toolferry_dispatcher.conversation.tries import Tries
from toolferry_dispatcher.menu import Menu
from toolferry_dispatcher.options import DispatchOptions
from toolferry_dispatcher.providers import (
    ExamplePlace,
    Strictness,
    example_place,
    strictness_of,
)


class OnApproval(StrEnum):
    """What a conversation does while nothing goes on before a person has decided."""

    #: It ends with `EndReason.APPROVAL`, to be resumed by any process once that has been decided.
    PAUSE = "pause"
    #: It waits for the decision, or for the deadline of the call.
    WAIT = "wait"


#: Says what a response cost: gets it as the model gave it, a stream put together.
Price = Callable[[Any], float]
#: Keeps the JSON form of a state; may be a coroutine function for an `AsyncConversation`.
StateStore = Callable[[dict[str, Any]], Awaitable[None] | None]


class ConversationOptions(TypedDict, total=False):
    """The options of a conversation; each has the default of `Setup`."""

    provider: str
    request: Mapping[str, Any]
    menu: Menu | None
    strictness: str
    examples: str
    context: Context
    dispatch: DispatchOptions
    limits: ConversationLimits
    tries: Tries
    price: Price
    on_failure: OnFailure
    on_approval: OnApproval
    on_timeout: OnTimeout
    store: StateStore


def _free(_response: Any) -> float:
    return 0.0


def _keep_nothing(_state: dict[str, Any]) -> None:
    return None


#: What a conversation says of each turn itself.
_OWN = frozenset({"provider", "turn_id", "conversation_id", "visible", "context"})
#: The types of the options that are neither words nor functions.
_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "provider": (str,),
    "request": (Mapping,),
    "menu": (Menu, type(None)),
    "context": (Context,),
    "dispatch": (Mapping,),
    "limits": (ConversationLimits,),
    "tries": (Tries,),
}
_FUNCTIONS: Final = ("price", "on_failure", "store", "clock", "wall")


def _word(name: str, given: str, words: type[StrEnum]) -> StrEnum:
    """Read a word, which may be given as plain text."""
    try:
        return words(given)
    except ValueError as error:
        known = ", ".join(words)
        raise ConfigurationError(name, f"{given!r:.80} is none of {known}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """How a conversation is led.

    Raises:
        ConfigurationError: An option is of the wrong type, `dispatch` says what the conversation
            says itself, or there is no such strictness, place for examples, or word for what
            happens.
    """

    #: The format of messages and responses.
    provider: str = "openai-chat"
    #: What goes into every request of an SDK's client beside messages and tools.
    request: Mapping[str, Any] = field(default_factory=dict)
    #: The tools that the model is offered; None asks `Dispatcher.menu()` anew for each request.
    menu: Menu | None = None
    #: Whether the provider is asked to hold the model to the schemas, a `Strictness`; what requests
    #: need for it goes into those of clients.
    strictness: str = Strictness.NEVER
    #: Where the examples of the tools go, an `ExamplePlace`.
    examples: str = ExamplePlace.NATIVE
    #: On whose behalf the calls are judged and run.
    context: Context = field(default_factory=Context)
    #: What every turn is dispatched with besides.
    dispatch: DispatchOptions = field(default_factory=DispatchOptions)
    limits: ConversationLimits = field(default_factory=ConversationLimits)
    #: What responses are taken again that were of no use.
    tries: Tries = field(default_factory=Tries)
    #: What a response costs.
    price: Price = _free
    #: What follows a failed call.
    on_failure: OnFailure = go_on
    on_approval: OnApproval = OnApproval.PAUSE
    #: What becomes of open calls when the seconds of the conversation are over.
    on_timeout: OnTimeout = OnTimeout.LEAVE
    #: Keeps the state at each step: what a crash must not lose.
    store: StateStore = _keep_nothing
    #: Seconds of a clock that only goes forward.
    clock: Callable[[], float] = time.monotonic
    #: Seconds since the epoch.
    wall: Callable[[], float] = time.time

    def __post_init__(self) -> None:
        require_types(self, _TYPES)
        require_callables(self, _FUNCTIONS)
        for name, words in (("on_approval", OnApproval), ("on_timeout", OnTimeout)):
            object.__setattr__(self, name, _word(name, getattr(self, name), words))
        strictness_of(self.strictness)
        example_place(self.examples)
        said = _OWN & self.dispatch.keys()
        if said:
            names = ", ".join(sorted(said))
            reason = f"must not hold {names}: the conversation says that itself"
            raise ConfigurationError("dispatch", reason)

    def price_of(self, response: Any) -> float:
        """Ask what a response cost.

        Raises:
            ConfigurationError: The price is no number of 0 or more: no limit could count it.
        """
        given: Any = self.price(response)
        try:
            price = float(given)
        except (TypeError, ValueError):
            price = math.nan
        if not 0 <= price < math.inf:
            raise ConfigurationError("price", f"gave {given!r:.80}: it must be 0 or more")
        return price
