"""What the dispatchers for threads and for event loops have in common: all that does not wait."""

from __future__ import annotations

from typing import Any, TypedDict, Unpack

from toolferry import NO_EXTENSIONS, Extensions, Registry, Repairs
from toolferry.choosing import Choice
from toolferry_dispatcher.core import Core
from toolferry_dispatcher.menu import Menu, menu_of
from toolferry_dispatcher.policies import FROM_ENVIRONMENT, policy_source
from toolferry_dispatcher.providers import ExamplePlace, Export, Strictness
from toolferry_dispatcher.undoing import Undoing, undoing_of
from toolferry_ledger import Approvals, Keeping, PolicySource, Settings, Signer, load_settings
from toolferry_policies import NO_LIMITS, Limits, Policy


class Governance(TypedDict, total=False):
    """What a dispatcher judges calls by besides their tools; see `Dispatcher`."""

    policy: PolicySource | None
    extensions: Extensions
    limits: Limits
    repairs: Repairs


class BaseDispatcher:
    """The agent's side. Thread-safe; make one per process and keep it.

    Args:
        registry: The tools that models may be offered.
        settings: Which system; read from the environment when None, and then, when nothing is
            configured, an embedded server is started.
        policy: What operators declare about the tools; the file that `TOOLFERRY_POLICY` names, or
            `toolferry.toml`, when not given, and nothing when None.
        extensions: Fact providers, interceptors and hooks, after those of the registry.
        limits: Budgets and the loop guard: what calls are counted against, where the policy says
            nothing else.
        repairs: What may be put right about the arguments of calls; see `Repair`.

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
        repairs: Repairs = Repairs.ALL,
    ) -> None:
        self.registry = registry
        policies = policy_source(policy)
        self._core = Core(
            registry, settings or load_settings(), policies, extensions, limits, repairs
        )

    @property
    def approvals(self) -> Approvals:
        """The calls of the system that wait for people: to list, approve and deny them.

        They talk to the server: on an event loop, use a thread.
        """
        return self._core.approvals

    @property
    def policy(self) -> Policy:
        """What operators declare about the tools, as it holds now."""
        return self._core.policies.current()

    @property
    def extensions(self) -> Extensions:
        """What is asked about every call besides the checks: its registry's, then its own."""
        return self._core.extensions

    @property
    def keeping(self) -> Keeping:
        """How long the records of the system are kept."""
        return self._core.ledger.settings.keeping

    @property
    def signer(self) -> Signer:
        """What signs and opens the records of this system."""
        return self._core.signer

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
        strictness: str = Strictness.NEVER,
        **choice: Unpack[Choice],
    ) -> list[dict[str, Any]]:
        """Give the tools as a request to that provider takes them.

        Args:
            provider: The format.
            examples: Where the tools' examples go, an `ExamplePlace`: "native", "description",
                "schema" or "nowhere".
            strictness: Whether the provider shall hold the model to the schemas; see `export`,
                which alone says what a request needs besides for that.
            **choice: Which tools; see `menu`.

        Raises:
            ConfigurationError: There is no such provider, profile, strictness, or place for
                examples; or strict is demanded where a request needs more for it than its tools.
            ToolInvalid: As of `export`.
        """
        return self.menu(**choice).schemas(provider, examples, strictness)

    def export(
        self,
        provider: str = "openai-chat",
        strictness: str = Strictness.NEVER,
        examples: str = ExamplePlace.NATIVE,
        **choice: Unpack[Choice],
    ) -> Export:
        """Give the tools as a request to that provider takes them, and what got lost on the way.

        Args:
            provider: The format.
            strictness: Whether the provider shall hold the model to the schemas, a `Strictness`:
                "never", "where_possible" or "demanded". What a request needs beside its tools for
                that is in `request` of what is given.
            examples: Where the tools' examples go; see `schemas`.
            **choice: Which tools; see `menu`.

        Raises:
            ConfigurationError: There is no such provider, profile, strictness, or place for
                examples.
            ToolInvalid: Two of the tools would go by one name on the provider's wire, one has a
                schema that cannot be said, or strict is demanded of one that cannot be.
        """
        return self.menu(**choice).export(provider, strictness, examples)

    def _undoing(self, call_key: str) -> Undoing:
        return undoing_of(self._core, call_key)
