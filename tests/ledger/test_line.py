"""The line: the connection on which scripts are asked, whoever asks, and whatever happens to it."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
import redis

from tests.ledger.samples import Bench
from toolferry import LedgerUnavailable
from toolferry_ledger import AsyncLedger, Settings, connect_alone
from toolferry_ledger.connection import connect_pooled
from toolferry_ledger.line import AsyncLine, Line

WAIT = ("XREAD", "BLOCK", 1500, "STREAMS", "tf:nothing", "0")


@pytest.fixture(params=[connect_pooled, connect_alone])
def client(request: pytest.FixtureRequest, settings: Settings) -> Iterator[redis.Redis]:
    """Give a client of each kind."""
    with request.param(settings) as client:
        yield client


def test_a_line_answers_what_the_client_would(client: redis.Redis) -> None:
    """As the server wrote it, numbers as numbers."""
    line = Line(client)

    answers = [line.ask(("ECHO", "grüß")), line.ask(("STRLEN", "tf:nothing"))]

    assert answers == ["grüß".encode(), 0]


def test_an_error_of_the_server_leaves_the_line_as_it_was(client: redis.Redis) -> None:
    """Its next answer belongs to its next question."""
    line = Line(client)

    with pytest.raises(redis.ResponseError):
        line.ask(("NONSENSE",))

    assert line.ask(("ECHO", "next")) == b"next"


def test_a_line_that_broke_is_made_anew(client: redis.Redis) -> None:
    """Whoever asks does not see it."""
    line = Line(client)
    number = line.ask(("CLIENT", "ID"))

    with redis.Redis.from_pool(client.connection_pool) as other:
        other.execute_command("CLIENT", "KILL", "ID", number)

    assert line.ask(("ECHO", "again")) == b"again"


def test_nobody_waits_for_a_line_that_another_thread_uses(settings: Settings) -> None:
    """A pool has further connections."""
    with connect_pooled(settings) as client:
        line = Line(client)
        number = line.ask(("CLIENT", "ID"))
        waiting = threading.Thread(target=line.ask, args=(WAIT,))
        waiting.start()

        other = line.ask(("CLIENT", "ID"))
        while other == number:  # it had not begun to wait
            other = line.ask(("CLIENT", "ID"))

        assert waiting.is_alive()
        waiting.join()


def test_a_forked_process_leaves_the_line_to_its_parent(settings: Settings) -> None:
    """Two that read from one socket would get each other's answers."""
    with connect_pooled(settings) as client:
        line = Line(client)
        number = line.ask(("CLIENT", "ID"))

        child = os.fork()
        if child == 0:
            os._exit(0 if line.ask(("CLIENT", "ID")) not in {None, number} else 1)
        _, status = os.waitpid(child, 0)

        assert status == 0
        assert line.ask(("CLIENT", "ID")) == number


def test_a_closed_ledger_can_be_asked_again(bench: Bench) -> None:
    """As every client of redis-py can."""
    bench.ledger.close()

    assert bench.submit("t").created


def test_a_loop_is_told_within_five_seconds_of_a_server_that_says_nothing(
    settings: Settings,
) -> None:
    """Also while it connects: one timer runs for all of it."""

    async def run(port: int) -> str:
        """Ask, and give what is said."""
        ledger = AsyncLedger(replace(settings, url=f"redis://127.0.0.1:{port}/0"))
        with pytest.raises(LedgerUnavailable) as raised:
            async with asyncio.timeout(5):
                await ledger.settle([])
        await ledger.aclose()
        return str(raised.value)

    with socket.create_server(("127.0.0.1", 0)) as quiet:
        sentence = asyncio.run(run(quiet.getsockname()[1]))

    assert "did not answer" in sentence


def test_coroutines_that_ask_at_once_get_their_own_answers(settings: Settings) -> None:
    """One after the other, on one connection."""

    async def run() -> list[bytes]:
        """Ask twenty times at once."""
        ledger = AsyncLedger(settings)
        line = AsyncLine(ledger.client)
        answers = await asyncio.gather(*(line.ask(("ECHO", str(n))) for n in range(20)))
        await ledger.aclose()
        return answers

    assert asyncio.run(run()) == [str(n).encode() for n in range(20)]


def test_scripts_that_the_server_has_forgotten_are_loaded_again(
    bench: Bench, settings: Settings
) -> None:
    """By threads and on loops; a server that was started anew knows none."""
    bench.ledger.client.script_flush()

    async def run() -> None:
        """Ask on a loop."""
        ledger = AsyncLedger(settings)
        await ledger.settle([])
        await ledger.aclose()

    asyncio.run(run())

    assert bench.submit("t").created
