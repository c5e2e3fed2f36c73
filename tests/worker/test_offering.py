"""What a worker tells of its tools."""

from __future__ import annotations

from dataclasses import replace

from toolferry import Extensions, FactProvider, Hooks, Registry, tool
from toolferry_ledger.definitions import read_definitions
from toolferry_policies import Permit
from toolferry_worker.offering import offer_of
from toolferry_worker.station import Station


@tool
async def pay(to: str) -> str:
    """Pay."""
    return to


def on_weekdays(_facts: object) -> Permit:
    """Permit."""
    return Permit()


def test_a_worker_tells_who_decides_about_calls_of_its_tools(station: Station) -> None:
    """What stands beside their code, for dispatchers that do not have it."""
    registry = Registry([pay])
    owner = FactProvider("owner", lambda _facts: "ada")
    registry.extensions = Extensions(facts=[owner], hooks=[Hooks(pre_execute=[on_weekdays])])
    staffed = replace(station, registry=registry, lane=pay.lane)

    offer = offer_of(staffed)

    found = read_definitions(offer.definitions.text, station.signer)["pay"]
    assert found.deciders == {"fact provider owner", "pre_execute hook on_weekdays"}
