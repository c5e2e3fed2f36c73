"""What a person can get wrong at the command line; each is one line and exit code 2."""

from __future__ import annotations

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
