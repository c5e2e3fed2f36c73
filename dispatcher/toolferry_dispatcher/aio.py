"""The asyncio dispatcher: the same core, and never a blocked loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any, Final, Self, TypeVar, Unpack

from toolferry import (
    LedgerUnavailable,
    Registry,
    ResultUnavailable,
    ToolResult,
)
from toolferry_dispatcher.base import BaseDispatcher, Governance
from toolferry_dispatcher.cancelling import NOBODY_WAITS, STOP_PATIENCE, OnTimeout
from toolferry_dispatcher.core import OpenTurn
from toolferry_dispatcher.handle import PAUSE, GatheredTurn
from toolferry_dispatcher.late import LateResult, confirm, late_results
from toolferry_dispatcher.listening import read_on
from toolferry_dispatcher.live import LiveRegistry
from toolferry_dispatcher.options import DispatchOptions
from toolferry_dispatcher.prepare import Request
from toolferry_dispatcher.providers import Told
from toolferry_ledger import (
    NEWEST,
    Ledger,
    LedgerEvent,
    Mismatch,
    PendingApproval,
    Settings,
    Withdrawal,
)

T = TypeVar("T")

#: Threads that talk to the server for the loops; each holds one connection at the most.
THREADS: Final = 4


class AsyncTurn(GatheredTurn):
    """A dispatched turn, to be waited for on an event loop.

    Args:
        turn: The turn as its dispatcher follows it.
        ledger: Where the results are read.
        threads: Where the reading is done.
    """

    def __init__(self, turn: OpenTurn, ledger: Ledger, threads: ThreadPoolExecutor) -> None:
        super().__init__(turn, ledger)
        self._threads = threads

    async def gather(
        self,
        timeout: float | None = None,  # noqa: ASYNC109 -- the same word as everywhere
        on_timeout: OnTimeout = OnTimeout.LEAVE,
    ) -> list[ToolResult]:
        """Wait for every call and give its result: exactly one each, in the model's order.

        Args:
            timeout: Seconds to wait at the most; until 15 s after the last deadline when None.
            on_timeout: What happens then to calls that are still open. With `OnTimeout.CANCEL`
                they are cancelled, and their results waited for up to 5 s more.

        Raises:
            ResultTimedOut: Some calls are still open; they can be gathered later.
            LedgerUnavailable: They were to be cancelled, and the server does not answer.
        """
        await self._wait(timeout, OnTimeout(on_timeout))
        return await self._in_thread(self.in_order)

    async def approvals(self) -> tuple[PendingApproval, ...]:
        """Give what is asked of people about calls of the turn now, in the model's order.

        Raises:
            LedgerUnavailable: The server does not answer.
        """
        return (await self._in_thread(self.look)).approvals

    async def wait_approvals(
        self,
        timeout: float | None = None,  # noqa: ASYNC109 -- the same word as everywhere
    ) -> tuple[PendingApproval, ...]:
        """Wait until every call has ended, or nothing goes on before a person has decided.

        See `TurnHandle.wait_approvals`.

        Raises:
            LedgerUnavailable: The server does not answer.
        """
        give_up_at = time.monotonic() + self.patience(timeout)
        while True:
            seen = frozenset(self.watch.ended)
            standing = await self._in_thread(self.look)
            left = give_up_at - time.monotonic()
            if standing.is_still or self.watch.is_over or left <= 0:
                return standing.approvals
            await self._until(partial(self.has_news, seen), standing.until_next_look(left))

    async def wait_news(self, seen: AbstractSet[int], patience: float) -> None:
        """Wait until a call has ended whose position was not seen, or for so many seconds."""
        await self._until(partial(self.has_news, seen), patience)

    async def cancel(self, reason: str = "") -> dict[str, Withdrawal]:
        """Cancel every call of the turn; see `TurnHandle.cancel`.

        Raises:
            LedgerUnavailable: The server does not answer; some may have been cancelled.
        """
        return await self._in_thread(lambda: self.withdraw(reason))

    async def __aiter__(self) -> AsyncIterator[ToolResult]:
        """Give each result as its call ends, in the order of the ends.

        Raises:
            ResultTimedOut: Some calls were still open 15 s after the last deadline.
        """
        seen: set[int] = set()
        while len(seen) < len(self.meta.calls):
            await self._until(partial(self.has_news, frozenset(seen)), self.patience(None))
            fresh = self.watch.ended - seen
            known = await self._in_thread(self.read_ended)
            if not fresh or not fresh <= known.keys():
                await self._in_thread(self.in_order)
                continue
            seen |= fresh
            for position in sorted(fresh, key=lambda at: known[at].finished_at):
                yield known[position]

    async def messages(
        self,
        timeout: float | None = None,  # noqa: ASYNC109 -- the same word as everywhere
        on_timeout: OnTimeout = OnTimeout.LEAVE,
    ) -> list[dict[str, Any]]:
        """Wait until something can be said of every call and write the turn for the next request.

        See `TurnHandle.messages`.

        Raises:
            ResultTimedOut: Some calls are still open, and not to be answered yet.
            LedgerUnavailable: The server does not answer, and the time is over.
        """
        return await self._say(self.write_messages, timeout, OnTimeout(on_timeout))

    async def told(
        self,
        timeout: float | None = None,  # noqa: ASYNC109 -- the same word as everywhere
        on_timeout: OnTimeout = OnTimeout.LEAVE,
    ) -> list[Told]:
        """Give what `messages` writes, one a call; see `TurnHandle.told`."""
        return await self._say(self.tell, timeout, OnTimeout(on_timeout))

    async def _say(self, say: Callable[[], T], patience: float | None, on_timeout: OnTimeout) -> T:
        give_up_at = time.monotonic() + self.patience(patience)
        await self._until_told(give_up_at)
        if on_timeout is OnTimeout.CANCEL and not self.can_tell:
            await self.cancel(NOBODY_WAITS)
            await self._until(lambda: self.watch.is_over, STOP_PATIENCE)
        while True:
            try:
                return await self._in_thread(say)
            except LedgerUnavailable:
                if time.monotonic() + PAUSE > give_up_at:
                    raise
            await asyncio.sleep(PAUSE)

    async def _until_told(self, give_up_at: float) -> None:
        while (until := min(self.told_at, give_up_at)) > (now := time.monotonic()):
            await self._until(self.comes_sooner(until), until - now)

    async def _wait(self, patience: float | None, on_timeout: OnTimeout) -> None:
        await self._until(lambda: self.watch.is_over, self.patience(patience))
        if on_timeout is OnTimeout.CANCEL and not self.watch.is_over:
            await self.cancel(NOBODY_WAITS)
            await self._until(lambda: self.watch.is_over, STOP_PATIENCE)

    async def _until(self, reached: Callable[[], bool], patience: float) -> None:
        """Wait, without a thread, until the watch tells that a state is reached, or for so long."""
        loop, changed = asyncio.get_running_loop(), asyncio.Event()

        def tell() -> None:
            with suppress(RuntimeError):  # a loop that was closed while it waited
                loop.call_soon_threadsafe(changed.set)

        self.watch.listen(tell)
        self._inbox.attend()
        try:
            async with asyncio.timeout(patience):
                while not reached():
                    changed.clear()
                    if not reached():
                        await changed.wait()
        except TimeoutError:
            return
        finally:
            self.watch.ignore(tell)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        if self.watch.abandoned is not None:  # the threads may be gone
            raise ResultUnavailable(self.turn_id, self.watch.abandoned)
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


class AsyncDispatcher(BaseDispatcher):
    """The agent's side, for event loops; may serve several loops and threads at once.

    Everything that talks to the server or the broker runs in a few threads of its own, so that no
    loop is ever blocked. See `BaseDispatcher` for what it is made with, `Dispatcher` for what it
    guarantees.
    """

    def __init__(
        self, registry: Registry, settings: Settings | None = None, **governance: Unpack[Governance]
    ) -> None:
        super().__init__(registry, settings, **governance)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="toolferry-dispatch")

    @classmethod
    async def from_ledger(
        cls, settings: Settings | None = None, **governance: Unpack[Governance]
    ) -> Self:
        """Make a dispatcher of the tools that live workers can run; see `Dispatcher.from_ledger`.

        Raises:
            ConfigurationError: A setting is missing or wrong.
            LedgerUnavailable: The server does not answer.
        """
        dispatcher = cls(LiveRegistry(), settings, **governance)
        try:
            await dispatcher.check()
        except BaseException:
            await dispatcher.aclose()
            raise
        return dispatcher

    async def check(self) -> list[Mismatch]:
        """Compare with what the live workers offer; each difference is named in the log once.

        A dispatcher does this by itself at its first dispatch. One that has its tools from the
        ledger takes them over anew, and gives where live workers disagree.

        Raises:
            LedgerUnavailable: The server does not answer.
        """
        return await self._in_thread(self._core.check)

    async def dispatch(self, response: object, **options: Unpack[DispatchOptions]) -> AsyncTurn:
        """Judge the calls of a model's response and send those that may run to the workers.

        Args:
            response: As `Dispatcher.dispatch` takes it, or an asynchronous stream of chunks.
            **options: See `DispatchOptions`.

        Raises:
            ResponseMalformed: The response cannot be read; names the field.
            LedgerUnavailable: The server does not answer; the sentence says how to try again.
            TurnConflict: The turn id stands for other calls already.
        """
        self._core.check_process()
        if isinstance(response, AsyncIterator):
            response = [chunk async for chunk in response]
        request = Request(response=response, **options)
        return self._turn(await self._in_thread(lambda: self._core.open(request)))

    async def attach(self, turn_id: str) -> AsyncTurn:
        """Follow a turn that any process has dispatched.

        Raises:
            TurnUnknown: The ledger has no such turn, or it has expired.
            LedgerUnavailable: The server does not answer.
        """
        self._core.check_process()
        return self._turn(await self._in_thread(lambda: self._core.attach(turn_id)))

    async def late_results(self, conversation_id: str, tenant: str = "default") -> list[LateResult]:
        """Read what a conversation has not been told yet; see `Dispatcher.late_results`."""
        self._core.check_process()
        return await self._in_thread(
            lambda: late_results(self._core.ledger, tenant, conversation_id)
        )

    async def confirm_late(self, *late: LateResult) -> list[LateResult]:
        """Say that late results are stored; see `Dispatcher.confirm_late`."""
        self._core.check_process()
        return await self._in_thread(lambda: confirm(self._core.ledger, late))

    async def cancel(self, name: str, reason: str = "") -> dict[str, Withdrawal]:
        """Cancel a turn or one call that any process has dispatched; see `Dispatcher.cancel`.

        Raises:
            TurnUnknown: The ledger has no such turn or call, or it has expired.
            LedgerUnavailable: The server does not answer; some may have been cancelled.
        """
        self._core.check_process()
        return await self._in_thread(lambda: self._core.canceller.cancel(name, reason))

    async def undo(self, call_key: str) -> AsyncTurn:
        """Take a call back that any process has dispatched; see `Dispatcher.undo`.

        Raises:
            CallUnknown: The ledger does not have the call, or not any more.
            UndoRefused: It cannot be taken back, or its principal may not do that; says why.
            LedgerUnavailable: The server does not answer; try again.
        """
        undoing = await self._in_thread(lambda: self._undoing(call_key))
        return await self.dispatch([undoing.call], **undoing.options)

    async def events(self, after: str = NEWEST) -> AsyncGenerator[LedgerEvent, None]:
        """Listen to late results, dead letters and ended replays; see `Dispatcher.events`.

        What is listened to begins with the first event that is asked for.
        """
        ledger = self._core.ledger
        position, events = await self._in_thread(lambda: ledger.read_events(after, 0))
        while True:
            for event in events:
                yield event
            # Not in the dispatcher's own threads: whoever listens would keep one from its turns.
            position, events = await asyncio.to_thread(read_on, ledger, position)

    async def aclose(self) -> None:
        """Let go of the server; turns go on in the ledger."""
        await self._in_thread(self._core.close)
        self._threads.shutdown(wait=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    def _turn(self, turn: OpenTurn) -> AsyncTurn:
        return AsyncTurn(turn, self._core.ledger, self._threads)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)
