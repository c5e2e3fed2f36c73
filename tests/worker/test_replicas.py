"""A call that must not run twice starts when replicas have its claim, where that is wanted."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from tests.groups import Group, is_synchronous
from tests.servers import PASSWORD, OwnServer
from tests.waiting import wait_until
from tests.worker import tools_journal
from tests.worker.caller import Caller, outcomes
from tests.worker.running import RunningWorker, Start
from toolferry import Lane, Registry, call_key
from toolferry_ledger import Claim, Ledger, Settings, secure_claims


@pytest.fixture
def servers(server_binary: Path, tmp_path: Path) -> Iterator[tuple[OwnServer, OwnServer]]:
    """Run a primary and its replica."""
    secret = (f"requirepass {PASSWORD}", f"masterauth {PASSWORD}", "repl-diskless-sync-delay 0")
    with ExitStack() as stack:
        primary = OwnServer(server_binary, tmp_path / "primary", *secret)
        stack.callback(primary.kill)
        of = f"replicaof 127.0.0.1 {primary.answers().port}"
        replica = OwnServer(server_binary, tmp_path / "replica", *secret, of)
        stack.callback(replica.kill)
        wait_until(lambda: is_synchronous(replica.answers()), "the replica's copy")
        yield primary, replica


@pytest.fixture
def settings(servers: tuple[OwnServer, OwnServer], tmp_path: Path) -> Settings:
    """Give a system that waits for one replica."""
    return Settings(
        url=f"redis://:{PASSWORD}@127.0.0.1:{servers[0].port}/0",
        secret=b"s" * 32,
        namespace="replicas",
        home=tmp_path,
        wait_replicas=1,
    )


@pytest.fixture
def group(server_binary: Path, tmp_path: Path) -> Iterator[Group]:
    """Run three sentinels, a primary and two replicas."""
    with ExitStack() as stack:
        yield Group(stack, server_binary, tmp_path / "group", replicas=2)


def claimed(caller: Caller, turn_id: str) -> list[Claim]:
    """Claim the first call of a turn, as the worker "w" does."""
    found = caller.ledger.inspect_call(call_key(turn_id, 0))
    assert found is not None
    return caller.ledger.claim("w", [(found.call_key, found.fence)], 1, "this claim").claims


def test_a_write_waits_for_a_replica_and_a_read_does_not(
    servers: tuple[OwnServer, OwnServer], caller: Caller, start: Start, folder: str
) -> None:
    """While no replica answers, the write is given back, and no attempt is used up."""
    Path(folder, "go").touch()
    servers[1].send(signal.SIGSTOP)
    worker = start(Lane.PROCESS, concurrency=2).ready()

    turn_id = caller.submit(("held_write", {"folder": folder}), ("add", {"left": 1}))
    worker.wait_for("claim.unsecured", attempt=1)
    early = caller.ledger.results(turn_id, [0])
    servers[1].send(signal.SIGCONT)
    results = caller.wait(turn_id, 2)

    assert early == {}
    assert outcomes(results) == ["succeeded"] * 2
    assert [result.attempts for result in results] == [1, 1]


def test_only_a_claim_that_is_still_held_can_be_secured(caller: Caller) -> None:
    """A primary that does not know the claim, or gave the call to another one, says so."""
    turn_id = caller.submit(("echo", {"text": "x"}))
    claims = claimed(caller, turn_id)

    held = secure_claims(caller.ledger, "this claim", claims)
    strange = secure_claims(caller.ledger, "another claim", claims)

    assert (held, strange) == ([True], [False])


def test_fewer_replicas_than_wanted_are_not_enough(caller: Caller, settings: Settings) -> None:
    """One has it, two are wanted: the handler may not start."""
    turn_id = caller.submit(("echo", {"text": "x"}))
    claims = claimed(caller, turn_id)

    wanting = Ledger(replace(settings, wait_replicas=2))

    assert secure_claims(wanting, "this claim", claims) == [False]
    wanting.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wait_replicas", "event", "runs"), [(1, "claim.unsecured", 1), (0, "call.succeeded", 2)]
)
def test_a_write_whose_claim_dies_with_the_primary_runs_twice_unless_replicas_are_waited_for(
    group: Group, folder: str, wait_replicas: int, event: str, runs: int
) -> None:
    """Without waiting the primary runs it, and so does the replica that never heard of that."""
    with ExitStack() as stack:
        settings = replace(group.settings, wait_replicas=wait_replicas)
        caller = Caller(settings, Registry.from_module(tools_journal))
        stack.callback(caller.close)
        worker = RunningWorker(settings, Lane.ASYNC, tools=tools_journal.__name__)
        stack.callback(worker.finish_off)
        worker.ready().send(signal.SIGSTOP)
        turn_id = caller.submit(("write_journal", {"folder": folder}))
        caller.ledger.client.wait(2, 1000)
        # A replica that has been cut off for ten seconds would not be promoted any more.
        group.cut_off()
        worker.send(signal.SIGCONT)
        worker.wait_for(event)

        group.primary.kill()
        group.reconnect()
        group.promoted()
        results = caller.wait(turn_id, 1)

    assert outcomes(results) == ["succeeded"]
    assert Path(folder, "journal").read_text(encoding="utf-8") == "c0\n" * runs
