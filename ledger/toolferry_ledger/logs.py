"""The log of the library rooms: structlog as the application configured it, or else quiet.

structlog that nobody configured prints every event to standard output. An agent's process that uses
Toolferry as a library must not find our events in its output, so until it configures structlog only
warnings and errors are told, on standard error.
"""

from __future__ import annotations

import logging
import sys
from typing import Any

import structlog

from toolferry_ledger.redacting import redact_event


class Log:
    """A logger that asks at every event whether structlog was configured meanwhile.

    Args:
        name: The module that speaks.
    """

    def __init__(self, name: str) -> None:
        self._configured = structlog.get_logger(name)

    def debug(self, event: str, **keys: Any) -> None:
        """Tell what only somebody who searches wants to know."""
        if _is_heard(logging.DEBUG):
            self._configured.debug(event, **keys)

    def info(self, event: str, **keys: Any) -> None:
        """Tell what is normal."""
        if _is_heard(logging.INFO):
            self._configured.info(event, **keys)

    def warning(self, event: str, **keys: Any) -> None:
        """Tell what was refused or will be tried again."""
        self._chosen().warning(event, **keys)

    def error(self, event: str, **keys: Any) -> None:
        """Tell what needs a person."""
        self._chosen().error(event, **keys)

    def _chosen(self) -> Any:
        return self._configured if structlog.is_configured() else _plain_logger()


def get_log(name: str) -> Log:
    """Give the logger of a module."""
    return Log(name)


def _is_heard(level: int) -> bool:
    """Tell whether an event goes anywhere; to make a logger for one that does not takes 4 µs."""
    if not structlog.is_configured():
        return False
    asked = getattr(structlog.get_config()["wrapper_class"], "is_enabled_for", None)
    return asked is None or bool(asked(None, level))


def _plain_logger() -> Any:
    # Made anew: an application, or a test, may have put another stream in place of stderr.
    return structlog.wrap_logger(
        structlog.PrintLogger(sys.stderr),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            redact_event,
            structlog.dev.ConsoleRenderer(
                colors=False, exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
    )
