"""The dispatcher: hand in a model's response, get its results back."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self, Unpack

from toolferry import NO_EXTENSIONS, Extensions, Registry
from toolferry.choosing import Choice
from toolferry_dispatcher.core import Core
from toolferry_dispatcher.handle import TurnHandle
from toolferry_dispatcher.late import LateResult, confirm, late_results
from toolferry_dispatcher.listening import listen
from toolferry_dispatcher.live import LiveRegistry
from toolferry_dispatcher.menu import Menu, menu_of
from toolferry_dispatcher.options import DispatchOptions
from toolferry_dispatcher.policies import FROM_ENVIRONMENT, policy_source
from toolferry_dispatcher.prepare import Request
from toolferry_dispatcher.providers import ExamplePlace
from toolferry_ledger import (
    NEWEST,
    Approvals,
    LedgerEvent,
    Mismatch,
    PolicySource,
    Settings,
    Signer,
    Withdrawal,
    load_settings,
)
from toolferry_policies import NO_LIMITS, Limits, Policy


class Dispatcher:
    """The agent's side, for threads. Thread-safe; make one per process and keep it.

    Args:
        registry: The tools that models may be offered.
        settings: Which system; read from the environment when None, and then, when nothing is
            configured, an embedded server is started.
        policy: What operators declare about the tools; the file that `TOOLFERRY_POLICY` names, or
            `toolferry.toml`, when not given, and nothing when None.
        extensions: Fact providers, interceptors and hooks, after those of the registry.
        limits: Budgets and the loop guard: what calls are counted against.

    Raises:
        ConfigurationError: A setting is missing or wrong.
        PolicyInvalid: The policy file cannot be used; lists its faults, each with its line.
    """

    def __init__(
        self,
        registry: Registry,
        settings: Settings | None = None,
        *,
        policy: PolicySource | None = FROM_ENVIRONMENT,
        extensions: Extensions = NO_EXTENSIONS,
        limits: Limits = NO_LIMITS,
    ) -> None:
        self.registry = registry
        policies = policy_source(policy)
        self._core = Core(registry, settings or load_settings(), policies, extensions, limits)

    @classmethod
    def from_ledger(
        cls,
        settings: Settings | None = None,
        *,
        policy: PolicySource | None = FROM_ENVIRONMENT,
        extensions: Extensions = NO_EXTENSIONS,
        limits: Limits = NO_LIMITS,
    ) -> Self:
        """Make a dispatcher of the tools that live workers can run, without any code of them.

        What workers offer is read now, and again every 2 s from a thread: workers may come, go
        and change while it is used. `registry` holds definitions only.

        Args:
            settings: As above.
            policy: As above.
            extensions: As above; of what workers offer there are none.
            limits: As above.

        Raises:
            ConfigurationError: A setting is missing or wrong.
            LedgerUnavailable: The server does not answer.
        """
        dispatcher = cls(
            LiveRegistry(), settings, policy=policy, extensions=extensions, limits=limits
        )
        try:
            dispatcher.check()
        except BaseException:
            dispatcher.close()
            raise
        return dispatcher

    @property
    def approvals(self) -> Approvals:
        """The calls of the system that wait for people: to list, approve and deny them."""
        return self._core.approvals

    def check(self) -> list[Mismatch]:
        """Compare with what the live workers offer; each difference is named in the log once.

        A dispatcher does this by itself at its first dispatch. One that has its tools from the
        ledger takes them over anew, and gives where live workers disagree.

        Raises:
            LedgerUnavailable: The server does not answer.
        """
        return self._core.check()

    @property
    def policy(self) -> Policy:
        """What operators declare about the tools, as it holds now."""
        return self._core.policies.current()

    @property
    def extensions(self) -> Extensions:
        """What is asked about every call besides the checks: its registry's, then its own."""
        return self._core.extensions

    def menu(self, **choice: Unpack[Choice]) -> Menu:
        """Choose the tools that a model is offered in one turn, as the policy has them.

        `menu.schemas()` goes into the request, the menu itself into `dispatch(visible=menu)`: a
        tool that is not on it is denied. Destructive tools, and those of high risk, are on it only
        when they are asked for.

        Args:
            **choice: Which tools; see `Registry.visible`. `task_type` is a profile of the policy
                file, or else of the registry.

        Raises:
            ConfigurationError: There is no such profile.
        """
        return menu_of(self.registry, self.policy, **choice)

    def schemas(
        self,
        provider: str = "openai-chat",
        examples: str = ExamplePlace.NATIVE,
        **choice: Unpack[Choice],
    ) -> list[dict[str, Any]]:
        """Give the tools as a request to that provider takes them.

        Args:
            provider: The format.
            examples: Where the tools' examples go, an `ExamplePlace`: "native", "description",
                "schema" or "nowhere".
            **choice: Which tools; see `menu`.

        Raises:
            ConfigurationError: There is no such provider, profile, or place for examples.
            ToolInvalid: Two of the tools would go by one name on the provider's wire.
        """
        return self.menu(**choice).schemas(provider, examples)

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

    @property
    def signer(self) -> Signer:
        """What signs and opens the records of this system."""
        return self._core.signer

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
