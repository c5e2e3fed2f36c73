"""Logging of a worker process: one event a line, to stdout; JSON unless a person watches.

Lines go straight to the file descriptor. A logger that holds a lock could be copied by the fork of
a pool child at the very moment when another thread holds it, and the child would wait for ever.
"""

from __future__ import annotations

import logging
import os
import sys
from contextlib import suppress
from typing import Any, Final

import structlog

#: Where lines go: the stdout that the process was started with, whatever handlers do to sys.stdout.
_STDOUT: Final = 1

_SHARED: Final[list[Any]] = [
    structlog.contextvars.merge_contextvars,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


class LineLogger:
    """Writes each event as one line with one system call; needs no lock."""

    def msg(self, message: str) -> None:
        """Write a line; nothing happens when nobody reads any more."""
        data = (message + "\n").encode("utf-8", "backslashreplace")
        with suppress(OSError):
            while data:
                data = data[os.write(_STDOUT, data) :]

    debug = info = warning = error = critical = exception = log = msg


class LineHandler(logging.Handler):
    """Brings what Celery, kombu and warnings say through the standard library to the same lines."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log the record as an event of its logger."""
        keys: dict[str, Any] = {"logger": record.name, "message": record.getMessage()}
        if record.exc_info:
            keys["exc_info"] = record.exc_info
        structlog.get_logger().log(record.levelno, "library.said", **keys)


def configure_logging(level: int) -> None:
    """Set up structlog and the standard library's logging for this process.

    Args:
        level: The lowest level that is written, as the standard library numbers them.
    """
    structlog.configure(
        processors=[*_SHARED, *_renderers()],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: LineLogger(),
        cache_logger_on_first_use=True,
    )
    root = logging.getLogger()
    root.handlers[:] = [LineHandler()]
    root.setLevel(max(level, logging.WARNING))
    logging.captureWarnings(capture=True)


def _renderers() -> list[Any]:
    if sys.stdout.isatty():
        return [structlog.dev.ConsoleRenderer()]
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
