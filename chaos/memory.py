"""Memory: how much the processes of a run hold, sampled while it goes on, and whether it grows."""

from __future__ import annotations

import statistics
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Final

#: Seconds between two samples.
SAMPLE_EVERY: Final = 1.0
#: The part of a run before memory must be flat: pools fill, caches warm up.
WARM_UP_PART: Final = 0.25
_MEGABYTE: Final = 1e6

#: Bytes by role, at one moment.
Sample = Mapping[str, float]


class Sampler:
    """Samples in a thread of its own.

    Args:
        look: Gives the bytes that each role holds at the moment.
    """

    def __init__(self, look: Callable[[], Sample]) -> None:
        self._look = look
        self._over = threading.Event()
        #: What was seen, in order.
        self.samples: list[Sample] = []
        self._thread = threading.Thread(target=self._run, name="sampler", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Take no more samples."""
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(SAMPLE_EVERY):
            self.samples.append(self._look())


def growth(values: Sequence[float]) -> dict[str, float]:
    """Say how memory went after the warm-up. Pure.

    Args:
        values: Bytes, at equal distances, two at the least.

    Returns:
        `{"start_mb": float, "end_mb": float, "growth": float}`: the medians of the first and the
        last third after the warm-up, and by which part of the first the last is more.

    >>> growth([1e6] * 4 + [2e6] * 9)
    {'start_mb': 2.0, 'end_mb': 2.0, 'growth': 0.0}
    """
    warm = values[int(len(values) * WARM_UP_PART) :]
    third = max(1, len(warm) // 3)
    start, end = statistics.median(warm[:third]), statistics.median(warm[-third:])
    return {
        "start_mb": round(start / _MEGABYTE, 1),
        "end_mb": round(end / _MEGABYTE, 1),
        "growth": round(end / start - 1, 4) if start else 0.0,
    }
