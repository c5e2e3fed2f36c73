"""Capture: prints of calls are kept apart from the process's own."""

from __future__ import annotations

import io
import threading

from toolferry_worker.capture import KEPT_CHARACTERS, CallStream, Captured


def test_what_a_call_prints_goes_to_the_call() -> None:
    """And to nobody else."""
    original = io.StringIO()
    stream = CallStream(original)

    with Captured() as printed:
        print("hello", file=stream)

    assert (printed.text, printed.size, original.getvalue()) == ("hello\n", 6, "")


def test_what_nobody_catches_goes_where_it_always_went() -> None:
    """Outside of calls the stream is the original."""
    original = io.StringIO()
    stream = CallStream(original)

    print("hello", file=stream, flush=True)

    assert original.getvalue() == "hello\n"


def test_only_the_beginning_is_kept() -> None:
    """All of it is counted."""
    with Captured() as printed:
        stream = CallStream(io.StringIO())
        for _ in range(3):
            stream.write("x" * KEPT_CHARACTERS)

    assert len(printed.text) == KEPT_CHARACTERS
    assert printed.size == 3 * KEPT_CHARACTERS


def test_threads_are_told_apart() -> None:
    """Another thread's prints are not this call's."""
    original = io.StringIO()
    stream = CallStream(original)

    with Captured() as printed:
        thread = threading.Thread(target=stream.write, args=("other",))
        thread.start()
        thread.join()

    assert (printed.size, original.getvalue()) == (0, "other")


def test_the_stream_has_what_its_original_has() -> None:
    """Programs ask a stream for more than writing."""
    stream = CallStream(io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))

    stream.writelines(["a", "b"])

    assert (stream.encoding, stream.writable(), stream.isatty()) == ("utf-8", True, False)
