"""Verifying: a tool's own way to find out whether a call of it had its effect.

When an attempt of a tool that must not be repeated ends and nobody knows whether it had its effect,
the tool's `verify` is called once, as its handler would be: with those of the call's arguments that
it names, and the context, whose `idempotency_key` is that of the attempt. It looks, and says what
it found. It must change nothing, and should say `none` only when nothing can happen any more: the
attempt may still be at it, on a machine that nobody hears of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from toolferry.binding import Binder, slot_of
from toolferry.errors import ToolInvalid
from toolferry.hints import hints_of, is_async, parameters_of
from toolferry.states import Effect, Lane


@dataclass(frozen=True, slots=True)
class Verified:
    """What a `verify` found out."""

    #: `COMMITTED`: it happened. `NONE`: it did not, and will not. `POSSIBLE`: that cannot be told.
    effect: Effect
    #: What the call would have returned; told to the model when it happened.
    content: Any = None


def read_finding(value: object) -> Verified:
    """Read what a `verify` returned: a `Verified`, or an effect alone.

    Raises:
        ValueError: It is neither.

    >>> read_finding("none").effect
    <Effect.NONE: 'none'>
    """
    if isinstance(value, Verified):
        return Verified(Effect(value.effect), value.content)
    return Verified(Effect(str(value)))


def check_verify(tool: str, verify: Callable[..., Any], lane: Lane) -> None:
    """Require a function that the tool's lane can run.

    Raises:
        ToolInvalid: It is no function, or would stall the event loop.
    """
    if not callable(verify):
        raise ToolInvalid(tool, f"verify is {verify!r:.40}: it must be a function")
    if lane is Lane.ASYNC and not is_async(verify):
        raise ToolInvalid(
            tool, "verify is not async and would stall the event loop: make it `async def`"
        )


def verify_binder(tool: str, binder: Binder, verify: Callable[..., Any]) -> Binder:
    """Give what brings a call's arguments to `verify`: the handler's, under the same names.

    Raises:
        ToolInvalid: It needs something that the handler does not take.
    """
    hints = hints_of(tool, verify)
    slots = tuple(slot_of(one, hints.get(one.name)) for one in parameters_of(tool, verify))
    known = {slot.name for slot in binder.slots}
    for slot in slots:
        if not (slot.context or slot.name in known or slot.is_optional):
            raise ToolInvalid(tool, f"verify needs {slot.name}, which the handler does not take")
    return binder.deliver_to(tuple(slot for slot in slots if slot.context or slot.name in known))
