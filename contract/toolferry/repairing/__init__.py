"""Repairs: what is put right about a call's arguments, each by its name, and nothing else.

A model, or a server between, writes arguments that mean one thing only and still cannot be read
or do not fit. Such a text or field is put right where no other meaning is possible; everything
else is refused. Each repair is recorded, and each can be switched off.
"""

from __future__ import annotations

from toolferry.repairing.fitting import Fitted, fit_arguments, fit_found
from toolferry.repairing.reading import Reading, read_object, read_text
from toolferry.repairing.repair import Repair, Repairs

__all__ = [
    "Fitted",
    "Reading",
    "Repair",
    "Repairs",
    "fit_arguments",
    "fit_found",
    "read_object",
    "read_text",
]
