"""Tools whose calls ask a person, and what people allow of them in advance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.dispatcher.samples import response
from toolferry import Approval, Context, EffectClass, Registry, Tool, tool
from toolferry_dispatcher import Dispatcher, StandingApproval
from toolferry_policies import Approver

LEAD = Approver("eve", frozenset({"lead"}), verified=True)
ANN = Context(principal="ann", tenant="shop")


@tool(
    effect=EffectClass.WRITE,
    confirm=True,
    deadline=600,
    approval=Approval(roles=frozenset({"lead"})),
)
async def pay(to: str, amount: int, currency: str = "EUR") -> str:
    """Pay somebody."""
    return f"{amount} {currency} to {to}"


@tool(effect=EffectClass.WRITE, confirm=True, deadline=600)
async def log_in(user: str, pin: str) -> str:
    """Log in."""
    return f"{user} with {len(pin)} digits"


@tool(effect=EffectClass.WRITE, confirm=True, approval=Approval(needed=2))
async def launch(target: str) -> str:
    """Launch something."""
    return target


SECRET_PIN = replace(
    log_in,
    parameters={
        **log_in.parameters,
        "properties": {"user": {"type": "string"}, "pin": {"type": "string", "writeOnly": True}},
    },
)


def registry_of(*tools: Tool) -> Registry:
    """Give a registry of some tools."""
    registry = Registry()
    for one in tools:
        registry.register(one)
    return registry


TOOLS = registry_of(pay, SECRET_PIN, launch)


def allow(dispatcher: Dispatcher, who: Approver = LEAD, **changes: Any) -> StandingApproval:
    """Allow Ann to pay Bob twice, whatever the amount."""
    words: dict[str, Any] = {
        "principal": "ann",
        "tenant": "shop",
        "pinned": {"to": "bob"},
        "free": {"amount"},
        "uses": 2,
        "lasts": 600.0,
        **changes,
    }
    return dispatcher.approvals.standing.allow(words.pop("tool", "pay"), who, **words)


def waiting(dispatcher: Dispatcher, *calls: dict[str, Any], **options: Any) -> list[str]:
    """Dispatch payments, and give the keys of those that wait for a person."""
    wanted = response(*(("pay", call) for call in calls))
    turn = dispatcher.dispatch(wanted, **{"context": ANN, **options})
    return [one.call_key for one in turn.approvals()]


BOB = {"to": "bob", "amount": 5}
