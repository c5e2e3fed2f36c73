"""What Python says of a lifespan's function: what it provides, what it needs, how it is entered."""

from __future__ import annotations

import collections.abc
import contextlib
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolferry.errors import LifespanInvalid

_SYNC: Final = frozenset(
    {
        collections.abc.Iterator,
        collections.abc.Iterable,
        collections.abc.Generator,
        contextlib.AbstractContextManager,
    }
)
_ASYNC: Final = frozenset(
    {
        collections.abc.AsyncIterator,
        collections.abc.AsyncIterable,
        collections.abc.AsyncGenerator,
        contextlib.AbstractAsyncContextManager,
    }
)
_HOW: Final = "say it as `-> Iterator[Pool]` or, of an async one, `-> AsyncIterator[Pool]`"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFactory:
    """What a lifespan's function says of itself."""

    name: str
    provides: type[Any]
    manager: Callable[..., Any]
    needs: Mapping[str, type[Any]]
    is_async: bool
    place: str


def read_factory(factory: Callable[..., Any]) -> ReadFactory:
    """Read a lifespan's function.

    Raises:
        LifespanInvalid: It is no function, a hint is missing or cannot be evaluated, or a type is
            none that can be asked for.
    """
    function = _function(factory)
    name = function.__name__
    hints = _hints(name, function)
    origin, provides = _provided(name, hints.pop("return", None))
    _require_kind(name, factory, origin)
    return ReadFactory(
        name=name,
        provides=provides,
        manager=_manager(factory),
        needs=types.MappingProxyType(_needs(name, function, hints)),
        is_async=origin in _ASYNC,
        place=f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}",
    )


def _function(factory: Any) -> types.FunctionType:
    function = inspect.unwrap(factory) if callable(factory) else factory
    if not isinstance(function, types.FunctionType):
        raise LifespanInvalid(repr(factory), "only a function can become a lifespan")
    return function


def _hints(name: str, function: types.FunctionType) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function)
    except (NameError, SyntaxError, TypeError) as error:
        raise LifespanInvalid(
            name,
            f"a type hint cannot be evaluated ({error}): its types must be there at run time, where"
            " it is defined",
        ) from error


def _provided(name: str, hint: Any) -> tuple[Any, type[Any]]:
    """Take a return hint apart: how it is given, and what."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin not in _SYNC | _ASYNC or not inner:
        raise LifespanInvalid(name, f"its return hint does not say what it provides: {_HOW}")
    return origin, _askable(name, inner[0], "it provides")


def _askable(name: str, hint: Any, role: str) -> type[Any]:
    """Require a type that a handler can ask for by `ctx.resource(...)`."""
    if not isinstance(hint, type) or hint in (Any, object, type(None)):
        shown = "None" if hint is type(None) else hint.__name__ if hint in (Any, object) else hint
        raise LifespanInvalid(
            name, f"{role} {shown}, which is no class to ask for: name a class of its own"
        )
    return hint


def _needs(
    name: str, function: types.FunctionType, hints: Mapping[str, Any]
) -> dict[str, type[Any]]:
    needs: dict[str, type[Any]] = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.default is not parameter.empty:
            continue
        if parameter.kind is parameter.POSITIONAL_ONLY or parameter.name not in hints:
            raise LifespanInvalid(
                name,
                f"parameter {parameter.name} must have a name and the type of what another lifespan"
                " provides, or a default",
            )
        needs[parameter.name] = _askable(
            name, hints[parameter.name], f"its parameter {parameter.name} asks for"
        )
    return needs


def _require_kind(name: str, factory: Callable[..., Any], origin: Any) -> None:
    """Require that a function is as async, or as little, as its return hint says."""
    if inspect.iscoroutinefunction(factory):
        raise LifespanInvalid(name, "it must yield what it provides, and close it after that")
    misfits = _SYNC if inspect.isasyncgenfunction(factory) else _ASYNC
    is_generator = inspect.isasyncgenfunction(factory) or inspect.isgeneratorfunction(factory)
    if is_generator and origin in misfits:
        raise LifespanInvalid(name, f"it is not what its return hint says: {_HOW}")


def _manager(factory: Callable[..., Any]) -> Callable[..., Any]:
    """Give what makes the context manager: of a generator function one is made here."""
    if inspect.isasyncgenfunction(factory):
        return contextlib.asynccontextmanager(factory)
    if inspect.isgeneratorfunction(factory):
        return contextlib.contextmanager(factory)
    return factory
