"""The definition: what is known of a tool without its handler."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from toolferry.states import EffectClass


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """What a model is shown of a tool, and what its author said of running it, if anything."""

    #: 1 character or more.
    name: str
    description: str = ""
    #: The JSON Schema of the arguments; need not be a sound one.
    parameters: Mapping[str, Any] = field(default_factory=dict)
    #: None: nobody said, and the rules about effects do not judge it.
    effect: EffectClass | None = None
    #: What the context must have, permissions and roles together. None: nobody said.
    permissions: frozenset[str] | None = None
    #: Arguments of good calls.
    examples: tuple[Mapping[str, Any], ...] = ()
    #: The codes of the rules that do not apply to it, each with the reason.
    accepted: Mapping[str, str] = field(default_factory=dict)
