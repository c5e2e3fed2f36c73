"""What is wrong with a policy file: one sentence for each fault, with file, line and key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toolferry import ConfigurationError


@dataclass(frozen=True, slots=True)
class PolicyFault:
    """One thing that is wrong with a policy file."""

    #: The name of the file.
    source: str
    #: The line where it stands, from 1; 0 when it stands nowhere.
    line: int
    #: The key, dotted from the top: "tools.refund.confirm"; empty for the whole file.
    key: str
    #: What is wrong, and what to do.
    reason: str
    #: Whether the file can be used all the same.
    harmless: bool = False

    def __str__(self) -> str:
        line = f"line {self.line}" if self.line else ""
        return ": ".join(filter(None, (self.source, line, self.key, self.reason)))

    def to_json(self) -> dict[str, object]:
        """Give the JSON form."""
        return {
            "file": self.source,
            "line": self.line,
            "key": self.key,
            "reason": self.reason,
            "harmless": self.harmless,
        }


class PolicyInvalid(ConfigurationError):
    """A policy file cannot be used; `faults` lists everything that is wrong with it."""

    def __init__(self, setting: str, reason: str, faults: tuple[PolicyFault, ...] = ()) -> None:
        super().__init__(setting, reason)
        self.args = (setting, reason, faults)
        self.faults = faults

    @classmethod
    def of(cls, source: str, faults: Sequence[PolicyFault]) -> PolicyInvalid:
        """Make one error of all faults of a file."""
        return cls(source, "; ".join(map(str, faults)), tuple(faults))

    def __str__(self) -> str:
        return self.reason if self.faults else super().__str__()
