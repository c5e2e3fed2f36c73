"""A request of the process lane as its parent sees it: what happens when its child cannot tell.

A child writes the end of its attempt itself. What it cannot write arrives here: that it died
(`on_failure`), or that the worker is shut down cold and the child must be stopped (`cancel`).
"""

from __future__ import annotations

from typing import Any, cast

import structlog
from billiard.einfo import ExceptionInfo
from celery.exceptions import InvalidTaskError
from celery.worker import state
from celery.worker.request import Request

from toolferry_worker.task import AttemptTask
from toolferry_worker.watchdog import kill_group

log = structlog.get_logger(__name__)


class AttemptRequest(Request):
    """One notice of the process lane; it names one call."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        try:
            super().__init__(*args, **kwargs)
            key, fence = self.args[0][0]
            #: The call's key and the fence of its attempt.
            self.notice: tuple[str, int] = (str(key), int(fence))
        except (TypeError, ValueError, LookupError) as error:
            raise InvalidTaskError(f"the message is no notice: {error}") from error
        # The watchdog keeps the limits; it tells why Celery's are not used.
        self.time_limits = (None, None)
        self._parent = cast("AttemptTask", self.task).parent

    def on_failure(
        self,
        exc_info: ExceptionInfo,
        send_failed_event: bool = True,  # noqa: FBT001, FBT002 -- Celery's signature
        return_ok: bool = False,  # noqa: FBT001, FBT002 -- Celery's signature
    ) -> None:
        """Take notice that the child died or, against all intent, that its task raised."""
        state.task_ready(self)
        if self._already_cancelled:
            return
        error = getattr(exc_info.exception, "exc", exc_info.exception)
        log.error("child.failed", call_key=self.notice[0], pid=self.worker_pid, error=str(error))
        self._parent.lost(*self.notice)

    def cancel(
        self,
        pool: Any,
        signal: Any = None,
        emit_retry: bool = True,  # noqa: FBT001, FBT002 -- Celery's signature
    ) -> None:
        """Stop the child and give its attempt back: the worker shuts down cold."""
        state.task_ready(self)
        self._already_cancelled = True
        if self.time_start and self.worker_pid:
            self._parent.stopped(*self.notice)
            kill_group(int(self.worker_pid))
