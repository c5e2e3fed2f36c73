"""`@lifespan`: what a function says of what it opens, and what cannot be one."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import TYPE_CHECKING, Annotated, Any

import pytest

from toolferry import Lane, LifespanInvalid, lifespan

if TYPE_CHECKING:
    from decimal import Decimal as Unseen


class Pool:
    """What is opened."""


class Client:
    """What needs a pool."""

    def __init__(self, *_needed: object) -> None:
        pass


def plain() -> Iterator[Pool]:
    """Open a pool."""
    yield Pool()


def generator() -> Generator[Pool, None, None]:
    """Open a pool."""
    yield Pool()


@contextlib.contextmanager
def manager() -> Iterator[Pool]:
    """Open a pool."""
    yield Pool()


def factory() -> AbstractContextManager[Pool]:
    """Open a pool."""
    return manager()


async def loop_plain() -> AsyncIterator[Pool]:
    """Open a pool."""
    yield Pool()


async def loop_generator() -> AsyncGenerator[Annotated[Pool, "the shop's"], None]:
    """Open a pool."""
    yield Pool()


@contextlib.asynccontextmanager
async def loop_manager() -> AsyncIterator[Pool]:
    """Open a pool."""
    yield Pool()


def loop_factory() -> AbstractAsyncContextManager[Pool]:
    """Open a pool."""
    return loop_manager()


@pytest.mark.parametrize("function", [plain, generator, manager, factory])
def test_a_sync_function_becomes_a_lifespan_of_both_lanes(function: Callable[..., Any]) -> None:
    """However it says that it gives a pool."""
    made = lifespan(function)

    with made() as value:
        assert isinstance(value, Pool)
    assert (made.name, made.provides, made.is_async) == (function.__name__, Pool, False)
    assert made.lanes == frozenset(Lane)


@pytest.mark.parametrize("function", [loop_plain, loop_generator, loop_manager, loop_factory])
async def test_an_async_function_becomes_a_lifespan_of_the_async_lane(
    function: Callable[..., Any],
) -> None:
    """However it says that it gives a pool."""
    made = lifespan(function)

    async with made() as value:
        assert isinstance(value, Pool)
    assert (made.name, made.provides, made.is_async) == (function.__name__, Pool, True)
    assert made.lanes == {Lane.ASYNC}


def test_a_parameter_asks_for_what_another_one_provides() -> None:
    """By its type; one with a default is left alone."""

    @lifespan(lane=Lane.PROCESS, start_limit=5)
    def client(pool: Pool, retries: int = 3) -> Iterator[Client]:
        yield Client(pool, retries)

    assert dict(client.needs) == {"pool": Pool}
    assert client.lanes == {Lane.PROCESS}
    assert client.start_limit == 5
    assert client.place.startswith(__file__)


def unhinted():  # type: ignore[no-untyped-def]  # noqa: ANN201 -- that is what is wrong with it
    """Say nothing of what it gives."""
    yield Pool()


def bare() -> Iterator:  # type: ignore[type-arg]
    """Say half of it."""
    yield Pool()


def nothing() -> Iterator[None]:
    """Give nothing."""
    yield


def anything() -> Iterator[Any]:
    """Give anything."""
    yield Pool()


def several() -> Iterator[list[int]]:
    """Give what is no class."""
    yield [1]


def unseen() -> Iterator[Unseen]:
    """Give what exists for type checkers only."""
    raise NotImplementedError


async def coroutine() -> AsyncIterator[Pool]:
    """Return instead of yielding."""
    return loop_plain()


async def crossed() -> Iterator[Pool]:  # type: ignore[misc]
    """Say that it is sync."""
    yield Pool()


def unknown_need(pool) -> Iterator[Client]:  # type: ignore[no-untyped-def]  # noqa: ANN001 -- see above
    """Need what it does not name."""
    yield Client(pool)


def odd_need(pool: int | str) -> Iterator[Client]:
    """Need what is no class."""
    yield Client(pool)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (unhinted, "its return hint does not say what it provides: say it as `-> Iterator[Pool]`"),
        (bare, "its return hint does not say what it provides"),
        (nothing, "it provides None, which is no class to ask for"),
        (anything, "it provides Any, which is no class to ask for"),
        (several, "it provides list[int], which is no class to ask for"),
        (unseen, "a type hint cannot be evaluated (name 'Unseen' is not defined)"),
        (coroutine, "it must yield what it provides, and close it after that"),
        (crossed, "it is not what its return hint says"),
        (unknown_need, "parameter pool must have a name and the type"),
        (odd_need, "its parameter pool asks for int | str, which is no class"),
        (Pool(), "only a function can become a lifespan"),
    ],
)
def test_what_cannot_be_a_lifespan_is_told_why(function: Any, reason: str) -> None:
    """With the function's name and one reason."""
    with pytest.raises(LifespanInvalid) as caught:
        lifespan(function)

    assert reason in str(caught.value)


@pytest.mark.parametrize("limit", [0, -1, 3601, True, "5", float("nan")])
def test_a_start_limit_is_in_its_range(limit: Any) -> None:
    """Nothing waits for ever."""
    with pytest.raises(LifespanInvalid, match="start_limit is"):
        lifespan(plain, start_limit=limit)


def test_an_async_one_does_not_fit_into_the_process_lane() -> None:
    """Each call of a child has an event loop of its own."""
    with pytest.raises(LifespanInvalid, match="no event loop of the process lane outlives a call"):
        lifespan(loop_plain, lane=Lane.PROCESS)


def test_a_lane_that_does_not_exist_is_refused() -> None:
    """By its name."""
    with pytest.raises(LifespanInvalid, match="lane: 'gpu' is not a valid Lane"):
        lifespan(plain, lane="gpu")  # type: ignore[call-overload]
