"""The dispatcher: hand in a model's response, get its results back."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Self, Unpack

from toolferry_dispatcher.base import BaseDispatcher, Governance
from toolferry_dispatcher.handle import TurnHandle
from toolferry_dispatcher.late import LateResult, confirm, late_results
from toolferry_dispatcher.listening import listen
from toolferry_dispatcher.live import LiveRegistry
from toolferry_dispatcher.options import DispatchOptions
from toolferry_dispatcher.prepare import Request
from toolferry_ledger import (
    NEWEST,
    LedgerEvent,
    Mismatch,
    Settings,
    Withdrawal,
)


class Dispatcher(BaseDispatcher):
    """The agent's side, for threads; see `BaseDispatcher` for what it is made with."""

    @classmethod
    def from_ledger(
        cls, settings: Settings | None = None, **governance: Unpack[Governance]
    ) -> Self:
        """Make a dispatcher of the tools that live workers can run, without any code of them.

        What workers offer is read now, and again every 2 s from a thread: workers may come, go
        and change while it is used. `registry` holds definitions only.

        Args:
            settings: As above.
            **governance: Policy, extensions and limits as above; of what workers offer there are no
                extensions.

        Raises:
            ConfigurationError: A setting is missing or wrong.
            LedgerUnavailable: The server does not answer.
        """
        dispatcher = cls(LiveRegistry(), settings, **governance)
        try:
            dispatcher.check()
        except BaseException:
            dispatcher.close()
            raise
        return dispatcher

    def check(self) -> list[Mismatch]:
        """Compare with what the live workers offer; each difference is named in the log once.

        A dispatcher does this by itself at its first dispatch. One that has its tools from the
        ledger takes them over anew, and gives where live workers disagree.

        Raises:
            LedgerUnavailable: The server does not answer.
        """
        return self._core.check()

    def dispatch(self, response: object, **options: Unpack[DispatchOptions]) -> TurnHandle:
        """Judge the calls of a model's response and send those that may run to the workers.

        At least once, and idempotent by `turn_id`: the same response under the same id attaches
        to the turn that is there. When this returns, every call is in the ledger and will get
        exactly one result, whatever dies.

        Args:
            response: As the provider's SDK gives it, a dict, JSON text, the chunks of a stream, or
                plain `ToolCall`s.
            **options: See `DispatchOptions`.

        Raises:
            ResponseMalformed: The response cannot be read; names the field.
            LedgerUnavailable: The server does not answer; the sentence says how to try again.
            TurnConflict: The turn id stands for other calls already.
        """
        turn = self._core.open(Request(response=response, **options))
        return TurnHandle(turn, self._core.ledger)

    def attach(self, turn_id: str) -> TurnHandle:
        """Follow a turn that any process has dispatched.

        Raises:
            TurnUnknown: The ledger has no such turn, or it has expired.
            LedgerUnavailable: The server does not answer.
        """
        return TurnHandle(self._core.attach(turn_id), self._core.ledger)

    def late_results(self, conversation_id: str, tenant: str = "default") -> list[LateResult]:
        """Read the results that a conversation has not been told: of calls that it went on without.

        In the order of their ends. Each comes again until it is confirmed, so that a process that
        dies before it has stored the message loses nothing.

        Args:
            conversation_id: As it was given to `dispatch`.
            tenant: Of the context that was given with it: another tenant's conversation of the
                same name is another one.

        Raises:
            ConfigurationError: The name is empty.
            LedgerUnavailable: The server does not answer.
        """
        self._core.check_process()
        return late_results(self._core.ledger, tenant, conversation_id)

    def confirm_late(self, *late: LateResult) -> list[LateResult]:
        """Say that late results are stored with their conversation: they never come again.

        Returns:
            Those that were not confirmed before: of several processes that confirm the same one,
            one gets it back at the most.

        Raises:
            LedgerUnavailable: The server does not answer; confirm again.
        """
        self._core.check_process()
        return confirm(self._core.ledger, late)

    def cancel(self, name: str, reason: str = "") -> dict[str, Withdrawal]:
        """Cancel a turn or one call that any process has dispatched; see `TurnHandle.cancel`.

        Args:
            name: The turn's id, or the call's key: the turn's id, a colon, and its position from 0.
            reason: Why, one sentence for model and people.

        Returns:
            By call id, in the model's order, what became of each call.

        Raises:
            TurnUnknown: The ledger has no such turn or call, or it has expired.
            LedgerUnavailable: The server does not answer; some may have been cancelled.
        """
        self._core.check_process()
        return self._core.canceller.cancel(name, reason)

    def undo(self, call_key: str) -> TurnHandle:
        """Take a call back that any process has dispatched, by the tool that its tool names.

        That is a call of its own, judged as any is; taking a call back twice is taking it back
        once. Nothing is changed when it is refused.

        Args:
            call_key: The turn's id, a colon, and the call's position from 0.

        Raises:
            CallUnknown: The ledger does not have the call, or not any more.
            UndoRefused: It cannot be taken back, or its principal may not do that; says why.
            LedgerUnavailable: The server does not answer; try again.
        """
        undoing = self._undoing(call_key)
        return self.dispatch([undoing.call], **undoing.options)

    def events(self, after: str = NEWEST) -> Iterator[LedgerEvent]:
        """Listen to the late results, dead letters and ended replays of the system, without an end.

        What is listened to begins with this call. A server that is away is waited for.

        Args:
            after: The `position` of the last event that was heard, to miss none; `NEWEST` hears
                what comes, `OLDEST` also what is still kept.

        Raises:
            LedgerUnavailable: The server does not answer at first.
        """
        return listen(self._core.ledger, after)

    def close(self) -> None:
        """Let go of the server; turns go on in the ledger."""
        self._core.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
