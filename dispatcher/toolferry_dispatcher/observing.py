"""Observing: interceptors and hooks hear of each result that a dispatcher reads.

They are told from a thread of their own, one after the other, and nobody waits for them: whatever
they do, they neither change nor slow a result. What goes wrong is told in the log.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import Any, Final

from toolferry import Extensions, Hook, Interceptor, ToolResult, call_key
from toolferry_dispatcher.meta import TurnMeta
from toolferry_ledger import Asker, Question, Silence, get_log
from toolferry_policies import EndedCall, Facts, name_of

log = get_log(__name__)

#: Messages that may wait; with more, observers are so slow that the rest is not told.
MAX_WAITING: Final = 10_000
#: Seconds that closing waits for what is still to be told.
LAST_WORDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Message:
    """Something to be told to one function."""

    name: str
    function: Hook
    #: Its arguments.
    about: tuple[Any, ...]
    #: Seconds.
    within: float
    call_key: str


class Observing:
    """Tells messages in their order. Any thread may use it; the thread is made when needed.

    Args:
        asker: Calls the functions.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._waiting: SimpleQueue[Message | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def tell(self, message: Message) -> None:
        """Have something told, later."""
        if self._waiting.qsize() >= MAX_WAITING:
            log.error("hook.missed", call_key=message.call_key, hook=message.name)
            return
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._live, name="toolferry-observing", daemon=True
                )
                self._thread.start()
        self._waiting.put(message)

    def close(self) -> None:
        """Tell what is left, for a moment."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread:
            self._waiting.put(None)
            thread.join(LAST_WORDS)

    def _live(self) -> None:
        while (message := self._waiting.get()) is not None:
            about = tuple(_own_copy(one) for one in message.about)
            question = Question(message.function, about, message.within)
            (answer,) = self._asker.ask([question])
            if isinstance(answer, Silence):
                keys = {"call_key": message.call_key, "hook": message.name}
                log.error("hook.failed", **keys, detail=answer.why)


def _own_copy(told: Any) -> Any:
    """Give what an observer may change, without changing what a model is told."""
    match told:
        case ToolResult():
            return deepcopy(told)
        case EndedCall():
            return replace(told, result=deepcopy(told.result))
    return told


class TurnObserver:
    """Who hears of the results of one turn: each result once.

    Args:
        meta: The turn.
        extensions: Whose hooks hear of it.
        entered: For each call the interceptors that hear of it, and its facts.
        tell: Has a message told.
    """

    def __init__(
        self,
        meta: TurnMeta,
        extensions: Extensions,
        entered: Mapping[int, tuple[Facts, list[Interceptor]]],
        tell: Callable[[Message], None],
    ) -> None:
        self._meta = meta
        self._hooks = extensions.hooks
        self._entered = entered
        self._tell = tell
        self._told: set[int] = set()
        self._lock = threading.Lock()

    def hear(self, results: Mapping[int, ToolResult]) -> None:
        """Pass on the results that were not passed on before, by position."""
        with self._lock:
            fresh = sorted(results.keys() - self._told)
            self._told.update(fresh)
        for at in fresh:
            for message in self._messages(at, results[at]):
                self._tell(message)

    def _messages(self, at: int, result: ToolResult) -> Iterator[Message]:
        """Give who hears of a result: the hooks, then the interceptors from the inside out."""
        key = call_key(self._meta.turn_id, at)
        ended = EndedCall(
            call_key=key,
            result=result,
            conversation_id=self._meta.conversation_id,
            tenant=self._meta.tenant,
            labels=self._meta.labels,
        )
        for hooks in self._hooks:
            for one in hooks.result if hooks.concerns(result.name) else ():
                yield Message(name_of(one), one, (ended,), hooks.within, key)
        facts, entered = self._entered.get(at, (None, []))
        for interceptor in reversed(entered):
            if interceptor.after is not None:
                about = (facts, result)
                yield Message(interceptor.name, interceptor.after, about, interceptor.within, key)
