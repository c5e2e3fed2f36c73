"""The finding: one place of a tool's definition that a model would stumble over."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding weighs; strict registration and the exit code heed all but advice."""

    #: The tool misleads a model, or lets it decide what it must not.
    ERROR = "error"
    #: A model will sometimes call the tool wrongly, or not at all.
    WARNING = "warning"
    #: The tool would be clearer; nothing is wrong.
    ADVICE = "advice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """What one rule found in one definition, without the rule's own name."""

    #: Where in the definition: `name`, `description`, `parameters.properties.path`.
    place: str
    #: What is wrong there, without a full stop.
    problem: str
    #: What to do about it, without a full stop.
    mend: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One flaw of one tool, under the code by which it can be accepted."""

    #: Of the rule: `TF301`.
    code: str
    #: Of the rule, for people: `parameter-undescribed`.
    rule: str
    severity: Severity
    #: The tool's name.
    tool: str
    #: Where in the definition: `name`, `description`, `parameters.properties.path`.
    place: str
    #: What is wrong there, without a full stop.
    problem: str
    #: What to do about it, without a full stop.
    mend: str

    def __str__(self) -> str:
        return f"{self.code} at {self.place}: {self.problem} ({self.mend})"

    @property
    def weighs(self) -> bool:
        """Whether it is more than advice."""
        return self.severity is not Severity.ADVICE

    def to_json(self) -> dict[str, str]:
        """Write it as `{"code", "rule", "severity", "tool", "place", "problem", "mend"}`."""
        return {
            "code": self.code,
            "rule": self.rule,
            "severity": self.severity.value,
            "tool": self.tool,
            "place": self.place,
            "problem": self.problem,
            "mend": self.mend,
        }
