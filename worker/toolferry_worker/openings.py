"""Opening what handlers share: the rules and the words that both lanes have in common.

A lifespan that raises, or is not up within its limit, is named in the log and tried again, with
longer and longer pauses, for as long as the worker runs. The process takes no calls meanwhile.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from typing import Any, Final

import structlog

from toolferry import Lifespan
from toolferry.wording import shortened

log = structlog.get_logger(__name__)

#: Seconds before the second try at the most.
FIRST_PAUSE: Final = 0.5
#: Seconds before any other try at the most.
LONGEST_PAUSE: Final = 30.0
#: Seconds that one lifespan may take to close; a worker has about 30 to stop in all.
CLOSE_LIMIT: Final = 2.0

#: Characters of what a lifespan raised that are told.
_MAX_SENTENCE: Final = 2000
#: Doublings of the first pause after which it has long been the longest.
_ENOUGH: Final = 16


class NotUp(Exception):
    """A lifespan was not up within its limit."""

    def __init__(self, limit: float) -> None:
        super().__init__(limit)
        self.limit = limit

    def __str__(self) -> str:
        return f"it was not up within its limit of {self.limit:g} s"


class NotClosed(Exception):
    """A lifespan had not closed within its limit."""

    def __init__(self, limit: float) -> None:
        super().__init__(limit)
        self.limit = limit

    def __str__(self) -> str:
        return f"it had not closed within {self.limit:g} s"


def pause_after(failures: int, dice: float) -> float:
    """Give the seconds to wait before another try.

    Args:
        failures: How many tries have failed in a row, 1 or more.
        dice: A random number in [0, 1), so that processes which failed together do not come back
            together; passed in, so that the rule stays pure.

    >>> [pause_after(failures, 0.0) for failures in (1, 2, 3, 99)]
    [0.25, 0.5, 1.0, 15.0]
    """
    bound = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(failures - 1, _ENOUGH))
    return bound * (1 + dice) / 2


def given(lifespan: Lifespan, provided: Mapping[type[Any], Any]) -> dict[str, Any]:
    """Give the arguments of a lifespan's function: what others provide."""
    return {name: provided[kind] for name, kind in lifespan.needs.items()}


def tell_opened(lifespan: Lifespan, seconds: float) -> None:
    """Tell that one is up."""
    log.info("resource.opened", **_keys(lifespan), seconds=round(seconds, 3))


def tell_failed(
    lifespan: Lifespan, error: BaseException, failures: int, pause: float | None = None
) -> None:
    """Tell that one is not up.

    Args:
        lifespan: Which.
        error: Why; its place is told too.
        failures: How many tries have failed in a row.
        pause: Seconds until it is tried again; None when another process decides that.
    """
    log.warning(
        "resource.failed",
        **_keys(lifespan),
        place=_place(lifespan, error),
        error=_sentence(error),
        failures=failures,
        retry_seconds=None if pause is None else round(pause, 3),
    )


def tell_closed(lifespan: Lifespan, error: BaseException | None) -> None:
    """Tell that one was closed, or why it was not."""
    if error is None:
        log.debug("resource.closed", **_keys(lifespan))
        return
    place, sentence = _place(lifespan, error), _sentence(error)
    log.warning("resource.close_failed", **_keys(lifespan), place=place, error=sentence)


def _keys(lifespan: Lifespan) -> dict[str, Any]:
    return {"lifespan": lifespan.name, "provides": lifespan.provides.__qualname__}


def _sentence(error: BaseException) -> str:
    if isinstance(error, NotUp | NotClosed):
        return str(error)
    return shortened(traceback.format_exception_only(error)[-1].strip(), _MAX_SENTENCE)


def _place(lifespan: Lifespan, error: BaseException) -> str:
    """Give the line in the lifespan's own file at which the error came up."""
    file = lifespan.place.rpartition(":")[0]
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename == file]
    return f"{file}:{own[-1].lineno}" if own else lifespan.place
