"""Conversations of the tests: a model that says what it was told to, and a worker by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.samples import response
from toolferry import EffectClass, Registry, tool
from toolferry_dispatcher.conversation import CallsAsked, ConversationEvent, Finished

#: What a person asks at first.
QUESTION = [{"role": "user", "content": "How is it in Oslo and Rome?"}]
OSLO = ("look_up", {"city": "Oslo"})
ROME = ("look_up", {"city": "Rome"})
PAY = ("pay", {"amount": 5})


@tool
async def look_up(city: str) -> str:
    """Tell the weather of a city."""
    return city


@tool(effect=EffectClass.WRITE, confirm=True, display="Pay {amount}", cost=10)
async def pay(amount: int) -> int:
    """Pay an amount."""
    return amount


def talk_tools() -> Registry:
    """Give a registry of the tools of this file."""
    return Registry([look_up, pay])


def says(text: str, finish: str = "stop") -> dict[str, Any]:
    """Write a response without calls."""
    return response(finish=finish, content=text, tool_calls=None)


class Script:
    """A model that gives these responses one after another; an error is raised in its place."""

    def __init__(self, *responses: Any) -> None:
        self._responses = iter(responses)
        #: The messages of each request.
        self.asked: list[list[dict[str, Any]]] = []
        #: The names of the tools of the last request.
        self.offered: list[str] = []

    def __call__(self, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> Any:
        """Take a request and respond."""
        self.asked.append(list(messages))
        self.offered = [one["function"]["name"] for one in tools]
        given = next(self._responses)
        if isinstance(given, BaseException):
            raise given
        return given


def lead(
    events: Iterable[ConversationEvent],
    worker: HandWorker,
    end: Callable[[HandWorker, list[Any]], None] = lambda worker, claims: worker.succeed(*claims),
) -> list[ConversationEvent]:
    """Take the events of a conversation; its calls end as soon as they are asked for."""
    return list(_led(events, worker, end))


def _led(
    events: Iterable[ConversationEvent],
    worker: HandWorker,
    end: Callable[[HandWorker, list[Any]], None],
) -> Iterator[ConversationEvent]:
    for event in events:
        yield event
        if isinstance(event, CallsAsked):
            end(worker, worker.take())


def outcome_of(events: list[ConversationEvent]) -> Any:
    """Give the outcome that a conversation finished with."""
    assert isinstance(events[-1], Finished)
    return events[-1].outcome


def kinds(events: Iterable[ConversationEvent]) -> list[str]:
    """List what happened."""
    return [type(event).__name__ for event in events]


def answers(messages: Iterable[dict[str, Any]]) -> list[str]:
    """List the ids that are answered."""
    return [one["tool_call_id"] for one in messages if one["role"] == "tool"]
