"""The sources of the tools: the files that a reload depends on, and whether they have changed.

The system tells when something happens in their folders; what changed is found by looking at the
files. So nothing is missed that changes while nobody listens, and a shared folder that tells
nothing is looked at all the same.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from watchfiles import watch

#: Seconds between two looks when nothing is told.
LOOK_EVERY: Final = 2.0
#: Milliseconds without a change after which changes count as made: an editor writes several times.
_SETTLED: Final = 50
#: Milliseconds after which changes that go on and on are looked at all the same.
_LONGEST: Final = 400

#: When a file was written, and its size; None when it is not there.
Stamp = tuple[int, int] | None


class Sources:
    """Some files as they were at one moment.

    Args:
        find: Gives the files; asked at each look, so that others can turn up.
        stopped: Ends any waiting.
        known: How some of them were at an earlier moment, which then counts.
    """

    def __init__(
        self,
        find: Callable[[], Collection[Path]],
        stopped: threading.Event,
        known: Mapping[Path, Stamp] | None = None,
    ) -> None:
        self._find = find
        self._stopped = stopped
        now = self._look()
        #: Each file as it was.
        self.stamps = now | {path: old for path, old in (known or {}).items() if path in now}
        self._news = watch(
            *sorted({path.parent for path in self.stamps if path.parent.is_dir()}),
            watch_filter=None,
            debounce=_LONGEST,
            step=_SETTLED,
            stop_event=stopped,
            rust_timeout=int(LOOK_EVERY * 1000),
            yield_on_timeout=True,
            recursive=False,
        )

    def wait_changed(self) -> bool:
        """Wait until something happens, for 2 s at the most, and tell whether a file changed."""
        if self.have_changed():
            return True
        told: object = None
        # The system may have no watch left to give, or a folder may go: then we only look.
        with suppress(OSError, RuntimeError):
            told = next(self._news, None)
        if told is None:
            self._stopped.wait(LOOK_EVERY)
        return self.have_changed()

    def have_changed(self) -> bool:
        """Tell whether a file is not as it was, or another one turned up."""
        return self._look() != self.stamps

    def close(self) -> None:
        """Stop listening."""
        self._news.close()

    def _look(self) -> dict[Path, Stamp]:
        return {path: stamp_of(path) for path in self._find()}


def neighbourhood(files: Collection[Path]) -> set[Path]:
    """Give some files and all Python files beside them: what is missing may turn up as any."""
    folders = {path.parent for path in files}
    found = (path for folder in folders for path in (*folder.glob("*.py"), *folder.glob("*/*.py")))
    return {*files, *found}


def stamp_of(path: Path) -> Stamp:
    """Tell how a file is now."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
