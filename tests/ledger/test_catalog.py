"""The catalog: what workers offer, for as long as they live, and only what is genuine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
import redis
from structlog.testing import capture_logs

from tests.commands import commands_of
from toolferry import Lane, Tool
from toolferry_ledger import (
    Catalog,
    Definitions,
    Ledger,
    Offer,
    Offers,
    Pool,
    Settings,
    Signer,
    write_definitions,
)


def tool_of(name: str = "look_up", **fields: Any) -> Tool:
    """Give a definition of the async lane."""
    return Tool(**{"name": name, "lane": Lane.ASYNC, **fields})


OLD = tool_of(version="1")
NEW = tool_of(version="2")
OTHER = tool_of("send_mail")


class Desk:
    """Offers in the name of workers, and keeps their leases."""

    def __init__(self, settings: Settings) -> None:
        self.ledger = Ledger(settings)
        self.signer = Signer(settings.secret)
        self.catalog = Catalog(self.ledger, self.signer)

    def offer(self, owner: str, *tools: Tool, since: float = 0.0) -> Offer:
        """Let a worker live and offer tools."""
        definitions = write_definitions(tools, self.signer)
        offer = Offer(owner=owner, lane=Lane.ASYNC, definitions=definitions, since=since)
        self.ledger.beat(owner, [Pool(Lane.ASYNC)], 1)
        self.catalog.offer(offer)
        return offer

    def offered(self) -> dict[str, str]:
        """Read which version of which tool a model may be offered."""
        return {name: tool.version for name, tool in self.catalog.read().tools().items()}


@pytest.fixture
def desk(settings: Settings) -> Iterator[Desk]:
    """Give a catalog of its own."""
    desk = Desk(settings)
    yield desk
    desk.ledger.close()


@pytest.fixture
def prefix(settings: Settings) -> str:
    """Give what the keys start with."""
    return settings.key_prefix


def test_an_empty_catalog_offers_nothing(desk: Desk) -> None:
    """Nobody has told anything yet."""
    assert desk.catalog.read() == Offers([], {})


def test_what_a_live_worker_offers_is_read(desk: Desk) -> None:
    """With its lane, its queues, its lease and its tools."""
    desk.offer("w1", OLD, OTHER)

    (offer,) = desk.catalog.read().live

    assert (offer.owner, offer.lane, offer.queues) == ("w1", Lane.ASYNC, ("default",))
    assert 0 < offer.lease_seconds <= 6
    assert {name: tool.digest for name, tool in offer.tools.items()} == {
        "look_up": OLD.digest,
        "send_mail": OTHER.digest,
    }


def test_a_worker_whose_lease_has_ended_offers_nothing(desk: Desk) -> None:
    """Nobody could run its tools."""
    desk.offer("w1", OLD)

    desk.ledger.leave("w1", [Pool(Lane.ASYNC)])

    assert desk.catalog.read().live == []


def test_what_the_dead_offered_is_dropped_with_the_next_renewal(
    desk: Desk, client: redis.Redis, prefix: str
) -> None:
    """Workers come and go, the catalog does not grow."""
    desk.offer("w1", OLD)
    desk.ledger.leave("w1", [Pool(Lane.ASYNC)])

    desk.offer("w2", OLD)

    assert client.hkeys(f"{prefix}offers") == ["w2"]


def test_a_worker_that_has_withdrawn_stays_withdrawn(desk: Desk) -> None:
    """Its lease goes on while it drains, and renewing that brings nothing back."""
    offer = desk.offer("w1", OLD)

    desk.catalog.withdraw("w1")
    desk.catalog.offer(offer)

    assert desk.catalog.read().live == []


def test_definitions_are_kept_once_for_all_who_have_the_same(
    desk: Desk, client: redis.Redis, prefix: str
) -> None:
    """Whatever the order in which they registered them."""
    desk.offer("w1", OLD, OTHER)
    desk.offer("w2", OTHER, OLD)

    assert len(client.keys(f"{prefix}definitions:*")) == 1


def test_a_server_that_lost_the_definitions_gets_them_again(
    desk: Desk, client: redis.Redis, prefix: str
) -> None:
    """The next renewal heals it; until then the worker offers nothing."""
    offer = desk.offer("w1", OLD)
    client.delete(*client.keys(f"{prefix}definitions:*"), f"{prefix}offers")

    desk.catalog.offer(offer)

    assert desk.offered() == {"look_up": "1"}


def test_an_offer_without_its_definitions_is_passed_over(
    desk: Desk, client: redis.Redis, prefix: str
) -> None:
    """Readers do not fail while the server lacks them."""
    desk.offer("w1", OLD)
    client.delete(*client.keys(f"{prefix}definitions:*"))

    assert desk.catalog.read().live == []


def test_every_key_of_the_catalog_ends_by_itself(
    desk: Desk,
    client: redis.Redis,
    prefix: str,
    keys_without_ttl: Callable[[redis.Redis, str], set[str]],
) -> None:
    """Also after a worker that withdrew, and after what is declared."""
    desk.offer("w1", OLD)
    desk.catalog.withdraw("w1")
    desk.catalog.withdraw("nobody")
    desk.catalog.declare([NEW])

    assert keys_without_ttl(client, prefix) == set()


@pytest.mark.parametrize("count", [1, 50])
def test_reading_costs_one_round_trip_however_many_workers(
    desk: Desk, client: redis.Redis, count: int
) -> None:
    """Definitions that were seen are not read again, and unknown ones come all at once."""
    for number in range(count):
        desk.offer(f"w{number}", tool_of(version=str(number % 2)))
    desk.catalog.read()

    first = commands_of(client, lambda: Catalog(desk.ledger, desk.signer).read())
    again = commands_of(client, desk.catalog.read)

    assert again == {"time": 1, "zrange": 1, "hgetall": 1, "get": 1}
    assert first == again | {"mget": 1}


def test_renewing_an_offer_costs_one_command(desk: Desk, client: redis.Redis) -> None:
    """The definitions are sent only to a server that does not have them."""
    offer = desk.offer("w1", OLD)

    assert commands_of(client, lambda: desk.catalog.offer(offer))["evalsha"] == 1


def test_definitions_that_were_changed_are_not_believed(
    desk: Desk, client: redis.Redis, prefix: str
) -> None:
    """Whoever writes to the server cannot take a permission out of a tool."""
    desk.offer("w1", tool_of(permissions={"admin"}))
    (key,) = client.keys(f"{prefix}definitions:*")
    text = client.get(key)
    assert isinstance(text, str)
    client.set(key, text.replace('"permissions":["admin"]', '"permissions":[]'))

    with capture_logs() as logs:
        offers = [desk.catalog.read(), desk.catalog.read()]

    assert [one.tools() for one in offers] == [{}, {}]
    assert [line["event"] for line in logs] == ["catalog.untrusted"]


def test_definitions_of_another_secret_are_not_believed(desk: Desk, settings: Settings) -> None:
    """They are from another system, or from an attacker."""
    other = Desk(replace(settings, secret=b"another secret of bytes"))
    other.offer("w1", OLD)
    other.ledger.close()

    with capture_logs():
        assert desk.offered() == {}


def test_a_signed_text_of_another_kind_is_no_definition(
    desk: Desk, client: redis.Redis, prefix: str
) -> None:
    """The record of a call cannot be put in the place of definitions."""
    desk.offer("w1", OLD)
    (key,) = client.keys(f"{prefix}definitions:*")
    record = '{"schema_version":1,"tools":[{"name":"evil"}]}'
    client.set(key, desk.signer.sign(record.encode()) + record)

    with capture_logs():
        assert desk.offered() == {}


def test_nonsense_among_the_offers_is_passed_over(
    desk: Desk, client: redis.Redis, prefix: str
) -> None:
    """The others are read all the same."""
    for owner, text in {"w1": "{", "w2": "{}", "w3": '{"lane":"left"}', "w4": "[]"}.items():
        desk.ledger.beat(owner, [Pool(Lane.ASYNC)], 1)
        client.hset(f"{prefix}offers", owner, text)

    desk.offer("w5", OLD)

    assert desk.offered() == {"look_up": "1"}


def test_a_tool_that_this_release_cannot_read_is_left_out(desk: Desk) -> None:
    """Its siblings are offered, and the log names it."""
    text = desk.offer("w1", OLD, tool_of("odd", risk="high")).definitions.text[64:]
    newer = Definitions(signed(desk.signer, text.replace(b'"risk":"high"', b'"risk":"dire"')))
    desk.catalog.offer(Offer(owner="w1", lane=Lane.ASYNC, definitions=newer))

    with capture_logs() as logs:
        assert desk.offered() == {"look_up": "1"}

    (line,) = logs
    assert line["event"] == "catalog.unreadable"
    assert line["reason"].startswith("odd: ")


def signed(signer: Signer, text: bytes) -> bytes:
    """Sign definitions that were written by hand."""
    return signer.sign(b"definitions:" + text).encode() + text


def test_of_two_versions_the_one_that_most_workers_have_is_offered(desk: Desk) -> None:
    """A roll-out turns over at its half."""
    desk.offer("w1", OLD, since=1)
    desk.offer("w2", OLD, since=2)
    desk.offer("w3", NEW, since=3)

    assert desk.offered() == {"look_up": "1"}


def test_of_two_equal_camps_the_newer_is_offered(desk: Desk) -> None:
    """The worker that started last belongs to it."""
    desk.offer("w1", NEW, since=2)
    desk.offer("w2", OLD, since=1)

    assert desk.offered() == {"look_up": "2"}


def test_what_is_declared_is_offered_without_a_worker(desk: Desk) -> None:
    """While workers scale from zero; a live worker's own word goes first."""
    desk.catalog.declare([OLD, OTHER])
    before = desk.offered()

    desk.offer("w1", NEW)

    assert before == {"look_up": "1", "send_mail": "1"}
    assert desk.offered() == {"look_up": "2", "send_mail": "1"}
    runnable = {digest for _, digest in desk.catalog.read().runnable()}
    assert runnable >= {OLD.digest, NEW.digest, OTHER.digest}


def test_a_declaration_takes_the_place_of_the_last(desk: Desk) -> None:
    """With no tools nothing is declared any more."""
    desk.catalog.declare([OLD])
    desk.catalog.declare([OTHER])
    second = desk.offered()

    desk.catalog.declare([])

    assert second == {"send_mail": "1"}
    assert desk.offered() == {}


def test_a_renewal_does_not_shorten_what_is_declared(
    desk: Desk, client: redis.Redis, prefix: str
) -> None:
    """A worker may offer the very same tools, and go."""
    desk.catalog.declare([OLD])

    desk.offer("w1", OLD)

    (key,) = client.keys(f"{prefix}definitions:*")
    left: Any = client.ttl(key)
    assert left > 86_400
