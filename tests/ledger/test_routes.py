"""Routes: calls wait apart by queue and priority, and only the pools that serve them count."""

from __future__ import annotations

import json

import redis

from tests.ledger.samples import Bench, Placement
from toolferry import Lane, Priority
from toolferry_ledger import Pool, Route, Settings, queue_name

GPU = Pool(Lane.ASYNC, "gpu")


def test_a_queue_is_served_by_the_workers_that_name_it(bench: Bench) -> None:
    """A worker of the same lane on other machines does not count."""
    bench.ledger.beat("plain", [Pool(Lane.ASYNC)], 4)
    assert bench.ledger.served() == {Pool(Lane.ASYNC)}

    bench.ledger.beat("big", [GPU, Pool(Lane.ASYNC)], 4)

    assert bench.ledger.served() == {GPU, Pool(Lane.ASYNC)}
    views = {view.owner: view for view in bench.ledger.overview().workers}
    assert set(views["big"].queues) == {"gpu", "default"}
    bench.ledger.leave("big", [GPU, Pool(Lane.ASYNC)])
    assert bench.ledger.served() == {Pool(Lane.ASYNC)}


def test_the_overview_knows_the_pools_that_calls_were_made_for(bench: Bench) -> None:
    """Also those that no worker has ever served."""
    bench.submit(queue="gpu")

    assert bench.ledger.overview().pools == {GPU}


def test_each_priority_has_a_window_of_its_own(bench: Bench) -> None:
    """A flood of bulk calls does not keep an interactive call from going out at once."""
    flood = bench.submit("flood", count=100, placement=Placement(priority=Priority.BULK))

    urgent = bench.submit("urgent", placement=Placement(priority=Priority.INTERACTIVE))

    assert len(flood.rings) == 4
    assert [ring.route.priority for ring in urgent.rings] == [Priority.INTERACTIVE]


def test_what_has_no_room_goes_back_to_the_front(settings: Settings, client: redis.Redis) -> None:
    """In its own order, before what was published later."""
    own = Bench.on_own_broker(settings)
    queue = queue_name(settings.namespace, Route(Pool(Lane.ASYNC)))
    own.ledger.beat("w", [Pool(Lane.ASYNC)], 100)
    own.submit("first", count=4)
    own.submit("second", count=1)
    text = client.rpop(queue)
    assert isinstance(text, str)
    notices = [(key, fence) for key, fence in json.loads(json.loads(text)["body"])[0][0]]

    claims = own.ledger.claim("w", notices, room=1).claims

    assert [claim.call_key for claim in claims] == ["first:0"]
    left = [json.loads(json.loads(str(text))["body"])[0][0] for text in client.lrange(queue, 0, -1)]
    assert [key for notice in reversed(left) for key, _ in notice] == [
        "first:1",
        "first:2",
        "first:3",
        "second:0",
    ]
    own.ledger.close()


def test_a_worker_that_stops_gives_all_back(bench: Bench) -> None:
    """No room at all means that nothing is claimed and nothing is lost."""
    rings = bench.submit(count=3).rings

    reply = bench.ledger.claim("w", [(ring.call_key, ring.fence) for ring in rings], room=0)

    assert reply.claims == []
    assert [(ring.call_key, ring.fence) for ring in reply.rings] == [
        (ring.call_key, ring.fence) for ring in rings
    ]
    assert len(bench.claim(reply.rings)) == 3
