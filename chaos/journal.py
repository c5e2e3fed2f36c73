"""The journals: files to which every process appends whole lines; nothing of Toolferry writes them.

Each line is one JSON object. It begins and ends with a line feed: a process that is killed while it
writes spoils its own line only, and a spoilt line is passed over. Times under `at` are seconds of
the machine's monotonic clock, which all processes share, those under `wall` since the epoch.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

#: The variable that names the folder of a run to all of its processes.
FOLDER: Final = "CHAOS_FOLDER"


def append(path: Path, what: str, keys: Mapping[str, Any]) -> None:
    """Append one line, in one write, with the time."""
    line = {"what": what, "at": time.monotonic(), "wall": time.time(), **keys}
    data = f"\n{json.dumps(line)}\n".encode()
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, data)
    finally:
        os.close(handle)


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Read the lines of a journal in the order in which they were written; none if it is absent."""
    if not path.exists():
        return
    with path.open(encoding="utf-8", errors="replace") as lines:
        for text in lines:
            with suppress(ValueError):
                if text != "\n":
                    yield json.loads(text)


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Where the journals of one run lie."""

    path: Path

    @classmethod
    def of_this_process(cls) -> RunFolder:
        """Give the folder that the environment names."""
        return cls(Path(os.environ[FOLDER]))

    @property
    def handlers(self) -> Path:
        """What the handlers did."""
        return self.path / "handlers.jsonl"

    @property
    def faults(self) -> Path:
        """What was done to the system."""
        return self.path / "faults.jsonl"

    def dispatcher(self, slot: int) -> Path:
        """What the dispatchers of one slot, one after the other, sent and got."""
        return self.path / f"dispatcher-{slot}.jsonl"

    @property
    def dispatchers(self) -> list[Path]:
        """What all dispatchers sent and got."""
        return sorted(self.path.glob("dispatcher-*.jsonl"))

    @property
    def audit(self) -> Path:
        """What could be gathered once more when all was over."""
        return self.path / "audit.jsonl"

    @property
    def go(self) -> Path:
        """Holds until when turns are to be sent, once all dispatchers are there."""
        return self.path / "go"

    def log(self, name: str) -> Path:
        """What a process printed."""
        return self.path / f"{name}.log"
