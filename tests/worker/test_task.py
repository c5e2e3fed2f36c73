"""Messages of the one task, and what is no such message."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from celery.exceptions import InvalidTaskError
from kombu import Message

from toolferry_worker.strategy import notice_strategy
from toolferry_worker.task import AttemptTask, Notices


class Taker:
    """Keeps what it is given."""

    def __init__(self) -> None:
        self.taken: Notices = []

    def take(self, notices: Notices) -> None:
        """Take notices."""
        self.taken += notices


class Channel:
    """Where a message is acknowledged."""

    no_ack_consumers = None

    def __init__(self) -> None:
        self.acknowledged: list[object] = []

    def basic_ack(self, tag: object, multiple: bool = False) -> None:  # noqa: FBT001, FBT002 -- kombu's signature
        """Take an acknowledgement."""
        self.acknowledged.append(tag)


def handed_over(args: Any) -> tuple[Notices, list[object]]:
    """Have a message handled as in the async lane; give what was taken and acknowledged."""
    task, taker, channel = AttemptTask(), Taker(), Channel()
    task.runner, task.hands_over = taker, True
    message = Message(
        json.dumps([args, {}, {}]),
        delivery_tag="m1",
        content_type="application/json",
        content_encoding="utf-8",
        channel=channel,
        accept={"application/json"},
    )
    notice_strategy(task, None, cast("Any", None))(message, None, None, None, None)
    return taker.taken, channel.acknowledged


def test_the_calls_of_a_notice_go_straight_to_their_lane() -> None:
    """And the message is acknowledged: the ledger knows the rest."""
    assert handed_over([[["t:0", 7], ["t:1", 8]]]) == ([("t:0", 7), ("t:1", 8)], ["m1"])


@pytest.mark.parametrize("args", [[], [7], [[["t:0"]]], [[["t:0", "x"]]], [[], []]])
def test_a_message_that_is_no_notice_is_refused(args: Any) -> None:
    """Celery drops it and goes on."""
    with pytest.raises(InvalidTaskError, match="no notice"):
        handed_over(args)


def test_a_child_runs_the_notice_as_a_task() -> None:
    """What Celery calls is what the lane runs."""
    task, taker = AttemptTask(), Taker()
    task.runner = taker

    task.run([["t:0", 7]])

    assert taker.taken == [("t:0", 7)]
