"""`toolferry dead` and `toolferry retry`: see, repeat and discard what ended without success."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from tests.console import sample_tools
from tests.console.conftest import Toolferry
from tests.dispatcher.hand_worker import HandWorker
from toolferry import Lane, Registry, ToolCall
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Settings

TOOLS = Registry.from_module(sample_tools)
#: Arguments that fit each tool.
ARGUMENTS: dict[str, dict[str, Any]] = {
    "count": {"table": "users", "password": "hunter2"},
    "add": {"a": 1, "b": 2},
    "send": {"text": "hello"},
}


@pytest.fixture
def worker(settings: Settings) -> Iterator[HandWorker]:
    """Give a worker that does nothing by itself."""
    with closing(HandWorker(settings)) as worker:
        yield worker


def lose(settings: Settings, worker: HandWorker, tool: str = "count") -> str:
    """Have a call end as a dead letter; give its key."""
    with Dispatcher(TOOLS, settings) as dispatcher:
        dispatcher.dispatch(ToolCall("c", tool, ARGUMENTS[tool]))
        (claim,) = worker.take(Lane.ASYNC)
        worker.fail(claim)
    return claim.call_key


def test_dead_letters_are_listed(
    toolferry: Toolferry, settings: Settings, worker: HandWorker
) -> None:
    """For people, with every worker dead."""
    key = lose(settings, worker)

    ran = toolferry("dead", "list")

    assert ran.code == 0
    assert key in ran.out
    assert "execution_failed" in ran.out


def test_dead_letters_are_filtered(
    toolferry: Toolferry, settings: Settings, worker: HandWorker
) -> None:
    """By tool, code and age; scripts get one object."""
    key = lose(settings, worker)

    found = [
        [
            letter["call"]
            for letter in toolferry("dead", "list", "--json", *filters).object["letters"]
        ]
        for filters in (
            ["--tool", "count", "--code", "execution_failed"],
            ["--tool", "add"],
            ["--code", "timeout"],
            ["--older-than", "1h"],
            ["--newer-than", "1h", "--limit", "1"],
        )
    ]

    assert found == [[key], [], [], [], [key]]


@pytest.mark.parametrize("age", ["soon", "-1h", "1", "1y", ""])
def test_a_time_that_is_none_is_refused(toolferry: Toolferry, age: str) -> None:
    """In one line that says what a time looks like."""
    ran = toolferry("dead", "list", "--older-than", age)

    assert ran.code == 2
    assert "is no time such as 90s, 15m, 1h or 7d" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_a_letter_is_shown_without_its_secrets(
    toolferry: Toolferry, settings: Settings, worker: HandWorker
) -> None:
    """Its attempts, its error, and the arguments that may be seen."""
    key = lose(settings, worker)

    shown = toolferry("dead", "show", key)
    as_json = toolferry("dead", "show", key, "--json")

    assert "attempt 1 on hand: failed" in shown.out
    assert "(execution_failed): It broke." in shown.out
    assert "users" in shown.out
    assert as_json.object["arguments"] == {"table": "users", "password": "…"}
    assert as_json.object["schema_version"] == 1
    assert "hunter2" not in shown.out + as_json.out


def test_arguments_of_an_unknown_tool_are_not_shown(
    toolferry: Toolferry,
    settings: Settings,
    worker: HandWorker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody knows which are secret when no worker is alive and no tools are named."""
    key = lose(settings, worker)
    monkeypatch.delenv("TOOLFERRY_TOOLS")

    ran = toolferry("dead", "show", key, "--json")

    assert ran.object["arguments"] == {"table": "…", "password": "…"}


def test_a_call_that_is_not_there_is_told_in_one_line(toolferry: Toolferry) -> None:
    """It may have expired."""
    ran = toolferry("dead", "show", "nobody:0")

    assert ran.code == 2
    assert "the ledger does not have it" in ran.err


def test_a_letter_is_replayed_and_its_end_shown_beside_it(
    toolferry: Toolferry, settings: Settings, worker: HandWorker
) -> None:
    """The answer that the model was given stays."""
    key = lose(settings, worker, "add")

    ran = toolferry("dead", "replay", key)
    again = toolferry("dead", "replay", key)
    worker.succeed(*worker.take(Lane.ASYNC))
    shown = toolferry("dead", "show", key, "--json").object

    assert (ran.code, again.code) == (0, 1)
    assert f"{key} is repeated as" in ran.out
    assert "has not ended yet" in again.err
    assert shown["result"]["outcome"] == "failed"
    assert shown["replays"][0]["result"]["outcome"] == "succeeded"
    assert toolferry("dead", "list", "--json").object["letters"] == []
    assert len(toolferry("dead", "list", "--all", "--json").object["letters"]) == 1


def test_many_letters_are_replayed_by_filter(
    toolferry: Toolferry, settings: Settings, worker: HandWorker
) -> None:
    """Each has its own replay."""
    keys = {lose(settings, worker, "add") for _ in range(3)}

    ran = toolferry("dead", "replay", "--tool", "add", "--json")

    assert ran.code == 0
    assert {row["call"] for row in ran.object["replays"]} == keys
    assert all(row["replay"] for row in ran.object["replays"])


@pytest.mark.parametrize("command", ["replay", "discard"])
def test_who_names_nothing_gets_nothing(toolferry: Toolferry, command: str) -> None:
    """Nothing is done to all letters by mistake."""
    ran = toolferry("dead", command)

    assert ran.code == 2
    assert "Name calls, or say which" in ran.err


