"""The lifespans of a system: which may stand side by side, and in which order they start. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any

from toolferry.errors import LifespanInvalid
from toolferry.lifespan import Lifespan
from toolferry.states import Lane
from toolferry.wording import type_name


def start_order(lifespans: Iterable[Lifespan], lane: Lane) -> tuple[Lifespan, ...]:
    """Give the lifespans of a lane, each after those that it needs; they close the other way round.

    Raises:
        LifespanInvalid: One needs what none of its lane provides, two provide the same type, or
            some need each other.
    """
    found = [one for one in lifespans if lane in one.lanes]
    providers = _providers(found)
    for one in found:
        for kind in one.needs.values():
            if kind not in providers:
                raise LifespanInvalid(one.name, _nobody(kind, lane, providers))
    return _sorted(found, providers)


def check_new(lifespans: Iterable[Lifespan], new: Lifespan) -> None:
    """Require that a lifespan fits to others; what it needs may be added later.

    Raises:
        LifespanInvalid: One of the same lane provides the same type, or some need each other.
    """
    for lane in new.lanes:
        found = [one for one in (*lifespans, new) if lane in one.lanes]
        _sorted(found, _providers(found))


def check_all(lifespans: Iterable[Lifespan]) -> None:
    """Require that lifespans can be started, in each lane.

    Raises:
        LifespanInvalid: As with `start_order`.
    """
    found = tuple(lifespans)
    for lane in Lane:
        start_order(found, lane)


def _providers(lifespans: Iterable[Lifespan]) -> dict[type[Any], Lifespan]:
    providers: dict[type[Any], Lifespan] = {}
    for one in lifespans:
        other = providers.setdefault(one.provides, one)
        if other is not one:
            raise LifespanInvalid(
                one.name,
                f"it provides {type_name(one.provides)}, as {other.name} ({other.place}) does: give"
                " one of them a type of its own, or each a lane of its own",
            )
    return providers


def _nobody(kind: type[Any], lane: Lane, providers: Mapping[type[Any], Lifespan]) -> str:
    there = ", ".join(map(type_name, providers)) or "nothing"
    return (
        f"it needs {type_name(kind)}, which nobody provides in the {lane.value} lane, where there"
        f" is {there}: add a lifespan for it, or keep this one out of the lane"
    )


def _sorted(
    found: Iterable[Lifespan], providers: Mapping[type[Any], Lifespan]
) -> tuple[Lifespan, ...]:
    graph: TopologicalSorter[Lifespan] = TopologicalSorter()
    for one in found:
        graph.add(one, *(providers[kind] for kind in one.needs.values() if kind in providers))
    try:
        return tuple(graph.static_order())
    except CycleError as error:
        circle = [one.name for one in reversed(error.args[1])]
        raise LifespanInvalid(
            circle[0], f"it needs itself, by way of {' → '.join(circle)}: break the circle"
        ) from None
