"""Binding: from checked arguments and a context to what the handler is called with."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, Self

from toolferry.context import ToolContext
from toolferry.defaults import fill_defaults
from toolferry.errors import ToolInvalid
from toolferry.hints import hints_of, parameters_of, wants_context

#: Keywords by which a schema may require members elsewhere than in its own `required`.
_COMPOSED: Final = frozenset({"$ref", "allOf", "anyOf", "oneOf"})

#: Positional and keyword arguments of a call to a handler.
Bound = tuple[tuple[Any, ...], dict[str, Any]]


class Binder(Protocol):
    """Turns the arguments of a call into those of its handler."""

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The parameters that are filled."""
        ...

    def deliver_to(self, slots: tuple[Slot, ...]) -> Self:
        """Give a binder that fills other parameters with the same arguments."""
        ...

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

    @property
    def is_optional(self) -> bool:
        """Whether a call may leave it without a value."""
        return self.default is not inspect.Parameter.empty


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

    def deliver_to(self, slots: tuple[Slot, ...]) -> Self:
        """Fill other parameters, and no more."""
        return replace(self, slots=slots, takes_more=False)


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
    for slot in binder.slots:
        needed = slot.default is inspect.Parameter.empty and not slot.context
        if needed and not _always_given(binder.schema, slot.name):
            raise ToolInvalid(
                tool,
                f"the handler needs {slot.name}, which the schema neither requires nor gives a"
                " default: require it, or give the parameter a default",
            )
    taken = {slot.name for slot in binder.slots if not slot.context}
    for name in binder.schema.get("properties", ()):
        if name not in taken and not binder.takes_more:
            raise ToolInvalid(
                tool, f"the handler takes no {name}, which the schema offers: add it, or **kwargs"
            )


def _always_given(schema: Mapping[str, Any], name: str) -> bool:
    """Say whether every fitting call has a member; what only alternatives say, is believed."""
    if not _COMPOSED.isdisjoint(schema):
        return True
    child = schema.get("properties", {}).get(name)
    has_default = isinstance(child, Mapping) and "default" in child
    return has_default or name in schema.get("required", ())


def slot_of(parameter: inspect.Parameter, hint: Any) -> Slot:
    """Describe a parameter of a handler."""
    return Slot(
        name=parameter.name,
        positional=parameter.kind is parameter.POSITIONAL_ONLY,
        context=wants_context(hint),
        default=parameter.default,
    )
