"""What people do today: plain Celery with results in Redis, and both ways of gathering."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery, group

app = Celery("raw_celery")
app.conf.update(
    task_serializer="json", accept_content=["json"], broker_connection_retry_on_startup=True
)


def use(url: str | None) -> None:
    """Take a server as broker and for the results."""
    app.conf.update(broker_url=url, result_backend=url)


use(os.environ.get("RAW_CELERY_URL"))

#: Seconds after which a gathering is given up.
PATIENCE = 60


@app.task(name="raw_celery.echo")
def echo(number: int) -> int:
    """Give the number back."""
    return number


def gather_group(count: int) -> list[Any]:
    """Send a group and wait for its results."""
    results = group(echo.s(n) for n in range(count)).apply_async().get(timeout=PATIENCE)
    return list(results)


def gather_delay(count: int) -> list[Any]:
    """Send each call alone, then wait for each."""
    sent = [echo.delay(n) for n in range(count)]
    return [result.get(timeout=PATIENCE) for result in sent]
