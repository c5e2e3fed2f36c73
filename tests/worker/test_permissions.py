"""A user with the least privileges runs the whole system; what it lacks is told by name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
import redis

from tests.servers import PASSWORD, OwnServer
from tests.worker.caller import TOOLS, outcomes
from tests.worker.running import RunningWorker, Start
from toolferry import Lane, LedgerUnavailable, ToolCall
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Catalog, Ledger, Settings, Signer
from toolferry_ledger.keys import queue_prefix
from toolferry_ledger.server.permissions import acl_line

ROOT = Path(__file__).parents[2]
USER, NAMESPACE = "toolferry", "least"
LINE = acl_line(USER, f"tf:{NAMESPACE}:", queue_prefix(NAMESPACE))
#: What is asked for and may be refused: the library's name, and settings that are only looked at.
OPTIONAL = {"client|setinfo", "config|get"}


@pytest.fixture
def guarded(server_binary: Path, tmp_path: Path) -> Iterator[OwnServer]:
    """Run a server that has such a user beside the one who may do everything."""
    line = LINE.replace("PASSWORD", PASSWORD)
    with ExitStack() as stack:
        server = OwnServer(server_binary, tmp_path / "guarded", f"requirepass {PASSWORD}", line)
        stack.callback(server.kill)
        yield server.answers()


@pytest.fixture
def settings(guarded: OwnServer, tmp_path: Path) -> Settings:
    """Give a system that logs in as this user."""
    return Settings(
        url=f"redis://{USER}:{PASSWORD}@127.0.0.1:{guarded.port}/0",
        secret=b"s" * 32,
        namespace=NAMESPACE,
        home=tmp_path,
    )


def refusals(server: OwnServer) -> list[str]:
    """List what the server refused of what is needed."""
    with server.client() as client:
        return [row["object"] for row in client.acl_log() if row["object"] not in OPTIONAL]


def test_the_user_of_the_docs_runs_the_whole_system(
    guarded: OwnServer, settings: Settings, start: Start
) -> None:
    """Dispatch, both lanes, retries, the catalog, a sweep, what people see: nothing is refused."""
    for lane in Lane:
        start(lane, concurrency=2).ready()
    calls = [ToolCall(f"e{n}", "echo", {"text": str(n)}) for n in range(20)]
    calls += [ToolCall(f"a{n}", "add", {"left": n}) for n in range(5)]
    calls.append(ToolCall("third", "third_time", {}))
    with Dispatcher(TOOLS, settings) as dispatcher:
        dispatcher.check()
        results = dispatcher.dispatch(calls).gather(timeout=30)
    ledger = Ledger(settings)
    ledger.overview()
    ledger.sweep(2.0, {})
    Catalog(ledger, Signer(settings.secret)).declare(TOOLS)
    ledger.close()

    assert set(outcomes(results)) == {"succeeded"}
    assert refusals(guarded) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("-evalsha", r"may not use EVALSHA.*operations"),
        ("-brpop -llen", r"may not use LLEN, BRPOP"),
        ("-wait", r"may not use WAIT"),
        ("-info", r"may not use INFO"),
        ("resetkeys ~tf:least:*", r"may not use the queues least\.\*; grant"),
        ("resetpass >another", r"it refused the password"),
    ],
)
def test_what_the_user_lacks_is_named(
    guarded: OwnServer, settings: Settings, change: str, told: str
) -> None:
    """At start, in one sentence, whether it is a command, a key or the password."""
    with guarded.client() as client:
        client.execute_command("ACL", "SETUSER", USER, *change.split())

    with pytest.raises(LedgerUnavailable, match=told):
        Ledger(settings).check()


def test_a_worker_without_rights_ends_with_the_sentence(
    guarded: OwnServer, settings: Settings
) -> None:
    """Before Celery begins, which would go on trying."""
    with guarded.client() as client:
        client.execute_command("ACL", "SETUSER", USER, "-brpop")

    worker = RunningWorker(settings, Lane.ASYNC)

    assert worker.ended() == 2
    assert "may not use BRPOP" in worker.lines[-1]


def test_the_user_reaches_no_other_system(settings: Settings) -> None:
    """Neither another namespace nor the server's own switches."""
    with redis.Redis.from_url(settings.redis_url) as client:
        for command in (("GET", "tf:other:x"), ("LLEN", "other.q"), ("CONFIG", "GET", "*")):
            with pytest.raises(redis.exceptions.NoPermissionError):
                client.execute_command(*command)
    with pytest.raises(LedgerUnavailable, match="may not"):
        Ledger(replace(settings, namespace="other")).check()


def test_a_right_that_is_taken_away_later_is_named(guarded: OwnServer, settings: Settings) -> None:
    """Whether a client runs the command or a script does."""
    ledger = Ledger(settings)
    ledger.check()
    with guarded.client() as client:
        client.execute_command("ACL", "SETUSER", USER, "-hset", "-zadd", "-time")

    with pytest.raises(LedgerUnavailable, match="may not run TIME; grant it as docs"):
        ledger.now()
    with pytest.raises(LedgerUnavailable, match="grant it as docs"):
        ledger.beat("w", [], 1)


def test_the_docs_have_the_line() -> None:
    """It can be copied from there."""
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")

    assert acl_line("toolferry", "tf:toolferry:", queue_prefix("toolferry")) in text
