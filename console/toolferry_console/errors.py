"""What a person can get wrong at the command line; each is one line and exit code 2."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from toolferry import ToolferryError


class InputUnreadable(ToolferryError):
    """A file that was named cannot be used; says which and why."""

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(source, reason)
        self.source = source
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.source}: {self.reason}"


class WorkersFailed(ToolferryError):
    """The workers that were started do not stay up; names the lane and its last words."""

    def __init__(self, name: str, last_words: str) -> None:
        super().__init__(name, last_words)
        self.name = name
        self.last_words = last_words

    def __str__(self) -> str:
        return f"the {self.name} worker does not stay up: {self.last_words or 'it said nothing'}"


class NoSuchTool(ToolferryError):
    """A tool was named that the modules do not have; names those that look like it."""

    def __init__(self, name: str, tools: str, close: Sequence[str]) -> None:
        super().__init__(name, tools, close)
        self.name = name
        self.tools = tools
        self.close = close

    def __str__(self) -> str:
        meant = f"; did you mean {' or '.join(self.close)}?" if self.close else ""
        return f"there is no tool {self.name!r} in {self.tools}{meant or '; see: toolferry tools'}"


class FolderOccupied(ToolferryError):
    """Files that were to be written are there already; names them."""

    def __init__(self, paths: Sequence[Path]) -> None:
        super().__init__(paths)
        self.paths = paths

    def __str__(self) -> str:
        named = ", ".join(map(str, self.paths))
        there = "is" if len(self.paths) == 1 else "are"
        return f"{named} {there} there already, so nothing was written; name an empty folder"


class ToolsUnusable(ToolferryError):
    """The tools cannot be imported; says why, with module, file and line."""

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        return self.fault
