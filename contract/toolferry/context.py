"""The context: the trusted identity behind a call. Comes from the application, never the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from toolferry.checkpoint import checkpoint_text
from toolferry.codes import ErrorCode
from toolferry.credentials import NO_CREDENTIALS, Credentials
from toolferry.errors import ToolError
from toolferry.wording import type_name

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """On whose behalf, where and with which rights the calls of a turn are judged and run.

    Raises:
        ValueError: Roles or permissions are one text instead of several names, or a secret is no
            text.
    """

    #: The person or service on whose behalf the agent acts.
    principal: str = "anonymous"
    #: The customer or team that owns the data; fairness and limits are kept per tenant.
    tenant: str = "default"
    roles: frozenset[str] = frozenset()
    permissions: frozenset[str] = frozenset()
    #: Where the calls act, for example "staging" or "production".
    environment: str = "development"
    #: The language of the people who watch, as BCP 47.
    locale: str = "en"
    #: What handlers need to act on that behalf, such as the key of an API, by name. It goes
    #: encrypted from the dispatcher to the handler, and is no part of who somebody is: contexts
    #: that differ in nothing else are equal.
    secrets: Mapping[str, str] = field(
        default_factory=lambda: NO_CREDENTIALS, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        if self.secrets is not NO_CREDENTIALS:
            object.__setattr__(self, "secrets", Credentials(self.secrets))
        for name in ("roles", "permissions"):
            value = getattr(self, name)
            if isinstance(value, str):
                sentence = f"context: {name} must be a set of names, not one text"
                raise ValueError(sentence)  # noqa: TRY004 -- as from_json: one error to expect
            object.__setattr__(self, name, frozenset(value))

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form, which has no secrets; equal contexts have equal forms."""
        return {
            "principal": self.principal,
            "tenant": self.tenant,
            "roles": sorted(self.roles),
            "permissions": sorted(self.permissions),
            "environment": self.environment,
            "locale": self.locale,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Context:
        """Read the JSON form.

        Raises:
            ValueError: A key is unknown or a value is of the wrong type; names the key.
        """
        texts = {"principal", "tenant", "environment", "locale"}
        sets = {"roles", "permissions"}
        for key, value in data.items():
            if key in texts and isinstance(value, str):
                continue
            if key in sets and isinstance(value, list) and all(isinstance(v, str) for v in value):
                continue
            if key in texts | sets:
                wanted = "a string" if key in texts else "a list of strings"
                raise ValueError(f"context: {key} must be {wanted}, not {type(value).__name__}")
            known = ", ".join(sorted(texts | sets))
            raise ValueError(f"context: {key} is not known; the keys are {known}")
        values: dict[str, Any] = dict(data)
        return cls(**values | {key: frozenset(data[key]) for key in sets & data.keys()})


def _no_keeping(_text: bytes) -> None:
    """Keep nothing: the default outside a worker."""


def _no_progress(_fraction: float | None, _message: str | None) -> None:
    """Report to nobody: the default outside a worker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """What a handler may know of its call; injected, and never part of the schema."""

    #: The trusted identity behind the call.
    identity: Context
    turn_id: str
    call_id: str
    #: The call's name in the ledger, the same on every attempt.
    call_key: str
    #: Which attempt this is, from 1.
    attempt: int
    #: When the call must have ended, in seconds of the server's clock since the epoch.
    deadline: float
    #: The same on every attempt of this call and on no other call; give it to remote services.
    idempotency_key: str
    report: Callable[[float | None, str | None], None] = _no_progress
    #: What the last attempt kept with `checkpoint`, as JSON data; None when none did.
    restored: Any = None
    keep: Callable[[bytes], None] = _no_keeping
    #: What the lifespans of this process provide, by type; see `resource`.
    provided: Mapping[type[Any], Any] = field(default_factory=dict, repr=False)

    def resource(self, kind: type[T]) -> T:
        """Give what a lifespan provides in this process: the same object in every call.

        Args:
            kind: The type that the lifespan's return hint names.

        Raises:
            ToolError: No lifespan of this lane provides it: `no_resource`, with what there is.
        """
        if kind not in self.provided:
            there = ", ".join(map(type_name, self.provided)) or "nothing"
            raise ToolError(
                ErrorCode.NO_RESOURCE,
                f"No lifespan provides {type_name(kind)} where this tool runs; provided: {there}.",
            )
        value: T = self.provided[kind]
        return value

    def secret(self, name: str) -> str:
        """Give one of the secrets that the application handed over with the context.

        What the handler returns, raises, prints, logs or reports of it is taken out before it is
        written anywhere; see `Tool.reveals`.

        Raises:
            ToolError: The context has none of that name: `no_secret`, with the names that it has.
        """
        if name not in self.identity.secrets:
            there = ", ".join(self.identity.secrets) or "none"
            raise ToolError(
                ErrorCode.NO_SECRET,
                f"The context of this call has no secret {name!r}; it has: {there}.",
            )
        return self.identity.secrets[name]

    def progress(self, fraction: float | None = None, message: str | None = None) -> None:
        """Tell the watchers how far the call is.

        Best effort and cheap: may be called often from any thread, the newest report wins.

        Args:
            fraction: The part that is done, 0 to 1; None when it is not known.
            message: One short sentence for people.
        """
        self.report(fraction, message)

    def checkpoint(self, data: Any) -> None:
        """Keep something for the next attempt, should there be one: it finds it as `restored`.

        The newest one counts; the end of the call ends it too. May be called from any thread. In
        the process lane it is kept when this returns. In the async lane it is written in the
        background, and surely before what this attempt ends with.

        Args:
            data: JSON data, up to 64 KiB as text.

        Raises:
            CheckpointInvalid: It is no JSON data, or too much.
        """
        self.keep(checkpoint_text(data))
