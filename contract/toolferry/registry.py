"""The registry: the tools, handlers and lifespans that a process knows."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Unpack, overload

from toolferry.choosing import Profile, choose, find_profile
from toolferry.decorator import Handler, ToolOptions
from toolferry.decorator import tool as make_tool
from toolferry.display import check_display
from toolferry.errors import (
    HandlerMissing,
    ToolDuplicate,
    ToolInvalid,
    ToolNameEmpty,
    ToolNotRegistered,
)
from toolferry.extensions import NO_EXTENSIONS, Extension, Extensions, warn_of_others
from toolferry.faults import fault_text
from toolferry.lifespan import Factory, Lifespan, LifespanOptions
from toolferry.lifespan import lifespan as make_lifespan
from toolferry.lifespans import check_new
from toolferry.limits import MAX_NAME_LENGTH
from toolferry.sharing import check_sharing
from toolferry.states import EffectClass
from toolferry.template import places
from toolferry.tool import Tool


class Registry:
    """Tools by name, in the order in which they were registered. Safe to share between threads.

    Args:
        tools: Registered one after the other.
        lifespans: What opens and closes what their handlers share; added one after the other.
    """

    def __init__(self, tools: Iterable[Tool] = (), lifespans: Iterable[Lifespan] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        self._lifespans: tuple[Lifespan, ...] = ()
        self._profiles: dict[str, Profile] = {}
        self._lock = threading.Lock()
        #: What is added to the pipeline of every call.
        self.extensions: Extensions = NO_EXTENSIONS
        self.register_all(tools)
        for lifespan in lifespans:
            self.add(lifespan)

    def register(self, tool: Tool, *, strict: bool = False) -> Tool:
        """Take in a tool, after everything about it was checked, and give it back.

        Args:
            tool: Compared with those that are registered already.
            strict: Refuse a tool in which the linter finds an error or a warning.

        Raises:
            ToolNameEmpty: It has no name.
            HandlerMissing: It has no handler.
            ToolDuplicate: Its name is taken; see `replace`.
            SchemaInvalid: Its schema cannot be enforced; names the path of the fault.
            ToolInvalid: Its handler, a template or an example does not fit its schema.
            ToolUnclear: `strict`, and the linter found something; lists place and mend of each.
        """
        check_tool(tool)
        if strict:
            from toolferry.linting.strict import require_clear  # noqa: PLC0415 -- few are strict

            require_clear(tool, self)
        return self._add(tool)

    def register_all(self, tools: Iterable[Tool]) -> None:
        """Take in several tools, one after the other; those before a bad one stay.

        Raises:
            ToolInvalid: As with `register`.
        """
        for one in tools:
            self.register(one)

    def declare(self, tool: Tool) -> Tool:
        """Take in a tool that only others run: it can be shown and dispatched, without a handler.

        A worker runs no such tool.

        Raises:
            ToolInvalid: As with `register`, but for the handler.
        """
        check_definition(tool)
        return self._add(tool)

    def replace(self, tool: Tool) -> Tool:
        """Put a tool in the place of the one with its name, and give back the old one.

        Raises:
            ToolNotRegistered: There is none of its name.
            ToolInvalid: As with `register`.
        """
        check_tool(tool)
        with self._lock:
            old = self._registered(tool.name)
            self._tools = {**self._tools, tool.name: tool}
        return old

    def unregister(self, name: str) -> Tool:
        """Take out a tool, and give it back.

        Raises:
            ToolNotRegistered: There is none of this name.
        """
        with self._lock:
            old = self._registered(name)
            self._tools = {key: tool for key, tool in self._tools.items() if key != name}
        return old

    def get(self, name: str) -> Tool | None:
        """Give the tool of a name; None when there is none."""
        return self._tools.get(name)

    def names(self) -> tuple[str, ...]:
        """Give all names, in the order of registration."""
        return tuple(self._tools)

    def visible(  # noqa: PLR0913 -- each is a condition of its own, and all have a default
        self,
        names: Collection[str] | None = None,
        *,
        categories: Collection[str] | None = None,
        tags: Collection[str] | None = None,
        effects: Collection[EffectClass] | None = None,
        max_cost: float | None = None,
        exclude_dangerous: bool = True,
        task_type: str | Profile | None = None,
    ) -> tuple[Tool, ...]:
        """Choose tools, in the order of registration; each condition that is given must hold.

        Tools that are destructive or of high risk are chosen only when they are asked for: by name,
        by `effects`, by a profile, or all of them with `exclude_dangerous=False`.

        Args:
            names: The tool is one of these; unknown names are passed over.
            categories: Its category is one of these.
            tags: It has one of these at least.
            effects: Its effect class is one of these.
            max_cost: Its cost is not more.
            exclude_dangerous: Whether dangerous tools have to be asked for.
            task_type: It belongs to this profile, or the one of this name.

        Raises:
            ConfigurationError: There is no profile of that name.
        """
        return choose(
            self._tools.values(),
            names=names,
            categories=categories,
            tags=tags,
            effects=effects,
            max_cost=max_cost,
            exclude_dangerous=exclude_dangerous,
            profile=find_profile(task_type, self.profiles),
        )

    def add_profile(self, name: str, profile: Profile) -> None:
        """Name the tools for one kind of task; a policy file may say otherwise."""
        with self._lock:
            self._profiles = {**self._profiles, name: profile}

    @property
    def profiles(self) -> Mapping[str, Profile]:
        """The profiles that were added, by name."""
        return self._profiles

    @overload
    def tool(self, handler: Handler, /) -> Tool: ...

    @overload
    def tool(
        self, handler: None = None, /, **options: Unpack[ToolOptions]
    ) -> Callable[[Handler], Tool]: ...

    @overload
    def tool(self, handler: Handler, /, **options: Unpack[ToolOptions]) -> Tool: ...

    def tool(
        self, handler: Handler | None = None, /, **options: Unpack[ToolOptions]
    ) -> Tool | Callable[[Handler], Tool]:
        """Make a tool of a function, as `toolferry.tool` does, and register it.

        Raises:
            ToolInvalid: As with `toolferry.tool` and `register`.
        """
        if handler is None:
            return lambda function: self.register(make_tool(function, **options))
        return self.register(make_tool(handler, **options))

    @property
    def lifespans(self) -> tuple[Lifespan, ...]:
        """All lifespans, in the order in which they were added."""
        return self._lifespans

    def extend(self, *extensions: Extension) -> None:
        """Take in fact providers, interceptors and hooks, after those that are there.

        Raises:
            ConfigurationError: Two fact providers have one name.
        """
        with self._lock:
            self.extensions += Extensions.of(extensions)

    def add(self, lifespan: Lifespan) -> Lifespan:
        """Take in a lifespan, and give it back; what it needs may be added later.

        Raises:
            LifespanInvalid: Another one provides the same, or some need each other.
        """
        with self._lock:
            check_new(self._lifespans, lifespan)
            self._lifespans = (*self._lifespans, lifespan)
        return lifespan

    @overload
    def lifespan(self, factory: Factory, /) -> Lifespan: ...

    @overload
    def lifespan(
        self, factory: None = None, /, **options: Unpack[LifespanOptions]
    ) -> Callable[[Factory], Lifespan]: ...

    def lifespan(
        self, factory: Factory | None = None, /, **options: Unpack[LifespanOptions]
    ) -> Lifespan | Callable[[Factory], Lifespan]:
        """Make a lifespan of a function, as `toolferry.lifespan` does, and add it.

        Raises:
            LifespanInvalid: As with `toolferry.lifespan` and `add`.
        """
        if factory is None:
            return lambda function: self.add(make_lifespan(function, **options))
        return self.add(make_lifespan(factory, **options))

    @classmethod
    def from_module(cls, module: ModuleType) -> Registry:
        """Collect a module's tools and lifespans: its `registry`, or else all at its top level.

        Extensions at its top level that its `registry` was not extended with are passed over, with
        a warning: nobody would ask them.

        Raises:
            ToolInvalid: Two different tools have one name, or one is not sound.
            LifespanInvalid: Two lifespans provide the same, or some need each other.
            ConfigurationError: Two fact providers have one name.
        """
        own = getattr(module, "registry", None)
        members = {id(one): one for one in vars(module).values()}.values()
        if isinstance(own, cls):
            warn_of_others(vars(module).get("__name__", ""), own.extensions, members)
            return own
        registry = cls(
            (one for one in members if isinstance(one, Tool)),
            (one for one in members if isinstance(one, Lifespan)),
        )
        registry.extensions = Extensions.of(members)
        return registry

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def _add(self, tool: Tool) -> Tool:
        with self._lock:
            if tool.name in self._tools:
                raise ToolDuplicate(tool.name, "a tool of this name is registered already")
            self._tools = {**self._tools, tool.name: tool}
        return tool

    def _registered(self, name: str) -> Tool:
        if name not in self._tools:
            raise ToolNotRegistered(name, "no tool of this name is registered")
        return self._tools[name]


def check_tool(tool: Tool) -> None:
    """Require a tool that can be shown to a model and run.

    Raises:
        ToolInvalid: One of its subclasses where there is one; see `Registry.register`.
    """
    _check_name(tool)
    if tool.handler is None:
        raise HandlerMissing(tool.name, "it has no handler, so nobody could do its work")
    _ = tool.validator, tool.binder, tool.verifier
    check_definition(tool)


def check_definition(tool: Tool) -> None:
    """Require a tool that can be shown to a model and dispatched, whoever runs it.

    Raises:
        ToolInvalid: As with `Registry.declare`.
    """
    _check_name(tool)
    _ = tool.validator, tool.result_validator
    _check_templates(tool)
    _check_examples(tool)


def _check_name(tool: Tool) -> None:
    if not tool.name.strip():
        raise ToolNameEmpty("tool", "a tool needs a name")
    if len(tool.name) > MAX_NAME_LENGTH or not tool.name.isprintable() or " " in tool.name:
        raise ToolInvalid(
            tool.name, f"a name is at most {MAX_NAME_LENGTH} characters, without blanks"
        )


def _check_templates(tool: Tool) -> None:
    properties = tool.parameters.get("properties", {})
    for place in places(tool.resource or ""):
        if place.partition(".")[0] not in properties:
            raise ToolInvalid(tool.name, f"resource names {{{place}}}, which is no parameter")
    check_sharing(tool.name, "concurrency", tool.concurrency, properties)
    check_sharing(tool.name, "rate", tool.rate, properties)
    check_display(tool.name, tool.display, tool.parameters)


def _check_examples(tool: Tool) -> None:
    for number, example in enumerate(tool.examples, start=1):
        for fault in tool.validator.faults(example):
            raise ToolInvalid(tool.name, f"example {number} does not fit: {fault_text(fault)}")
