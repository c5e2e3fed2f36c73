"""Several lifespans: their order, what may stand side by side, and how a registry has them."""

from __future__ import annotations

import types
from collections.abc import AsyncIterator, Iterator

import pytest

from tests.contract.samples import context_for_handlers
from toolferry import (
    ErrorCode,
    Lane,
    Lifespan,
    LifespanInvalid,
    Registry,
    ToolError,
    lifespan,
    start_order,
    tool,
)
from toolferry.lifespans import check_all


class Pool:
    """What all need."""

    def __init__(self, *_needed: object) -> None:
        pass


class Client:
    """What needs a pool."""

    def __init__(self, *_needed: object) -> None:
        pass


class Cache:
    """What needs both."""

    def __init__(self, *_needed: object) -> None:
        pass


@lifespan
def pool() -> Iterator[Pool]:
    """Open a pool."""
    yield Pool()


@lifespan
def client(pool: Pool) -> Iterator[Client]:
    """Open a client."""
    yield Client(pool)


@lifespan
def cache(client: Client, pool: Pool) -> Iterator[Cache]:
    """Open a cache."""
    yield Cache(client, pool)


@lifespan
def circular_pool(cache: Cache) -> Iterator[Pool]:
    """Open a pool that needs what needs it."""
    yield Pool(cache)


@lifespan
async def loop_pool() -> AsyncIterator[Pool]:
    """Open a pool for the async lane."""
    yield Pool()


@tool
def noop() -> None:
    """Do nothing."""


def refused(*lifespans: Lifespan) -> str:
    """Put lifespans together that cannot be."""
    with pytest.raises(LifespanInvalid) as caught:
        check_all(Registry([], lifespans).lifespans)
    return str(caught.value)


@pytest.mark.parametrize("lane", Lane)
def test_each_starts_after_what_it_needs(lane: Lane) -> None:
    """Whatever the order in which they were written."""
    assert start_order([cache, client, pool], lane) == (pool, client, cache)


def test_a_type_is_provided_once_in_a_lane() -> None:
    """The second provider is refused, with the name and the place of the first."""
    reason = refused(pool, loop_pool)

    assert "loop_pool: it provides tests.contract.test_lifespans.Pool, as pool (" in reason
    assert "test_lifespans.py:" in reason


def test_each_lane_may_have_its_own_provider_of_a_type() -> None:
    """A sync one for the children, an async one for the event loop."""
    registry = Registry()

    @registry.lifespan(lane=Lane.PROCESS)
    def child_pool() -> Iterator[Pool]:
        yield Pool()

    registry.add(loop_pool)

    assert start_order(registry.lifespans, Lane.PROCESS) == (child_pool,)
    assert start_order(registry.lifespans, Lane.ASYNC) == (loop_pool,)


def test_those_that_need_each_other_are_refused_with_the_circle() -> None:
    """At the one that closes it."""
    reason = refused(client, cache, circular_pool)

    assert "it needs itself, by way of" in reason
    assert all(name in reason for name in ("client", "cache", "circular_pool"))


def test_one_that_needs_itself_is_refused() -> None:
    """The smallest circle."""

    @lifespan
    def own(pool: Pool) -> Iterator[Pool]:
        yield pool

    assert "own: it needs itself, by way of own → own" in refused(own)


def test_a_type_that_nobody_provides_is_named_with_the_lane() -> None:
    """Also when the other lane has it."""
    reason = refused(loop_pool, client)

    assert "client: it needs tests.contract.test_lifespans.Pool" in reason
    assert "which nobody provides in the process lane" in reason


def test_a_module_without_a_registry_has_the_lifespans_at_its_top_level() -> None:
    """Each once, under however many names."""
    module = types.ModuleType("shop")
    vars(module).update(noop=noop, client=client, pool=pool, alias=pool)

    registry = Registry.from_module(module)

    assert registry.lifespans == (client, pool)


def test_a_registry_has_its_own() -> None:
    """Bare decorators and those with options."""
    registry = Registry([noop])

    @registry.lifespan
    def made() -> Iterator[Pool]:
        yield Pool()

    assert Registry.from_module(types.SimpleNamespace(registry=registry)) is registry  # type: ignore[arg-type]
    assert registry.lifespans == (made,)


def test_a_handler_gets_what_is_provided_by_its_type() -> None:
    """The very object."""
    opened = Pool()
    ctx = context_for_handlers(provided={Pool: opened})

    assert ctx.resource(Pool) is opened


def test_asking_for_what_nobody_provides_names_what_there_is() -> None:
    """For the model and for who reads the result."""
    ctx = context_for_handlers(provided={Pool: Pool()})

    with pytest.raises(ToolError) as caught:
        ctx.resource(Client)

    assert (caught.value.code, caught.value.retryable) == (ErrorCode.NO_RESOURCE, False)
    assert caught.value.message == (
        "No lifespan provides tests.contract.test_lifespans.Client where this tool runs;"
        " provided: tests.contract.test_lifespans.Pool."
    )
