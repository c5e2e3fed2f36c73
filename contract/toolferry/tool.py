"""The tool: what a model may ask for, with its limits and what running it may do."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

from toolferry.approval import ANYBODY, Approval, check_approval
from toolferry.binding import Binder, Bound, schema_binder
from toolferry.blanks import copy_blanks
from toolferry.context import ToolContext
from toolferry.digest import tool_digest
from toolferry.display import Display, copy_display, write_display
from toolferry.errors import HandlerMissing, SchemaInvalid, ToolInvalid
from toolferry.examples import copy_examples
from toolferry.hints import is_async
from toolferry.limits import (
    DEFAULT_DEADLINE,
    DEFAULT_RESULT_BYTES,
    DEFAULT_TIMEOUT,
    MAX_RESULT_BYTES,
    MAX_SECONDS,
    name_set,
    require_number,
    require_whole,
)
from toolferry.linting.acceptance import accepted_rules
from toolferry.placement import DEFAULT_QUEUE, Concurrency, Rate, is_queue_name
from toolferry.result_schema import ResultValidator, copy_result_schema
from toolferry.retry import RetryPolicy
from toolferry.rules import copy_rules
from toolferry.schema import copy_schema
from toolferry.states import EffectClass, Lane, ResultFormat, Risk
from toolferry.trim import Trim
from toolferry.validator import ArgumentValidator
from toolferry.verifying import check_verify, verify_binder

#: Stands for a default that is worked out from the other fields.
DERIVED: Final[Any] = None

_RISK_OF: Final[Mapping[EffectClass, Risk]] = MappingProxyType(
    {
        EffectClass.READ: Risk.LOW,
        EffectClass.WRITE: Risk.MEDIUM,
        EffectClass.DESTRUCTIVE: Risk.HIGH,
    }
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Tool:
    """A name, a description and a JSON Schema that a model may call by; and how it is run.

    Made by `@tool`, or directly with an explicit schema. Two tools are the same only when they
    are the same object. Calling a tool calls its handler, so that it can be tested like any
    function. Whether the name, the handler and the schema are sound is checked when the tool is
    registered.

    Raises:
        ToolInvalid: A field is out of its range, or an async lane was asked for a sync handler.
        SchemaInvalid: The schema is no JSON data.
    """

    #: What the model calls it by, and unique in its registry: 1 to 256 characters.
    name: str
    #: What the model reads: what the tool can do, what it cannot, when to use it.
    description: str = ""
    #: The JSON Schema (2020-12) of the arguments, an object schema; copied.
    parameters: dict[str, Any] = field(default_factory=lambda: {"type": "object", "properties": {}})
    #: The function that does the work, sync or async.
    handler: Callable[..., Any] | None = field(default=None, repr=False)
    #: What people read of one call, a template over its arguments: "Read {path}"; or one for each
    #: language, by BCP 47 tag. Secret arguments are never shown. Default: the name.
    display: Display = DERIVED
    #: One word to group tools by.
    category: str = ""
    #: Free words to choose tools by.
    tags: frozenset[str] = frozenset()
    #: The effect class: what running it may do to the world.
    effect: EffectClass = EffectClass.READ
    #: Whether running it twice with the same arguments does no more than once. Default: True for
    #: a read, else False.
    idempotent: bool = DERIVED
    #: Seconds that one attempt may take, above 0.
    timeout: float = DEFAULT_TIMEOUT
    #: Seconds from the request in which a call ends, waiting and all attempts included; at least
    #: `timeout`, at most a week. Default: 120, or `timeout` when that is longer.
    deadline: float = DERIVED
    #: Seconds after which the model is told of a call that it still runs, so that the conversation
    #: goes on, 0 to `deadline`; the result follows. None: the conversation waits for the result.
    answer_within: float | None = None
    #: How often and how fast a failed attempt is tried again, if the tool is repeatable.
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    #: Where it runs. Default: async for an `async def`, else process.
    lane: Lane = DERIVED
    #: On which machines it runs: those whose workers serve this queue. 1 to 40 of a-z, 0-9, `_`
    #: and `-`.
    queue: str = DEFAULT_QUEUE
    #: How many of its calls may run at once, on all workers together. None: as many as have room.
    concurrency: Concurrency | None = None
    #: How often its calls may start, on all workers together. None: as often as have room.
    rate: Rate | None = None
    #: Whether it is meant to be asked the same again and again; the loop guard leaves it alone.
    polling: bool = False
    #: What the context must permit, all of it. Empty: nothing is needed.
    permissions: frozenset[str] = frozenset()
    #: Of which roles the context must have one. Empty: everybody may.
    allowed_roles: frozenset[str] = frozenset()
    #: In which environments it may run. Empty: in all.
    environments: frozenset[str] = frozenset()
    #: For which tenants it may run. Empty: for all.
    tenants: frozenset[str] = frozenset()
    #: Rules over its arguments and the facts, asked in order once the arguments fit the schema:
    #: each takes the `Facts` of a call and gives a verdict. Asked by the dispatcher, so they are no
    #: part of the digest.
    rules: tuple[Callable[[Any], Any], ...] = field(default=(), repr=False)
    #: Whether a person decides before each call of it, or a predicate over the `Facts` of a call
    #: that says so; until then, or until its deadline, it waits. Decided by the dispatcher, so it
    #: is no part of the digest. Default: whether its risk is high.
    confirm: bool | Callable[[Any], bool] = DERIVED
    #: On which terms people decide about calls of it that wait for them.
    approval: Approval = ANYBODY
    #: How much harm a wrong call can do. Default: low for a read, medium for a write, high for
    #: what cannot be put right.
    risk: Risk = DERIVED
    #: What a call touches, a template over its arguments: "file:{path}". Calls that touch the
    #: same keep their order when one of them writes, within a turn the model's, across turns that
    #: of the dispatches. None: nothing shared.
    resource: str | None = None
    #: Whether no other call of its turn may run beside it.
    exclusive: bool = False
    #: Turns what the handler returned into what the model shall see, before conversion.
    adapter: Callable[[Any], Any] | None = field(default=None, repr=False)
    #: The JSON Schema (2020-12) that the content has to fit, as the adapter gave it; copied. What
    #: does not is a `bad_result`. None: it is not checked.
    result_schema: dict[str, Any] | None = field(default=None, repr=False)
    #: Turns what the handler returned, before the adapter, into what people shall see of it: plain
    #: text, of which 2,000 characters are kept. A plain function, part of the attempt; when it
    #: fails, the result is unharmed and people see its content in short. None: so they do.
    render_result: Callable[[Any], str] | None = field(default=None, repr=False)
    #: What is taken out of every result before it is cut to size: paths of members, such as
    #: "owner.iban" or "rows.*.ssn" (`*`: every member or item), and compiled patterns.
    redact: tuple[str | re.Pattern[str], ...] = ()
    #: Whether its results are meant to carry the secrets that a call was given: from other results
    #: they are taken out. Errors, logs and views carry none in either case.
    reveals: bool = False
    #: Bytes of JSON text that a result's content may have, 16 to 10 MiB; more is cut.
    max_result_bytes: int = DEFAULT_RESULT_BYTES
    #: Which part stays of what is cut, and how many tokens a content may have.
    trim: Trim = field(default_factory=Trim, repr=False)
    #: In which form the model reads the results.
    result_format: ResultFormat = ResultFormat.ENVELOPE
    #: Arguments of good calls; each must fit the schema.
    examples: tuple[Mapping[str, Any], ...] = ()
    #: What a call costs, 0 or more, in units that the application chooses.
    cost: float = 1.0
    #: Changes when what the tool does or takes changes; a call made for another is not run.
    version: str = "1"
    #: When it was made; with a time zone.
    created_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    #: Exceptions of the handler after which another attempt cannot help.
    non_retryable: tuple[type[BaseException], ...] = ()
    #: Finds out whether a call had its effect when nobody knows: a function of parameters that the
    #: handler has too, which gives an `Effect` or a `Verified`. None: nobody finds out.
    verify: Callable[..., Any] | None = field(default=None, repr=False)
    #: The name of the tool that takes back what a call of this one did: with the arguments that the
    #: handler gave as `Answer(undo=…)`, on behalf of whom the call was made. None: nothing does.
    undo: str | None = None
    #: What a dispatcher has to ask about its calls, by name, besides the checks; set where a worker
    #: offers it.
    deciders: frozenset[str] = frozenset()
    #: Whether there is a `verify` where the tool is run. Default: whether there is one here.
    verifiable: bool = DERIVED
    #: Rules of the linter that do not apply, by code, each with the reason: {"TF102": "…"}.
    lint_accepted: Mapping[str, str] = field(default_factory=dict)
    #: How a derived tool's arguments reach its handler; set by `@tool`.
    signature: Binder | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self._check_ranges()
        self._derive()
        self._check_answer_within()
        self._close()
        self._copy()
        self._check_callables()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the handler as it is: no validation, no limits, no conversion."""
        if self.handler is None:
            raise HandlerMissing(self.name, "it has no handler to call")
        return self.handler(*args, **kwargs)

    @property
    def repeatable(self) -> bool:
        """Whether an attempt whose end is unknown may be followed by another."""
        return self.effect is EffectClass.READ or self.idempotent

    @cached_property
    def digest(self) -> str:
        """What is equal in another process exactly when it can run the calls made here."""
        return tool_digest(
            name=self.name,
            parameters=self.parameters,
            version=self.version,
            lane=self.lane,
            effect=self.effect,
            repeatable=self.repeatable,
            verifiable=self.verifiable,
        )

    @cached_property
    def validator(self) -> ArgumentValidator:
        """The judge of the arguments, compiled when it is first asked for.

        Raises:
            SchemaInvalid: The schema cannot be enforced; names the path of the fault.
        """
        return ArgumentValidator(self.name, self.parameters)

    @cached_property
    def result_validator(self) -> ResultValidator | None:
        """The judge of the results, compiled when it is first asked for; None when all fit.

        Raises:
            SchemaInvalid: The schema cannot be enforced; names the path of the fault.
        """
        schema = self.result_schema
        return None if schema is None else ResultValidator(self.name, schema)

    @cached_property
    def has_secrets(self) -> bool:
        """Whether its schema marks an argument as secret.

        False for a schema that cannot be enforced, since every call of it is refused.
        """
        try:
            discretion = self.validator.discretion
        except SchemaInvalid:
            return False
        return discretion.everything or bool(discretion.names)

    @cached_property
    def binder(self) -> Binder:
        """What brings the arguments to the handler.

        Raises:
            HandlerMissing: There is no handler.
            ToolInvalid: Handler and schema do not fit each other.
        """
        if self.handler is None:
            raise HandlerMissing(self.name, "it has no handler")
        return self.signature or schema_binder(self.name, self.parameters, self.handler)

    @cached_property
    def verifier(self) -> Binder | None:
        """What brings the arguments to `verify`; None when there is none.

        Raises:
            HandlerMissing: There is no handler.
            ToolInvalid: It needs what the handler does not take.
        """
        return self.verify and verify_binder(self.name, self.binder, self.verify)

    def bind(self, arguments: Mapping[str, Any], ctx: ToolContext) -> Bound:
        """Give what the handler is to be called with: `(args, kwargs)`.

        Defaults are filled in. The arguments of a derived tool become what its type hints say:
        models, enums, dates. Those of an explicit schema stay JSON data.

        Args:
            arguments: Arguments that the validator found no fault with.
            ctx: What the handler may know of its call; injected where it asks for it.

        Raises:
            InvalidArguments: A rule that JSON Schema cannot express refused them.
        """
        return self.binder.bind(arguments, ctx)

    def bind_verify(self, arguments: Mapping[str, Any], ctx: ToolContext) -> Bound:
        """Give what `verify` is to be called with; as `bind`.

        Raises:
            InvalidArguments: As `bind`.
            ToolInvalid: There is no `verify`, or it needs what the handler does not take.
        """
        if self.verifier is None:
            raise ToolInvalid(self.name, "it has no verify")
        return self.verifier.bind(arguments, ctx)

    def describe(self, arguments: Mapping[str, Any], locale: str = "en") -> str:
        """Say for people what a call with these arguments is about, in one line, without secrets.

        Args:
            arguments: The model's; need not fit the schema.
            locale: The language of who reads it, as BCP 47.
        """
        return write_display(self.display, self.parameters, arguments, locale)

    def _derive(self) -> None:
        read = self.effect == EffectClass.READ
        lane = Lane.ASYNC if self.handler is not None and is_async(self.handler) else Lane.PROCESS
        self._default("display", self.name)
        self._default("idempotent", read)
        self._default("deadline", max(DEFAULT_DEADLINE, self.timeout))
        self._default("lane", lane)
        self._default("verifiable", self.verify is not None)
        self._default("risk", _RISK_OF.get(self.effect))
        self._default("confirm", self.risk == Risk.HIGH)

    def _default(self, name: str, value: Any) -> None:
        if getattr(self, name) is None:
            object.__setattr__(self, name, value)

    def _close(self) -> None:
        """Read the words of closed sets, which may be given as plain text."""
        for name, kind in _CLOSED.items():
            try:
                object.__setattr__(self, name, kind(getattr(self, name)))
            except ValueError as error:
                raise ToolInvalid(self.name, f"{name}: {error}") from error

    def _copy(self) -> None:
        """Take copies, so that nobody can change the tool from outside."""
        object.__setattr__(self, "parameters", copy_schema(self.name, self.parameters))
        object.__setattr__(self, "result_schema", copy_result_schema(self.name, self.result_schema))
        object.__setattr__(self, "examples", copy_examples(self.name, self.examples))
        object.__setattr__(self, "display", copy_display(self.name, self.display))
        object.__setattr__(self, "rules", copy_rules(self.name, self.rules))
        object.__setattr__(self, "redact", copy_blanks(self.name, self.redact))
        object.__setattr__(self, "non_retryable", tuple(self.non_retryable))
        object.__setattr__(self, "lint_accepted", accepted_rules(self.name, self.lint_accepted))
        for word in ("tags", "permissions", "allowed_roles", "environments", "tenants"):
            object.__setattr__(self, word, name_set(self.name, word, getattr(self, word)))

    def _check_ranges(self) -> None:
        require_number(self.name, "timeout", self.timeout, 0.001, MAX_SECONDS)
        if self.deadline is not DERIVED:
            require_number(self.name, "deadline", self.deadline, self.timeout, MAX_SECONDS)
        require_number(self.name, "cost", self.cost, 0, 1e12)
        require_whole(self.name, "max_result_bytes", self.max_result_bytes, 16, MAX_RESULT_BYTES)
        if not is_queue_name(self.queue):
            raise ToolInvalid(
                self.name, f"queue is {self.queue!r}: it must be 1 to 40 of a-z, 0-9, _ and -"
            )
        trim: object = self.trim
        if not isinstance(trim, Trim):
            raise ToolInvalid(self.name, f"trim is {trim!r:.40}: it must be a `Trim`")
        if self.undo is not None and not self.undo:
            raise ToolInvalid(self.name, "undo is empty: name a tool, or leave it out")
        check_approval(self.name, self.approval)
        if not self.version:
            raise ToolInvalid(self.name, "version is empty: give one, or leave it out")
        if self.created_at.tzinfo is None:
            raise ToolInvalid(self.name, f"created_at is {self.created_at}, without a time zone")

    def _check_answer_within(self) -> None:
        within, deadline = self.answer_within, self.deadline
        if within is not None:
            require_number(self.name, "answer_within", within, 0, deadline)

    def _check_callables(self) -> None:
        if self.lane is Lane.ASYNC and self.handler is not None and not is_async(self.handler):
            raise ToolInvalid(
                self.name,
                "its handler is not async and would stall the event loop of the async lane:"
                " make it `async def`, or leave the lane out",
            )
        if self.verify is not None:
            check_verify(self.name, self.verify, self.lane)
        for word in ("adapter", "render_result"):
            function = getattr(self, word)
            if function is not None and not callable(function):
                raise ToolInvalid(self.name, f"{word} is {function!r:.40}: it must be a function")
            if function is not None and is_async(function):
                raise ToolInvalid(self.name, f"{word} is async: it must be a plain function")
        kinds: tuple[object, ...] = self.non_retryable
        for kind in kinds:
            if not (isinstance(kind, type) and issubclass(kind, BaseException)):
                raise ToolInvalid(self.name, f"non_retryable holds {kind!r}, which is no exception")


_CLOSED: Final[Mapping[str, type[StrEnum]]] = MappingProxyType(
    {"effect": EffectClass, "lane": Lane, "risk": Risk, "result_format": ResultFormat}
)
