"""Testing without a server: the same pipeline in process, with handlers that can be replaced."""

from __future__ import annotations

from toolferry_testing.parts import Delays, Part, Raises, Returns, TimesOut
from toolferry_testing.rehearsal import Rehearsal, RehearsedTurn

__all__ = ["Delays", "Part", "Raises", "Rehearsal", "RehearsedTurn", "Returns", "TimesOut"]
