"""The hint: what a model is told, beside what is wrong, to mend its call in one try."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Hint:
    """How a call can be mended."""

    #: The values or names that may stand there; as many as fit.
    allowed: tuple[Any, ...] = ()
    #: Those that look like what came, the likeliest first.
    closest: tuple[str, ...] = ()
    #: Arguments that would fit; None when there are none at hand.
    example: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form, of what there is."""
        parts = {
            "allowed": list(self.allowed),
            "closest": list(self.closest),
            "example": None if self.example is None else dict(self.example),
        }
        return {name: part for name, part in parts.items() if part not in (None, [])}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Hint:
        """Read the JSON form; unknown keys are passed over."""
        return cls(
            tuple(data.get("allowed", ())), tuple(data.get("closest", ())), data.get("example")
        )
