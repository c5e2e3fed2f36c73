"""`toolferry tools --live` and `--declare`: what workers offer, as the catalog has it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.console.conftest import Toolferry
from toolferry import Lane, Tool
from toolferry_ledger import Catalog, Ledger, Offer, Pool, Settings, Signer, write_definitions


@pytest.fixture
def two_releases(settings: Settings) -> Iterator[None]:
    """Let two workers offer one tool in two versions."""
    ledger, signer = Ledger(settings), Signer(settings.secret)
    for number in ("1", "2"):
        tool = Tool(name="look_up", lane=Lane.ASYNC, version=number)
        definitions = write_definitions([tool], signer)
        ledger.beat(f"w{number}", [Pool(Lane.ASYNC)], 1)
        offer = Offer(owner=f"w{number}", lane=Lane.ASYNC, definitions=definitions)
        Catalog(ledger, signer).offer(offer)
    yield
    ledger.close()


def test_the_tools_of_live_workers_are_shown(staffed_toolferry: Toolferry) -> None:
    """Each with the worker that runs it; scripts get JSON."""
    told = staffed_toolferry("tools", "--live", "--json").object

    lanes = {tool["name"]: tool["lane"] for tool in told["tools"]}
    assert told["schema_version"] == 1
    assert lanes.items() >= {"add": "async", "hold": "process"}.items()
    assert all(worker["lease_seconds"] > 0 for worker in told["workers"])
    owners = {worker["owner"] for worker in told["workers"]}
    assert {owner for tool in told["tools"] for owner in tool["workers"]} == owners
    assert not any(tool["differs"] for tool in told["tools"])


@pytest.mark.usefixtures("two_releases")
def test_tools_that_differ_between_workers_are_marked(toolferry: Toolferry) -> None:
    """One line for each version."""
    ran = toolferry("tools", "--live")

    lines = [line.split() for line in ran.out.splitlines() if "look_up" in line]
    assert [(line[3], line[-2], line[-1]) for line in lines] == [
        ("1", "w1", "differs"),
        ("2", "w2", "differs"),
    ]


def test_without_workers_nothing_is_live(toolferry: Toolferry) -> None:
    """The line says so."""
    ran = toolferry("tools", "--live")

    assert (ran.code, ran.out) == (0, "no worker is alive, and nothing is declared\n")


def test_what_is_declared_is_shown_without_workers(toolferry: Toolferry) -> None:
    """Declaring lists the tools, too."""
    declared = toolferry("tools", "--declare")

    ran = toolferry("tools", "--live")

    assert "declared for 30 days: " in declared.err
    assert "add" in declared.out
    lines = [line.split() for line in ran.out.splitlines()[1:]]
    assert ("add", "declared") in {(line[0], line[-1]) for line in lines}
    assert {line[-1] for line in lines} == {"declared"}
