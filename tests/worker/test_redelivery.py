"""Redelivery: a broker that delivers the notice of a running call again harms nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import wait_until
from tests.worker.caller import TOOLS, Caller, wait_running
from tests.worker.running import RunningWorker, Start
from toolferry import Lane
from toolferry_ledger import Settings
from toolferry_worker.configuration import common_configuration
from toolferry_worker.redelivery import redelivery_fault

CASE = json.loads(
    (Path(__file__).parents[1] / "data" / "cases" / "23-redelivery.json").read_text("utf-8")
)
SHORT = CASE["scenario"]["broker_transport_options"]


def has_told(workers: list[RunningWorker], event: str) -> bool:
    """Whether one of some workers has told of something."""
    return any(one["event"] == event for worker in workers for one in list(worker.events))


def test_a_call_that_is_announced_again_while_it_runs_is_not_begun_again(
    start: Start, caller: Caller, folder: str
) -> None:
    """Case 23: two workers, late acknowledgement, and less patience than the call takes."""
    asked, wanted = CASE["scenario"], CASE["expect"]
    environment = {"VISIBILITY_TIMEOUT": str(SHORT["visibility_timeout"])}
    workers = [
        start(
            Lane.PROCESS,
            concurrency=2,
            environment=environment,
            application="tests.worker.redelivering",
        )
        for _ in range(asked["workers"])
    ]
    for worker in workers:
        worker.ready()

    turn_id = caller.submit(("held_write", {"folder": folder}))
    wait_running(folder, "c0.1")
    wait_until(lambda: has_told(workers, "notice.redelivered"), "the second delivery")
    Path(folder, "go").touch()
    results = caller.wait(turn_id, 1)

    begun = list(Path(folder).glob("c0.*"))
    assert len(begun) == wanted["counter"]
    assert len(results) == wanted["results"]
    assert results[0].attempts == 1
    told = workers[0].wait_for("broker.redelivers")
    assert (told["level"], told["reason"][:20]) == ("warning", "visibility_timeout 2")


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"ack_emulation": False, **SHORT}, None),
        (SHORT, "visibility_timeout 2 s is not above the longest limit, 60 s"),
        ({}, None),
        (
            {"visibility_timeout": 60},
            "visibility_timeout 60 s is not above the longest limit, 60 s",
        ),
        ({"visibility_timeout": 61}, None),
    ],
)
def test_a_broker_that_would_announce_a_running_call_again_is_told_of(
    options: dict[str, Any], fault: str | None
) -> None:
    """When it keeps what is acknowledged late, with less patience than the longest limit."""
    assert redelivery_fault(options, TOOLS, acks_late=True) == fault
    assert redelivery_fault(options, TOOLS, acks_late=False) is None


def test_our_own_configuration_has_no_redelivery(settings: Settings) -> None:
    """Neither early acknowledgement nor a second store of messages leaves anything to redeliver."""
    ours = common_configuration(settings)

    options, late = ours["broker_transport_options"], ours["task_acks_late"]
    assert redelivery_fault({**options, **SHORT}, TOOLS, acks_late=late) is None
    assert redelivery_fault({**options, **SHORT}, TOOLS, acks_late=True) is None
