"""The Celery configuration and what decides it."""

from __future__ import annotations

import pytest
from celery.concurrency.prefork import TaskPool as Prefork
from celery.concurrency.solo import TaskPool as Solo
from celery.concurrency.thread import TaskPool as Threads

from toolferry import ConfigurationError, Lane
from toolferry_ledger import Pool, Settings
from toolferry_worker.application import lane_of
from toolferry_worker.configuration import (
    common_configuration,
    drain_grace,
    flower_wanted,
    lane_configuration,
    slots_for,
)


def test_messages_are_json_acknowledged_early_and_kept_by_nobody(settings: Settings) -> None:
    """The ledger decides, Celery carries."""
    wanted = common_configuration(settings)

    assert wanted["accept_content"] == ["json"]
    assert (wanted["task_acks_late"], wanted["task_ignore_result"]) == (False, True)
    assert wanted["broker_transport_options"]["ack_emulation"] is False
    assert wanted["worker_enable_remote_control"] is False


def test_only_the_process_lane_takes_one_message_at_a_time(settings: Settings) -> None:
    """Each lane has a queue of its own in the namespace."""
    lanes = {lane: lane_configuration(settings, [Pool(lane)]) for lane in Lane}

    assert [lanes[lane]["worker_disable_prefetch"] for lane in (Lane.ASYNC, Lane.PROCESS)] == [
        False,
        True,
    ]
    assert (
        lanes[Lane.ASYNC]["task_default_queue"] == f"{settings.namespace}.default.async.interactive"
    )


def test_flower_gets_what_it_needs_on_request_only() -> None:
    """Events and remote control cost commands, and remote control costs trust."""
    wanted = [flower_wanted({"TOOLFERRY_FLOWER": word}) for word in ("1", "0", "")]

    assert wanted == [True, False, False]


def test_the_pool_decides_the_lane() -> None:
    """Solo and prefork are the two that can keep limits."""
    assert (lane_of(Solo), lane_of(Prefork)) == (Lane.ASYNC, Lane.PROCESS)
    with pytest.raises(ConfigurationError, match="thread runs no lane"):
        lane_of(Threads)


def test_the_number_of_slots_is_asked_for_or_set_or_has_a_default() -> None:
    """In this order."""
    set_to_nine = {"TOOLFERRY_CONCURRENCY": "9"}

    assert slots_for(Lane.ASYNC, "7", set_to_nine) == 7
    assert slots_for(Lane.ASYNC, None, set_to_nine) == 9
    assert slots_for(Lane.PROCESS, None, {}) >= 1


@pytest.mark.parametrize("text", ["0", "many", "-1", "5000"])
def test_a_number_of_slots_that_cannot_be_is_refused(text: str) -> None:
    """The setting is named."""
    with pytest.raises(ConfigurationError, match="TOOLFERRY_CONCURRENCY"):
        slots_for(Lane.ASYNC, text, {})


def test_the_grace_of_a_drain_can_be_set() -> None:
    """In seconds; empty counts as not set."""
    graces = [drain_grace({"TOOLFERRY_DRAIN_SECONDS": text}) for text in ("", "2.5", "0")]

    assert graces == [25.0, 2.5, 0.0]


@pytest.mark.parametrize("text", ["soon", "-1", "1.2.3", "inf"])
def test_a_grace_that_is_no_time_is_refused(text: str) -> None:
    """The setting is named, at start and not when the worker stops."""
    with pytest.raises(ConfigurationError, match="TOOLFERRY_DRAIN_SECONDS"):
        drain_grace({"TOOLFERRY_DRAIN_SECONDS": text})
