"""Being told to stop: Ctrl-C and SIGTERM end a block in an orderly way."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_STOPS: Final = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stop_signals() -> Iterator[threading.Event]:
    """Give an event that the first Ctrl-C or SIGTERM sets; a second Ctrl-C interrupts as usual."""
    told = threading.Event()

    def tell(number: int, _frame: FrameType | None) -> None:
        told.set()
        signal.signal(number, before[signal.Signals(number)])

    before = {number: signal.signal(number, tell) for number in _STOPS}
    try:
        yield told
    finally:
        for number in _STOPS:
            signal.signal(number, before[number])


@contextmanager
def terminate_as_interrupt() -> Iterator[None]:
    """Let SIGTERM end the block as Ctrl-C does, so that what it started is stopped too.

    Does nothing outside the main thread, where no signal arrives.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
