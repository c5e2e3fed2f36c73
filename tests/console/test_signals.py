"""Being told to stop."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator

import pytest

from toolferry_console.signals import stop_signals, terminate_as_interrupt

PATIENCE = 5.0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_only_tells(number: signal.Signals) -> None:
    """The block learns of it and stops in its own order."""
    with stop_signals() as told:
        os.kill(os.getpid(), number)

        assert told.wait(PATIENCE)


@pytest.fixture
def heeds_ctrl_c() -> Iterator[None]:
    """Have Ctrl-C interrupt, also in tests that run in the background and would ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeds_ctrl_c")
def test_a_second_ctrl_c_interrupts() -> None:
    """Who cannot wait for the drain can leave."""
    with stop_signals() as told:
        os.kill(os.getpid(), signal.SIGINT)
        told.wait(PATIENCE)

        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_afterwards_the_signals_mean_what_they_meant() -> None:
    """The block leaves the handlers as it found them."""
    before = signal.getsignal(signal.SIGTERM)

    with stop_signals(), terminate_as_interrupt():
        assert signal.getsignal(signal.SIGTERM) is not before

    assert signal.getsignal(signal.SIGTERM) is before


def test_sigterm_ends_a_block_as_ctrl_c_does() -> None:
    """What a command started is stopped by its own clean-up."""
    with pytest.raises(KeyboardInterrupt), terminate_as_interrupt():
        signal.raise_signal(signal.SIGTERM)


def test_in_another_thread_nothing_is_changed() -> None:
    """Signals are the main thread's business."""
    seen: list[object] = []

    def look() -> None:
        with terminate_as_interrupt():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()

    assert seen == [signal.getsignal(signal.SIGTERM)]
