"""`@lifespan`: a function becomes what opens and closes something that handlers share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypedDict, Unpack, overload

from toolferry.errors import LifespanInvalid
from toolferry.factory import read_factory
from toolferry.states import Lane

#: Seconds that a lifespan may take to start when it says nothing: enough for any connection.
DEFAULT_START_LIMIT: Final = 60.0
#: Seconds that it may ask for at the least: a shorter limit could not be kept.
MIN_START_LIMIT: Final = 0.05
#: Seconds that it may ask for at the most: enough for the largest model's weights.
MAX_START_LIMIT: Final = 3600.0

#: What a function with `@lifespan` gives back when it is called.
Manager: TypeAlias = AbstractContextManager[Any] | AbstractAsyncContextManager[Any]
#: What `@lifespan` takes: a generator function, or a function that gives a context manager.
Factory: TypeAlias = Callable[..., Iterator[Any] | AsyncIterator[Any] | Manager]


class LifespanOptions(TypedDict, total=False):
    """What `@lifespan` may be told."""

    #: In which lane it runs. Default: a sync one in both, an async one in the async lane.
    lane: Lane
    #: Seconds in which it has to be up, 0.05 to 3600. Default: 60.
    start_limit: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lifespan:
    """What opens something once per process, provides it to handlers by its type, and closes it.

    Made by `@lifespan`. Calling it gives its context manager, so that it can be tested, and used,
    like any other: `with database() as pool`.

    Raises:
        LifespanInvalid: The limit is out of its range, or an async one was put into the process
            lane, where no event loop outlives a call.
    """

    #: The function's name, for the log.
    name: str
    #: The type by which handlers ask for what it provides; exactly this one, no subclass.
    provides: type[Any]
    #: Gives the context manager, once for each start.
    manager: Callable[..., Manager]
    #: What its parameters ask for: the types that other lifespans provide.
    needs: Mapping[str, type[Any]]
    is_async: bool
    lanes: frozenset[Lane]
    #: Seconds in which it has to be up.
    start_limit: float
    #: Where it was written: "file:line".
    place: str

    def __post_init__(self) -> None:
        low, high = MIN_START_LIMIT, MAX_START_LIMIT
        if not _is_number(self.start_limit) or not low <= self.start_limit <= high:
            raise LifespanInvalid(
                self.name,
                f"start_limit is {self.start_limit!r}: it must be seconds from {low} to {high:.0f}",
            )
        if self.is_async and Lane.PROCESS in self.lanes:
            raise LifespanInvalid(
                self.name,
                "it is async, and no event loop of the process lane outlives a call: make it a sync"
                " one, or leave the lane out",
            )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Give its context manager: a sync or an async one, not entered."""
        return self.manager(*args, **kwargs)


@overload
def lifespan(factory: Factory, /) -> Lifespan: ...


@overload
def lifespan(
    factory: None = None, /, **options: Unpack[LifespanOptions]
) -> Callable[[Factory], Lifespan]: ...


@overload
def lifespan(factory: Factory, /, **options: Unpack[LifespanOptions]) -> Lifespan: ...


def lifespan(
    factory: Factory | None = None, /, **options: Unpack[LifespanOptions]
) -> Lifespan | Callable[[Factory], Lifespan]:
    """Make a lifespan of a function, as `@lifespan`, `@lifespan(...)` or `lifespan(function, ...)`.

    What the function yields is provided by the type that its return hint names. A parameter without
    a default is given what another lifespan provides for its type.

    Args:
        factory: A generator function, sync or async, that yields once; or a function that gives a
            context manager. `-> Iterator[Pool]`, `-> AsyncIterator[Pool]`,
            `-> AbstractContextManager[Pool]` and the like say what it provides.
        **options: See `LifespanOptions`.

    Raises:
        LifespanInvalid: It cannot be said what the function provides or needs, or an option is out
            of its range.

    >>> @lifespan(start_limit=5)
    ... def numbers() -> Iterator[list]:
    ...     yield [1, 2]
    >>> with numbers() as found:
    ...     numbers.name, numbers.provides, found
    ('numbers', <class 'list'>, [1, 2])
    """
    if factory is None:
        return lambda function: _build(function, options)
    return _build(factory, options)


def _build(factory: Factory, options: LifespanOptions) -> Lifespan:
    read = read_factory(factory)
    lane = options.get("lane")
    usual = {Lane.ASYNC} if read.is_async else set(Lane)
    return Lifespan(
        name=read.name,
        provides=read.provides,
        manager=read.manager,
        needs=read.needs,
        is_async=read.is_async,
        lanes=frozenset(usual if lane is None else {_lane(read.name, lane)}),
        start_limit=options.get("start_limit", DEFAULT_START_LIMIT),
        place=read.place,
    )


def _lane(name: str, lane: Lane) -> Lane:
    try:
        return Lane(lane)
    except ValueError as error:
        raise LifespanInvalid(name, f"lane: {error}") from error


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
