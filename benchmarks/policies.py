"""What it costs the dispatcher to judge a call, with every policy declared, without a server.

    python -m benchmarks.policies
    python -m benchmarks.policies --json

Judged is as in a dispatch: from a call that was read to one that is admitted, all calls of a turn
of ten together. The no-op tool takes nothing; the other takes five fields, each of which has its
limits in the schema and a rule of its own, of which operators declare one more. Both list roles,
permissions, tenants, environments, and what is visible. A sample is a turn, its figure the turn's
time through its calls.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from toolferry import Context, ErrorCode, Priority, Registry, Tool, ToolCall, tool
from toolferry_dispatcher.admission import Origin, admit, judge_each
from toolferry_dispatcher.providers import provider
from toolferry_dispatcher.reply import Reply
from toolferry_policies import Deny, Facts, Permit, Verdict, read_policy

#: Calls of a turn.
TURN: Final = 10
#: Turns that are measured of each tool.
TURNS: Final = 3000
#: Turns before them that are not.
WARM_UP: Final = 300

_CONTEXT: Final = Context(
    principal="ada",
    tenant="acme",
    roles=frozenset({"clerk", "reader"}),
    permissions=frozenset({"orders.read", "orders.write"}),
    environment="staging",
)
_POLICY: Final = b"""
[tools."*"]
environments = ["staging", "production"]

[[tools."*".rules]]
when = { environments = ["production"] }
unless = { roles = ["supervisor"] }
deny = "In production only supervisors do this."

[[tools.order.rules]]
when = { arguments = { amount = { above = 90 } } }
deny = "That is too much."
"""
_ARGUMENTS: Final = {
    "customer": "c-1021",
    "amount": 75.5,
    "currency": "EUR",
    "items": ["tea", "bread", "salt"],
    "to": "ada@acme.example",
}


def _at_most(field: str, limit: float) -> Callable[[Facts], Verdict]:
    def at_most(facts: Facts) -> Verdict:
        value = facts.call.arguments[field]
        size = value if isinstance(value, int | float) else len(value)
        if size <= limit:
            return Permit()
        return Deny(ErrorCode.DENIED, f"{field} is over {limit:g}.")

    return at_most


def _own_domain(facts: Facts) -> Verdict:
    if facts.call.arguments["to"].endswith("@acme.example"):
        return Permit()
    return Deny(ErrorCode.DENIED, "to is outside of the company.")


def _in_euros(facts: Facts) -> Verdict:
    if facts.call.arguments["currency"] == "EUR" or facts.context.environment != "production":
        return Permit()
    return Deny(ErrorCode.DENIED, "Production pays in euros only.")


def _anything(_facts: Facts) -> Verdict:
    return Permit()


_DECLARED: Final[dict[str, Any]] = {
    "allowed_roles": {"clerk", "admin"},
    "permissions": {"orders.write"},
    "tenants": {"acme", "globex"},
    "environments": {"staging", "production"},
}


@tool(rules=[_anything], **_DECLARED)
async def no_op() -> None:
    """Do nothing."""


@tool(
    rules=[
        _at_most("customer", 20),
        _at_most("amount", 100),
        _at_most("items", 5),
        _own_domain,
        _in_euros,
    ],
    **_DECLARED,
)
async def order(
    customer: Annotated[str, Field(pattern=r"^c-\d+$")],
    amount: Annotated[float, Field(gt=0, le=1000)],
    currency: Literal["EUR", "USD", "NOK"],
    items: Annotated[list[str], Field(max_length=20)],
    to: Annotated[str, Field(max_length=200)],
) -> None:
    """Order something."""


#: The tools that are measured, and what they are called with.
CONTESTANTS: Final[dict[str, tuple[Tool, dict[str, Any]]]] = {
    "no_op": (no_op, {}),
    "five_fields": (order, _ARGUMENTS),
}


def microseconds(name: str, turns: int = TURNS) -> list[float]:
    """Give the time per call of each turn.

    Args:
        name: Of the contestant.
        turns: How many are measured.
    """
    judge_turn = _turn_of(*CONTESTANTS[name])
    for _ in range(min(WARM_UP, turns)):
        judge_turn()
    times = []
    with _without_collector():
        for _ in range(turns):
            started = time.perf_counter_ns()
            judge_turn()
            times.append((time.perf_counter_ns() - started) / TURN / 1000)
    return times


def figures(times: list[float]) -> dict[str, float | int]:
    """Give what is printed of one contestant."""
    ranks = statistics.quantiles(times, n=100)
    return {
        "median_us": round(statistics.median(times), 1),
        "p99_us": round(ranks[98], 1),
        "calls": len(times) * TURN,
    }


def _turn_of(measured: Tool, arguments: dict[str, Any]) -> Callable[[], None]:
    registry = Registry([no_op, order])
    plain = provider("plain")
    calls = [ToolCall(f"c{n}", measured.name, arguments) for n in range(TURN)]
    reply: Reply = plain.read(calls)
    origin = Origin(
        turn_id="t",
        conversation_id="",
        context=_CONTEXT,
        now=0.0,
        priority=Priority.NORMAL,
        policy=read_policy(_POLICY, "toolferry.toml"),
    )

    def judge_turn() -> None:
        admitted = admit(reply, registry, registry.names(), origin, plain, judge_each)
        if any(one.refused for one in admitted):
            raise SystemExit(f"a call was refused: {admitted[0].refused}")

    return judge_turn


@contextmanager
def _without_collector() -> Iterator[None]:
    """Keep the collector of garbage from what is measured: it comes for others' garbage, too."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--turns", type=int, default=TURNS, help="turns of each tool")
    chosen = parser.parse_args()
    found = {name: figures(microseconds(name, chosen.turns)) for name in CONTESTANTS}
    sys.stdout.write(json.dumps(found) + "\n" if chosen.json else _text(found))


def _text(found: dict[str, dict[str, float | int]]) -> str:
    return "".join(
        f"{name:<12} {one['median_us']:>6} us at the median, {one['p99_us']:>6} us at the 99th"
        f" percentile of {one['calls']:,} calls\n"
        for name, one in found.items()
    )


if __name__ == "__main__":
    main()
