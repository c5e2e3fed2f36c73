"""The peers: what other workers can run, asked without ever waiting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.waiting import wait_until
from toolferry import Lane, Tool
from toolferry_ledger import Catalog, Ledger, Offer, Pool, Settings, Signer, write_definitions
from toolferry_worker.peers import NOBODY, LivePeers

TOOL = Tool(name="look_up", lane=Lane.ASYNC)


@pytest.fixture
def catalog(settings: Settings) -> Iterator[Catalog]:
    """Give a catalog in which a worker offers a tool."""
    ledger, signer = Ledger(settings), Signer(settings.secret)
    definitions = write_definitions([TOOL], signer)
    catalog = Catalog(ledger, signer)
    ledger.beat("w1", [Pool(Lane.ASYNC)], 1)
    catalog.offer(Offer(owner="w1", lane=Lane.ASYNC, definitions=definitions))
    yield catalog
    ledger.close()


def test_what_live_workers_offer_is_known_soon_after_the_first_question(catalog: Catalog) -> None:
    """And what none of them has."""
    peers = LivePeers(catalog, "w2")

    wait_until(lambda: not peers.may_run(Pool.of(TOOL), "what nobody has"), "the answer")

    assert peers.may_run(Pool.of(TOOL), TOOL.digest)


def test_a_worker_is_no_peer_of_its_own(catalog: Catalog) -> None:
    """What it offers itself is no reason to pass a call on."""
    peers = LivePeers(catalog, "w1")

    wait_until(lambda: not peers.may_run(Pool.of(TOOL), TOOL.digest), "the answer")


def test_a_declared_worker_is_a_peer(catalog: Catalog) -> None:
    """It will be there soon."""
    declared = Tool(name="soon", lane=Lane.ASYNC)
    catalog.declare([declared])
    peers = LivePeers(catalog, "w2")

    wait_until(lambda: not peers.may_run(Pool.of(TOOL), "what nobody has"), "the answer")

    assert peers.may_run(Pool.of(declared), declared.digest)


def test_while_the_server_is_away_nobody_knows(settings: Settings) -> None:
    """No call ends because its catalog could not be read."""
    away = Ledger(replace(settings, url="unix:///nowhere.sock"))
    peers = LivePeers(Catalog(away, Signer(settings.secret)), "w1")

    assert peers.may_run(Pool.of(TOOL), TOOL.digest)
    assert peers.may_run(Pool.of(TOOL), "what nobody has")


def test_a_worker_that_is_alone_has_nobody() -> None:
    """As in a rehearsal."""
    assert not NOBODY.may_run(Pool.of(TOOL), TOOL.digest)
