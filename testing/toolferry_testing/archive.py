"""What a rehearsal keeps of its calls, for the result tools to read on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from toolferry_ledger import Settlement, Spec


@dataclass(frozen=True, slots=True)
class RehearsedArchive:
    """The calls of a rehearsal, and the results of theirs that were cut."""

    _specs: dict[str, Spec] = field(default_factory=dict)
    _artifacts: dict[str, str] = field(default_factory=dict)

    def begin(self, call_key: str, spec: Spec) -> None:
        """Take note of a call."""
        self._specs[call_key] = spec

    def end(self, settlement: Settlement) -> None:
        """Keep what is to be kept of its end."""
        if settlement.artifact:
            self._artifacts[settlement.call_key] = settlement.artifact.decode()

    def specs(self, call_keys: Sequence[str]) -> Mapping[str, Spec]:
        """Give the specs of calls; those that are not there are left out."""
        return {key: self._specs[key] for key in call_keys if key in self._specs}

    def artifact(self, call_key: str) -> str | None:
        """Give all of a result that was cut; None when nothing is kept of such a call."""
        return self._artifacts.get(call_key)
