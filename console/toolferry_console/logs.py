"""The log of the commands: only what needs a person, and never on stdout."""

from __future__ import annotations

import logging
import sys

import structlog

from toolferry_ledger import redact_event


def log_to_stderr() -> None:
    """Send errors to stderr; what a command has to say besides, it prints itself."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            redact_event,
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
