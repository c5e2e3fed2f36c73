"""Lifespans in real workers of both lanes: what handlers share is up before the first call."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis

from tests.waiting import wait_until
from tests.worker.caller import Caller, outcomes
from tests.worker.running import RunningWorker, Start
from tests.worker.tools_lifespans import registry
from toolferry import Lane
from toolferry_ledger import Pool, Route, Settings, queue_name

#: The tool of each lane that asks for what the lane's second lifespan provides.
ASK = {Lane.ASYNC: "ask_client", Lane.PROCESS: "ask_model"}
#: That lifespan.
SECOND = {Lane.ASYNC: "client", Lane.PROCESS: "model"}

Begin = Callable[..., RunningWorker]


@pytest.fixture
def caller(settings: Settings, monkeypatch: pytest.MonkeyPatch, folder: str) -> Iterator[Caller]:
    """Give a caller of the tools that share something."""
    monkeypatch.setenv("LIFESPANS_FOLDER", folder)
    caller = Caller(settings, registry)
    yield caller
    caller.close()


@pytest.fixture
def begin(start: Start, folder: str) -> Begin:
    """Start a worker with those tools; what `open=` and `close=` name is what they meet."""

    def begin_one(
        lane: Lane, concurrency: int = 1, limit: float = 30, **troubles: str
    ) -> RunningWorker:
        for when, words in troubles.items():
            for number, word in enumerate(words.split()):
                Path(folder, f"{when}.{number}").write_text(word, encoding="utf-8")
        return start(
            lane,
            concurrency=concurrency,
            tools="tests.worker.tools_lifespans",
            environment={"LIFESPANS_FOLDER": folder, "LIFESPANS_LIMIT": str(limit)},
        )

    return begin_one


def journal(folder: str) -> list[str]:
    """Read what happened, in order."""
    path = Path(folder, "journal")
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def events(folder: str) -> list[str]:
    """Read what happened, without the processes."""
    return [line.rpartition(" ")[0] for line in journal(folder)]


@pytest.mark.parametrize("lane", Lane)
def test_calls_of_a_process_share_what_it_opened_once(
    caller: Caller, begin: Begin, folder: str, lane: Lane
) -> None:
    """Both calls get what was opened in their own process, the needed one first."""
    begin(lane)

    results = caller.run((ASK[lane], {}), (ASK[lane], {}))

    pids = [result.content for result in results]
    assert pids[0][0] == pids[0][1]
    assert pids[0] == pids[1]
    assert events(folder) == ["database opened", f"{SECOND[lane]} opened"]


def test_each_child_has_its_own(caller: Caller, begin: Begin, folder: str) -> None:
    """Two children open twice, each for itself."""
    begin(Lane.PROCESS, concurrency=2).ready()
    wait_until(lambda: events(folder).count("model opened") == 2, "both children")

    results = caller.run(*[("ask_model", {})] * 8)

    pairs = [result.content for result in results]
    assert all(opened == asked for opened, asked in pairs)
    assert len({line.split()[-1] for line in journal(folder)}) == 2


@pytest.mark.parametrize("lane", Lane)
def test_all_is_closed_when_the_worker_stops(begin: Begin, folder: str, lane: Lane) -> None:
    """In the reverse order, in the process that opened it."""
    worker = begin(lane).ready()

    code = worker.stop()

    second = SECOND[lane]
    assert code == 0
    assert events(folder) == [
        "database opened",
        f"{second} opened",
        f"{second} closed",
        "database closed",
    ]
    assert len({line.split()[-1] for line in journal(folder)}) == 1


@pytest.mark.parametrize("lane", Lane)
def test_a_start_that_fails_is_named_and_tried_again_while_calls_wait(
    caller: Caller, begin: Begin, client: redis.Redis, folder: str, lane: Lane
) -> None:
    """No lease, no notice taken, and the call succeeds once the lifespan is up."""
    worker = begin(lane, open="raise raise")
    turn_id = caller.submit((ASK[lane], {}))
    told = worker.wait_for("resource.failed", lifespan=SECOND[lane], failures=2)
    owners = client.zcard(f"tf:{caller.settings.namespace}:owners")
    waiting = client.llen(queue_name(caller.settings.namespace, Route(Pool(lane))))

    results = caller.wait(turn_id, 1)

    assert told["error"] == "ConnectionError: nobody listens"
    assert "tools_lifespans.py:" in told["place"]
    assert (owners, waiting) == (0, 1)
    assert outcomes(results) == ["succeeded"]
    assert events(folder) == ["database opened", f"{SECOND[lane]} opened"]


@pytest.mark.parametrize("lane", Lane)
@pytest.mark.parametrize(
    "trouble",
    ["open hang", "open deaf", pytest.param("database hang", marks=pytest.mark.slow)],
)
def test_a_resource_manager_that_hangs_is_named_and_tried_again(
    caller: Caller, begin: Begin, lane: Lane, trouble: str
) -> None:
    """Whether it can be interrupted, cancelled, or must be left to itself or be killed."""
    when, what = trouble.split()
    worker = begin(lane, limit=0.8, **{when: what})

    results = caller.run((ASK[lane], {}))

    told = worker.wait_for("resource.failed", failures=1)
    assert told["error"] == "it was not up within its limit of 0.8 s"
    assert told["lifespan"] == ("database" if when == "database" else SECOND[lane])
    assert outcomes(results) == ["succeeded"]


@pytest.mark.slow
def test_a_child_that_dies_of_its_start_is_replaced(caller: Caller, begin: Begin) -> None:
    """Celery replaces it, and the one in its place gets up."""
    begin(Lane.PROCESS, open="crash crash")

    assert outcomes(caller.run(("ask_model", {}))) == ["succeeded"]


@pytest.mark.parametrize("lane", Lane)
def test_a_resource_manager_that_raises_at_its_close_stops_nothing(
    begin: Begin, folder: str, lane: Lane
) -> None:
    """It is named, the one below it is closed all the same, and the worker ends well."""
    worker = begin(lane, close="raise").ready()

    code = worker.stop()

    told = next(one for one in worker.events if one["event"] == "resource.close_failed")
    assert (code, told["lifespan"]) == (0, SECOND[lane])
    assert told["error"] == "ConnectionError: nobody listens"
    assert events(folder)[-1] == "database closed"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lane", "trouble"),
    [(Lane.ASYNC, "hang"), (Lane.ASYNC, "deaf"), (Lane.PROCESS, "hang")],
    ids=["async-hang", "async-deaf", "process-hang"],
)
def test_a_resource_manager_that_hangs_at_its_close_stops_nothing(
    begin: Begin, folder: str, lane: Lane, trouble: str
) -> None:
    """It is given up after its time, and the one below it is closed all the same."""
    worker = begin(lane, close=trouble).ready()

    code = worker.stop()

    told = next(one for one in worker.events if one["event"] == "resource.close_failed")
    assert (code, told["error"]) == (0, "it had not closed within 2 s")
    assert events(folder)[-1] == "database closed"


@pytest.mark.slow
def test_a_child_that_hears_nothing_at_its_close_is_killed(begin: Begin) -> None:
    """Foreign code that holds the interpreter keeps no worker from its end."""
    worker = begin(Lane.PROCESS, close="deaf").ready()

    code = worker.stop()

    told = next(one for one in worker.events if one["event"] == "resource.close_failed")
    assert (code, told["error"]) == (0, "it had not closed within 2 s")


@pytest.mark.slow
@pytest.mark.parametrize("lane", Lane)
@pytest.mark.parametrize(
    ("trouble", "number"),
    [("raise", signal.SIGTERM), ("hang", signal.SIGTERM), ("hang", signal.SIGQUIT)],
    ids=["between-tries", "during-one", "cold"],
)
def test_a_worker_that_is_not_up_stops_at_once(
    begin: Begin, folder: str, lane: Lane, trouble: str, number: signal.Signals
) -> None:
    """Between two tries and during one; what was open is closed."""
    worker = begin(lane, limit=0.8, open=f"{trouble} " * 99)
    worker.wait_for("resource.failed", lifespan=SECOND[lane])

    worker.send(number)
    code = worker.ended()

    assert code == 0 or number == signal.SIGQUIT
    assert "worker.stopped" in [one["event"] for one in worker.events]
    assert events(folder) == ["database opened", "database closed"]


@pytest.mark.slow
def test_a_killed_child_is_followed_by_one_with_its_own(
    caller: Caller, begin: Begin, folder: str
) -> None:
    """What the dead one had open is gone with it; the next call gets what is alive."""
    begin(Lane.PROCESS).ready()
    first = caller.run(("ask_model", {}))[0].content

    killed, then = caller.run(("overrun", {}), ("ask_model", {}))

    assert killed.outcome.value == "timed_out"
    assert then.content[0] == then.content[1] != first[0]
    assert events(folder) == ["database opened", "model opened"] * 2


@pytest.mark.slow
def test_a_child_whose_successor_does_not_come_up_takes_nothing(
    caller: Caller, begin: Begin, client: redis.Redis, folder: str
) -> None:
    """The notice stays where another worker finds it, also right after the death."""
    begin(Lane.PROCESS).ready()
    for number in range(99):
        Path(folder, f"open.{number}").write_text("raise", encoding="utf-8")
    caller.run(("overrun", {}))

    turn_id = caller.submit(("ask_model", {}))
    wait_until(lambda: len(list(Path(folder).glob("open.*"))) < 98, "the second try")
    waiting = client.llen(queue_name(caller.settings.namespace, Route(Pool(Lane.PROCESS))))
    for path in Path(folder).glob("open.*"):
        path.unlink(missing_ok=True)

    assert waiting == 1
    assert caller.wait(turn_id, 1)[0].attempts == 1


@pytest.mark.slow
def test_a_worker_that_is_not_up_leaves_calls_to_others(caller: Caller, begin: Begin) -> None:
    """A child that cannot open takes nothing along, also while its sibling works."""
    begin(Lane.PROCESS).ready()
    stuck = begin(Lane.PROCESS, concurrency=2, open="raise " * 99)
    stuck.wait_for("resource.failed", failures=2)

    results = caller.run(*[("ask_model", {})] * 6)

    assert [result.attempts for result in results] == [1] * 6
    assert len({result.content[0] for result in results}) == 1


def test_asking_for_what_nobody_provides_is_told_to_the_model(caller: Caller, begin: Begin) -> None:
    """Once, with the type that was asked for and those that there are."""
    begin(Lane.PROCESS)

    result = caller.run(("ask_in_vain", {}))[0]

    assert result.error
    assert (result.error.code, result.error.retryable, result.attempts) == ("no_resource", False, 1)
    assert "tools_lifespans.Client where" in result.error.message
    assert "tools_lifespans.Database, tests.worker.tools_lifespans.Model" in result.error.message
