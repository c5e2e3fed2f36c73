"""Notices: what the scripts publish, and that it is what kombu would."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from kombu import Connection, Message, Queue

from tests.ledger.samples import Bench
from tests.ledger.test_reaper import age_marks, elect_again
from tests.waiting import wait_until
from toolferry import Lane
from toolferry_ledger import Bell, Pool, Reaper, Route, Settings, queue_name, transport_options


@pytest.fixture
def own(settings: Settings) -> Iterator[Bench]:
    """Give a ledger whose queues are in its own server."""
    bench = Bench.on_own_broker(settings)
    yield bench
    bench.ledger.close()


def read_message(settings: Settings, lane: Lane) -> Message:
    """Take the next message of a lane, as a worker's kombu reads it."""
    options = transport_options(settings)
    with Connection(settings.kombu_url, transport_options=options) as connection:
        queue = Queue(
            queue_name(settings.namespace, Route(Pool(lane))), channel=connection.default_channel
        )
        message = queue.get(no_ack=True)
        assert message is not None
        return message


def meaning(message: Message) -> tuple[Any, ...]:
    """Give all of a message that a worker may look at."""
    info = message.delivery_info
    facts = {key: message.properties.get(key) for key in ("correlation_id", "delivery_mode")}
    return (
        message.headers,
        message.payload,
        message.content_type,
        message.content_encoding,
        facts,
        info.get("routing_key"),
        info.get("exchange"),
    )


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("lane", list(Lane))
def test_a_script_writes_the_message_that_kombu_writes(
    own: Bench, bench: Bench, client: redis.Redis, count: int, lane: Lane
) -> None:
    """A worker cannot tell who published a notice."""
    settings = own.ledger.settings
    turn_id = 'a "turn" of {Zoë}'
    own.submit(turn_id, count, lane=lane)
    by_script = meaning(read_message(settings, lane))

    # The second writer counts from 1 too.
    client.delete(
        *client.keys(f"{settings.key_prefix}*"), queue_name(settings.namespace, Route(Pool(lane)))
    )
    bell = Bell(bench.ledger.settings)
    bell.ring(bench.submit(turn_id, count, lane=lane).rings)
    bell.close()

    assert by_script == meaning(read_message(settings, lane))


def test_a_bell_that_is_forgotten_closes_its_connection(bench: Bench, client: redis.Redis) -> None:
    """Nobody has to close one that he cannot reach any more."""
    bell = Bell(bench.ledger.settings)
    bell.ring(bench.submit().rings)
    connected = {row["id"] for row in client.client_list()}

    del bell
    gc.collect()

    wait_until(lambda: connected - {row["id"] for row in client.client_list()}, "the end of one")


def test_a_turn_and_its_notices_are_written_together(own: Bench, client: redis.Redis) -> None:
    """No crash can come between them: one command writes both, and tells the caller of neither."""
    queue = queue_name(own.ledger.settings.namespace, Route(Pool(Lane.ASYNC)))

    reply = own.submit(count=3)

    assert reply.rings == []
    assert client.llen(queue) == 1


@pytest.mark.parametrize(
    ("calls", "processes", "sizes"),
    [
        (1, 1, [1]),
        (10, 0, [10]),
        (10, 1, [10]),
        (10, 2, [5, 5]),
        (100, 2, [16] * 6 + [4]),
        (100, 1, [25] * 4),
        (200, 1, [32] * 6 + [8]),
    ],
)
def test_calls_of_the_async_lane_travel_together(
    own: Bench, client: redis.Redis, calls: int, processes: int, sizes: list[int]
) -> None:
    """A small share goes whole, a large one in four parts for each process, none above 32."""
    for number in range(processes):
        own.ledger.beat(f"worker-{number}", [Pool(Lane.ASYNC)], 256)
    if not processes:
        client.set(f"{own.ledger.settings.key_prefix}window:default.async", 256)

    own.submit(count=calls)

    texts = client.lrange(queue_name(own.ledger.settings.namespace, Route(Pool(Lane.ASYNC))), 0, -1)
    notices = [json.loads(json.loads(text)["body"])[0][0] for text in reversed(texts)]
    assert [len(notice) for notice in notices] == sizes
    assert [key for notice in notices for key, _ in notice] == [f"t:{n}" for n in range(calls)]


def test_calls_of_the_process_lane_travel_alone(own: Bench, client: redis.Redis) -> None:
    """A child takes one call at a time; its death then loses no more than that one."""
    own.submit(count=4, lane=Lane.PROCESS)

    assert client.llen(queue_name(own.ledger.settings.namespace, Route(Pool(Lane.PROCESS)))) == 4


def test_a_call_does_not_pass_those_that_stand_in_line(own: Bench, client: redis.Redis) -> None:
    """A turn goes straight out only where nobody waits, and only as far as there is room."""
    own.submit("first", count=6)
    own.submit("second", count=1)
    rung = f"{own.ledger.settings.key_prefix}rung:default.async.normal"

    assert client.zrange(rung, 0, -1) == [f"first:{n}" for n in range(4)]

    claimed = own.ledger.claim("w", [("first:0", 1), ("first:1", 2)])
    assert len(claimed.claims) == 2
    assert client.zrange(rung, 2, -1) == ["first:4", "first:5"]

    own.ledger.claim("w", [("first:2", 3), ("first:3", 4)])
    assert client.zrange(rung, 2, -1) == ["second:0"]


def reaper_of(bench: Bench) -> Reaper:
    """Give a reaper that has swept once, as it has in any system that is up."""
    reaper = Reaper(bench.ledger, Bell(bench.ledger.settings), bench.signer)
    reaper.tick()
    return reaper


def test_a_lost_notice_in_the_own_server_is_published_again(
    own: Bench, client: redis.Redis
) -> None:
    """A worker that took it and died before it claimed keeps nobody waiting."""
    queue = queue_name(own.ledger.settings.namespace, Route(Pool(Lane.ASYNC)))
    reaper = reaper_of(own)
    own.submit()
    assert client.rpop(queue)

    elect_again(own)
    reaper.tick()
    assert client.llen(queue) == 0
    age_marks(client, own.ledger.settings.key_prefix)
    elect_again(own)
    reaper.tick()

    assert client.llen(queue) == 1


def test_notices_that_wait_in_the_own_server_are_not_published_again(
    own: Bench, client: redis.Redis
) -> None:
    """However long the queue is and however slow the workers, waiting is not being lost."""
    reaper = reaper_of(own)
    own.submit(count=4, lane=Lane.PROCESS)

    for _ in range(3):
        elect_again(own)
        reaper.tick()
        age_marks(client, own.ledger.settings.key_prefix)

    assert client.llen(queue_name(own.ledger.settings.namespace, Route(Pool(Lane.PROCESS)))) == 4
