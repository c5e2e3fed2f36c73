"""What Python says of a handler: its parameters, their type hints, whether it is async."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Union

from toolferry.context import ToolContext
from toolferry.errors import ToolInvalid


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
    annotations = getattr(_function(handler), "__annotations__", {})
    return _evaluated(
        tool, handler, {name: hint for name, hint in annotations.items() if name != "return"}
    )


def return_hint_of(tool: str, handler: Callable[..., Any]) -> Any:
    """Evaluate the type hint of what a handler returns.

    Raises:
        ToolInvalid: It has none, or that names something that does not exist where it was written.
    """
    annotations = getattr(_function(handler), "__annotations__", {})
    if "return" not in annotations:
        raise ToolInvalid(tool, "result_schema: its handler does not say what it returns")
    return _evaluated(tool, handler, {"return": annotations["return"]})["return"]


def _evaluated(tool: str, handler: Callable[..., Any], annotations: Any) -> dict[str, Any]:
    function, holder = _function(handler), types.SimpleNamespace(__annotations__=annotations)
    names, inner = getattr(inspect.unwrap(function), "__globals__", {}), _local_names(function)
    try:
        return typing.get_type_hints(holder, names, inner, include_extras=True)
    except (NameError, SyntaxError, TypeError) as error:
        raise ToolInvalid(
            tool,
            f"a type hint of the handler cannot be evaluated ({error}): its types must be there"
            " at run time, where it is defined",
        ) from error


def _local_names(function: Any) -> dict[str, Any]:
    """Give the names that hints can use of the function in which this one is being defined."""
    outer, inside, _ = getattr(function, "__qualname__", "").rpartition(".<locals>.")
    frame = inspect.currentframe() if inside else None
    while frame is not None and frame.f_code.co_qualname != outer:
        frame = frame.f_back
    return {} if frame is None else dict(frame.f_locals)


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
