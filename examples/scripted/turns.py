"""What a scripted provider says, in the words of no API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedCall:
    """One call that the model makes."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    #: Its id; the server makes one when it is empty.
    call_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedTurn:
    """One response of the model."""

    text: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    #: What the model thinks first, where the API shows that.
    thoughts: str = "Let me think."


def calls(*wanted: tuple[str, Mapping[str, Any]], text: str = "") -> ScriptedTurn:
    """Write a turn that asks for tools, each given by name and arguments."""
    return ScriptedTurn(
        text=text,
        calls=tuple(ScriptedCall(name=name, arguments=arguments) for name, arguments in wanted),
    )
