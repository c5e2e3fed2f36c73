"""Binding: from checked arguments and a context to what the handler is called with."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Protocol, Union

from toolferry.context import ToolContext
from toolferry.defaults import fill_defaults
from toolferry.errors import ToolInvalid

#: Positional and keyword arguments of a call to a handler.
Bound = tuple[tuple[Any, ...], dict[str, Any]]


class Binder(Protocol):
    """Turns the arguments of a call into those of its handler."""

    def bind(self, arguments: Mapping[str, Any], ctx: ToolContext) -> Bound:
        """Give what the handler is to be called with.

        Raises:
            InvalidArguments: They do not fit; possible also for arguments that fit the schema.
        """
        ...


@dataclass(frozen=True, slots=True)
class Slot:
    """One parameter of a handler and what goes into it."""

    name: str
    #: Whether it can only be given by position.
    positional: bool
    #: Whether it takes the `ToolContext`.
    context: bool
    #: What it is when nothing is given; `inspect.Parameter.empty` when something must be.
    default: Any = inspect.Parameter.empty


def deliver(slots: tuple[Slot, ...], values: Mapping[str, Any], ctx: ToolContext) -> Bound:
    """Put values and context into the slots; a slot without a value keeps its default."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for slot in slots:
        if not (slot.context or slot.positional or slot.name in values):
            continue
        value = ctx if slot.context else values.get(slot.name, slot.default)
        if slot.positional:
            args.append(value)
        else:
            kwargs[slot.name] = value
    return tuple(args), kwargs


@dataclass(frozen=True, slots=True)
class SchemaBinder:
    """Binds the arguments of a tool that was given as an explicit JSON Schema.

    The schema's defaults are filled in; values stay JSON data. A member that the schema allows
    and the handler does not name goes into its `**kwargs`, or is left out when there are none.
    """

    schema: Mapping[str, Any]
    slots: tuple[Slot, ...]
    #: Whether the handler takes any keyword.
    takes_more: bool

    def bind(self, arguments: Mapping[str, Any], ctx: ToolContext) -> Bound:
        """Fill in the defaults and hand everything over by name."""
        values = fill_defaults(self.schema, arguments)
        args, kwargs = deliver(self.slots, values, ctx)
        if self.takes_more:
            named = {slot.name for slot in self.slots}
            kwargs |= {name: value for name, value in values.items() if name not in named}
        return args, kwargs


def schema_binder(
    tool: str, schema: Mapping[str, Any], handler: Callable[..., Any]
) -> SchemaBinder:
    """Build the binder of a tool with an explicit schema.

    Raises:
        ToolInvalid: The handler has a parameter that a fitting call may leave without a value, or
            the schema has a member that the handler cannot take.
    """
    parameters = parameters_of(tool, handler)
    hints = hints_of(tool, handler)
    slots = tuple(
        slot_of(parameter, hints.get(parameter.name))
        for parameter in parameters
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    )
    takes_more = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)
    binder = SchemaBinder(schema, slots, takes_more)
    _require_fit(tool, binder)
    return binder


def _require_fit(tool: str, binder: SchemaBinder) -> None:
    properties = binder.schema.get("properties", {})
    given = set(binder.schema.get("required", ())) | {
        name
        for name, child in properties.items()
        if isinstance(child, Mapping) and "default" in child
    }
    for slot in binder.slots:
        if not slot.context and slot.default is inspect.Parameter.empty and slot.name not in given:
            raise ToolInvalid(
                tool,
                f"the handler needs {slot.name}, which the schema neither requires nor gives a"
                " default: require it, or give the parameter a default",
            )
    unheard = [name for name in properties if name not in {slot.name for slot in binder.slots}]
    if unheard and not binder.takes_more:
        raise ToolInvalid(
            tool, f"the handler takes no {unheard[0]}, which the schema offers: add it, or **kwargs"
        )


def slot_of(parameter: inspect.Parameter, hint: Any) -> Slot:
    """Describe a parameter of a handler."""
    return Slot(
        name=parameter.name,
        positional=parameter.kind is parameter.POSITIONAL_ONLY,
        context=wants_context(hint),
        default=parameter.default,
    )


def wants_context(hint: Any) -> bool:
    """Say whether a type hint asks for the `ToolContext`, also as optional or annotated.

    >>> wants_context(ToolContext | None), wants_context(str)
    (True, False)
    """
    origin = typing.get_origin(hint)
    if origin is Annotated:
        return wants_context(typing.get_args(hint)[0])
    if origin in (Union, types.UnionType):
        return any(map(wants_context, typing.get_args(hint)))
    return isinstance(hint, type) and issubclass(hint, ToolContext)


def parameters_of(tool: str, handler: Callable[..., Any]) -> tuple[inspect.Parameter, ...]:
    """List the parameters of a handler.

    Raises:
        ToolInvalid: It has no signature that Python knows of.
    """
    try:
        return tuple(inspect.signature(handler).parameters.values())
    except (TypeError, ValueError) as error:
        raise ToolInvalid(tool, f"the handler's parameters cannot be read: {error}") from error


def hints_of(tool: str, handler: Callable[..., Any]) -> dict[str, Any]:
    """Evaluate the type hints of a handler's parameters, also postponed ones.

    The hint of what it returns is left alone: it may name what exists for type checkers only.

    Raises:
        ToolInvalid: A hint names something that does not exist where the handler was written.
    """
    function = _function(handler)
    annotations = getattr(function, "__annotations__", {})
    holder = types.SimpleNamespace(
        __annotations__={name: hint for name, hint in annotations.items() if name != "return"}
    )
    names = getattr(inspect.unwrap(function), "__globals__", {})
    try:
        return typing.get_type_hints(holder, globalns=names, include_extras=True)
    except (NameError, SyntaxError, TypeError) as error:
        raise ToolInvalid(
            tool,
            f"a type hint of the handler cannot be evaluated ({error}): the types must be defined"
            " at the top level of its module",
        ) from error


def is_async(handler: Callable[..., Any]) -> bool:
    """Say whether a handler is an `async def`, also behind a partial or as a callable object."""
    return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(_function(handler))


def _function(handler: Callable[..., Any]) -> Any:
    """Find the function whose hints a callable has."""
    while isinstance(handler, partial):
        handler = handler.func
    if inspect.isroutine(handler) or inspect.isclass(handler):
        return handler
    return type(handler).__call__
