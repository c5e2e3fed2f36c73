"""Wire copies of schemas: what each provider takes of JSON Schema, and what gets lost on the way.

A tool's schema is never changed, and is always the one that its arguments are judged by. What goes
over the wire is a copy for the model and for its server. `spellings.py` says as data what each
provider takes; `converter.py` is the one walk that makes a copy; every rewriting is a leaf of its
own.
"""

from __future__ import annotations

from toolferry_dispatcher.providers.schemas.converter import WireCopy, wire_copy
from toolferry_dispatcher.providers.schemas.loss import Change, Loss
from toolferry_dispatcher.providers.schemas.rules import RequestLimits, SchemaRules, Spelling
from toolferry_dispatcher.providers.schemas.spellings import SPELLINGS, spelling
from toolferry_dispatcher.providers.schemas.wiring import (
    Strictness,
    WireTool,
    strictness_of,
    wire_parameters,
    wire_tools,
)

__all__ = [
    "SPELLINGS",
    "Change",
    "Loss",
    "RequestLimits",
    "SchemaRules",
    "Spelling",
    "Strictness",
    "WireCopy",
    "WireTool",
    "spelling",
    "strictness_of",
    "wire_copy",
    "wire_parameters",
    "wire_tools",
]