def test_letters_are_discarded(
    toolferry: Toolferry, settings: Settings, worker: HandWorker
) -> None:
    """What is none is told."""
    key = lose(settings, worker)

    ran = toolferry("dead", "discard", key, "nobody:0", "--json")

    assert ran.code == 1
    assert ran.object["discarded"] == {key: True, "nobody:0": False}
    assert toolferry("dead", "list").out == "no dead letters\n"


def test_a_call_that_succeeded_is_retried(
    toolferry: Toolferry, settings: Settings, worker: HandWorker
) -> None:
    """Dead or not: it has ended."""
    with Dispatcher(TOOLS, settings) as dispatcher:
        turn = dispatcher.dispatch(ToolCall("c", "add", {"a": 1, "b": 2}))
        still_open = toolferry("retry", f"{turn.turn_id}:0")
        worker.succeed(*worker.take(Lane.ASYNC))

    ran = toolferry("retry", f"{turn.turn_id}:0", "--json")

    assert still_open.code == 1
    assert "has not ended yet" in still_open.err
    assert ran.object["replays"][0]["replay"] == f"{turn.turn_id}.0~1:0"


def test_what_may_happen_twice_needs_a_word(
    toolferry: Toolferry, settings: Settings, worker: HandWorker
) -> None:
    """The refusal names the option."""
    key = lose(settings, worker, "send")

    refused = toolferry("dead", "replay", key)
    replayed = toolferry("dead", "replay", key, "--yes-it-may-happen-twice")

    assert refused.code == 1
    assert "--yes-it-may-happen-twice" in refused.err
    assert replayed.code == 0


def test_the_status_counts_dead_letters(
    toolferry: Toolferry, settings: Settings, worker: HandWorker
) -> None:
    """Nobody has to look for them to know."""
    lose(settings, worker)

    assert "dead letters: 1, see: toolferry dead list" in toolferry("status").out
    assert toolferry("status", "--json").object["dead_letters"] == 1


def test_the_status_names_tools_that_rest(toolferry: Toolferry, worker: HandWorker) -> None:
    """And for how long."""
    prefix = worker.ledger.settings.key_prefix
    worker.ledger.client.sadd(f"{prefix}tools", "count")
    worker.ledger.client.set(f"{prefix}shed:count", 1, px=5000)

    ran = toolferry("status")

    assert "count fails all the time and rests for" in ran.out


def test_events_are_printed_one_a_line(
    toolferry: Toolferry, settings: Settings, worker: HandWorker
) -> None:
    """What is kept of them; scripts go on after the last."""
    first, second = lose(settings, worker), lose(settings, worker)

    all_of_them = toolferry("events", "--json")
    position = all_of_them.out.split('"position": "')[1].partition('"')[0]
    rest = toolferry("events", "--after", position)

    assert [line.count('"kind": "dead"') for line in all_of_them.out.splitlines()] == [1, 1]
    assert first in all_of_them.out
    assert rest.out.split()[1:] == ["dead", second, "count", "failed"]


def test_a_position_that_is_none_is_refused(toolferry: Toolferry) -> None:
    """Before the server is asked."""
    ran = toolferry("events", "--after", "yesterday")

    assert ran.code == 2
    assert "is no position of an event" in ran.err


def test_who_has_read_enough_events_may_go(
    toolferry: Toolferry, settings: Settings, worker: HandWorker
) -> None:
    """As `head` does: no traceback."""
    for _ in range(2):
        lose(settings, worker)
    command = [sys.executable, "-m", "toolferry_console.main", "events", "--follow", "--json"]
    command += ["--after", "0-0"]
    with subprocess.Popen(
        command,
        env={**os.environ, **settings.environment()},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as listener:
        assert listener.stdout is not None
        assert listener.stderr is not None
        heard = listener.stdout.readline()
        listener.stdout.close()
        lose(settings, worker)

        said = listener.stderr.read()

    assert '"kind": "dead"' in heard
    assert (listener.returncode, said) == (0, "")
    assert toolferry("events").code == 0


def test_a_tenant_is_purged(toolferry: Toolferry, settings: Settings, worker: HandWorker) -> None:
    """With counts of what is gone."""
    key = lose(settings, worker)

    ran = toolferry("purge", "--tenant", "default", "--yes", "--json")

    assert ran.code == 0
    assert (ran.object["turns"], ran.object["calls"], ran.object["running"]) == (1, 1, 0)
    assert toolferry("dead", "show", key).code == 2


def test_nothing_is_purged_when_nobody_can_be_asked(toolferry: Toolferry) -> None:
    """Without --yes and without a terminal."""
    ran = toolferry("purge", "--conversation", "c")

    assert ran.code == 2
    assert "add --yes" in ran.err


@pytest.mark.parametrize(
    "options", [[], ["--tenant", "a", "--conversation", "b"], ["--tenant", ""]]
)
def test_a_purge_of_one_thing_only(toolferry: Toolferry, options: list[str]) -> None:
    """Neither of nothing nor of two."""
    ran = toolferry("purge", "--yes", *options)

    assert ran.code == 2
    assert "Name either a tenant or a conversation" in ran.err


def test_a_call_that_still_runs_is_left_for_the_next_purge(
    toolferry: Toolferry, settings: Settings, worker: HandWorker
) -> None:
    """It was told to stop."""
    with Dispatcher(TOOLS, settings) as dispatcher:
        dispatcher.dispatch(ToolCall("c", "add", {"a": 1, "b": 2}))
        (claim,) = worker.take(Lane.ASYNC)
        first = toolferry("purge", "--tenant", "default", "--yes", "--timeout", "0")
        worker.succeed(claim)

    second = toolferry("purge", "--tenant", "default", "--yes")

    assert first.code == 1
    assert "1 calls still run" in first.err
    assert second.out.startswith("erased 1 calls and 1 turns")
