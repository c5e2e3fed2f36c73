"""The strategy: what Celery does with a message of the task that runs all tools.

In the async lane running a message only hands its calls to the event loop, so the notices go there
directly. Celery's own way, with a request, a trace and signals for each message, would add about a
tenth to the time of a short call; it is taken where it is needed: in the process lane, and for
Flower.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from celery.exceptions import InvalidTaskError
from celery.worker import strategy
from celery.worker.consumer import Consumer
from kombu import Message

from toolferry_ledger import read_json
from toolferry_worker.configuration import flower_wanted
from toolferry_worker.probe import is_probe
from toolferry_worker.redelivery import tell_redelivered
from toolferry_worker.task import AttemptTask, Notices, read_notices

#: Takes a message, its body where it is decoded already, and what Celery wants called about it.
Handle = Callable[..., Any]


def notice_strategy(task: AttemptTask, app: Any, consumer: Consumer) -> Handle:
    """Choose how the messages of a worker are handled."""
    if task.hands_over and not flower_wanted():
        return _heard(task, _straight_to(task))
    stock: Handle = strategy.default(task, app, consumer)
    return _heard(task, stock)


def _heard(task: AttemptTask, handle: Handle) -> Handle:
    """Have each message that arrives told to the probe; its own go no further."""

    def hear(message: Message, *others: Any) -> None:
        task.heard()
        tell_redelivered(message)
        if is_probe(message.headers):
            message.ack()
        else:
            handle(message, *others)

    return hear


def _straight_to(task: AttemptTask) -> Handle:
    take = task.runner.take

    def handle(message: Message, _body: Any, *_: Any) -> None:
        notices = _notices_of(message)
        message.ack()
        take(notices)

    return handle


def _notices_of(message: Message) -> Notices:
    try:
        args, _kwargs, _embed = _payload_of(message)
        return read_notices(*args)
    except (TypeError, ValueError) as error:
        raise InvalidTaskError(f"the message is no notice: {error}") from error


def _payload_of(message: Message) -> Any:
    """Read a body; kombu's own reader looks for what no notice holds, which takes 4 µs."""
    body = message.body
    if message.content_type == "application/json" and isinstance(body, bytes):
        return read_json(body)
    return message.payload
