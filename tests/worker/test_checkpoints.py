"""Checkpoints: what an attempt keeps is there for the next one, and for nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.ledger.samples import Bench
from tests.waiting import wait_until
from tests.worker import tools_long
from tests.worker.caller import Caller, wait_running
from tests.worker.running import Start
from tests.worker.test_settler import Desk
from toolferry import CallState, Lane, Registry
from toolferry_ledger import Claim, Settings, Settlement, Signer
from toolferry_worker.attempt import Finished
from toolferry_worker.checkpoints import LoopCheckpoints, kept, restored
from toolferry_worker.settler import Settler

TOOLS = "tests.worker.tools_long"
SIGNER = Signer(b"0123456789abcdef")
CLAIM = Claim("t:0", 1, b"", "", 1, 0.0, 0.0, 0.0, 1.0)


@pytest.fixture
def caller(settings: Settings) -> Iterator[Caller]:
    """Give a caller of the long tools."""
    caller = Caller(settings, Registry.from_module(tools_long))
    yield caller
    caller.close()


@pytest.fixture
def bench(settings: Settings) -> Iterator[Bench]:
    """Give a ledger of its own."""
    bench = Bench.on(settings)
    yield bench
    bench.ledger.close()


def is_kept(caller: Caller, turn_id: str) -> Callable[[], bool]:
    """Give what tells whether the first call of a turn has a checkpoint."""
    key = f"{caller.settings.key_prefix}call:{turn_id}:0"
    return lambda: bool(caller.ledger.client.hexists(key, "checkpoint"))


def test_the_next_attempt_goes_on_where_the_last_one_was(caller: Caller, start: Start) -> None:
    """With the newest checkpoint, in both lanes, also one from a thread."""
    for lane in Lane:
        start(lane, tools=TOOLS).ready()

    results = caller.run(("resume", {}), ("resume_loop", {}), ("resume_thread", {}))

    assert [result.content for result in results] == [{"page": 2}] * 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lane", "name"), [(Lane.ASYNC, "keep_and_hold"), (Lane.PROCESS, "keep_and_hold_process")]
)
def test_a_checkpoint_outlives_its_worker(
    caller: Caller, start: Start, folder: str, lane: Lane, name: str
) -> None:
    """However that ended."""
    worker = start(lane, tools=TOOLS).ready()
    turn_id = caller.submit((name, {"folder": folder}))
    wait_running(folder, "c0.1")
    wait_until(is_kept(caller, turn_id), "the checkpoint")

    worker.kill()
    start(lane, tools=TOOLS).ready()
    (result,) = caller.wait(turn_id, 1)

    assert (result.attempts, result.content) == (2, {"attempt": 1})


def test_a_call_that_is_given_back_takes_its_checkpoint_along(
    caller: Caller, start: Start, folder: str
) -> None:
    """Whatever was kept last is written before the call is anybody else's."""
    worker = start(Lane.ASYNC, tools=TOOLS, environment={"TOOLFERRY_DRAIN_SECONDS": "0"}).ready()
    turn_id = caller.submit(("keep_and_hold", {"folder": folder}))
    wait_running(folder, "c0.1")

    worker.stop()
    start(Lane.ASYNC, tools=TOOLS).ready()
    (result,) = caller.wait(turn_id, 1)

    assert result.content == {"attempt": 1}


def test_what_is_too_much_fails_the_attempt(caller: Caller, start: Start) -> None:
    """Like any other mistake of a handler."""
    start(Lane.ASYNC, tools=TOOLS).ready()

    (result,) = caller.run(("keep_too_much", {}))

    assert result.error is not None
    assert "CheckpointInvalid" in result.error.message


def test_a_checkpoint_that_comes_too_late_changes_nothing(bench: Bench) -> None:
    """A call that has ended holds what its handler still uses, until that ends too."""
    (claim,) = bench.claim(bench.submit().rings)
    bench.ledger.settle([replace(bench.conclude(claim), holding=True)], bench.worker)

    reply = bench.ledger.settle([kept(claim, b"{}", SIGNER)], bench.worker)

    prefix = bench.ledger.settings.key_prefix
    assert reply.accepted == [False]
    assert bench.ledger.client.sismember(f"{prefix}holding:{bench.worker}", "t:0")


def test_the_ledger_gives_a_checkpoint_with_the_next_claim(bench: Bench) -> None:
    """As it was kept."""
    (claim,) = bench.claim(bench.submit().rings)
    bench.ledger.settle([kept(claim, b'{"page":3}', SIGNER)], bench.worker)
    rings = bench.ledger.settle(
        [Settlement(claim.call_key, claim.fence, CallState.QUEUED)], bench.worker
    ).rings

    (again,) = bench.claim(rings)

    assert restored(again, SIGNER) == {"page": 3}


@pytest.mark.parametrize(
    "forged",
    [
        b"no json",
        b"[]",
        b"{}",
        b'{"data":"{}","signature":"00"}',
        kept(replace(CLAIM, call_key="t:1"), b"{}", SIGNER).result or b"",
        kept(CLAIM, b"{}", Signer(b"another secret..")).result or b"",
    ],
)
def test_what_no_handler_of_the_call_has_kept_is_not_given(forged: bytes) -> None:
    """It is told of, and the attempt begins from the start."""
    with capture_logs() as logs:
        assert restored(replace(CLAIM, checkpoint=forged), SIGNER) is None

    assert [one["event"] for one in logs] == ["checkpoint.untrusted"]


async def test_of_the_checkpoints_that_wait_only_the_newest_is_written() -> None:
    """Each call's own, and before its end."""
    desk = Desk()
    settler = Settler("worker-1", desk, lambda _rings: None, lambda _end, _accepted: None)
    written: list[list[bytes | None]] = []
    settle = desk.settle

    async def settle_and_note(settlements: list[Settlement], owner: str = "") -> Any:
        """Note what is written."""
        written.append([one.result for one in settlements])
        return await settle(settlements, owner)

    desk.settle = settle_and_note  # type: ignore[method-assign,assignment]  # a made-up server
    other = replace(CLAIM, call_key="t:1")
    for claim, text in ((CLAIM, b"1"), (other, b"2"), (CLAIM, b"3")):
        settlement = Settlement(claim.call_key, 1, CallState.RUNNING, text)
        settler.keep(Finished(claim, "", "", settlement, None, 0.0))
    end = Settlement("t:0", 1, CallState.SUCCEEDED, b"end")
    settler.put(Finished(CLAIM, "c0", "tool", end, None, 0.0))

    running = asyncio.create_task(settler.run())
    await settler.wait_empty()
    running.cancel()

    assert written == [[b"3", b"2", b"end"]]


def test_a_handler_of_the_loop_keeps_at_once_what_it_keeps() -> None:
    """Its end cannot overtake it."""
    put: list[Claim] = []
    checkpoints = LoopCheckpoints(SIGNER, lambda claim, _kept: put.append(claim), lambda act: act())

    checkpoints.for_call(CLAIM)(b"{}")

    assert put == [CLAIM]
