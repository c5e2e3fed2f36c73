"""What a queued call waits for, as its record says it, in words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from toolferry import Rate

_RATE: Final = re.compile(r"rate:(\d+)/(\d+):(.*)", re.DOTALL)
_LIMIT: Final = re.compile(r"limit:(\d+):(.*)", re.DOTALL)

#: Waiting calls that are looked through.
_MOST: Final = 10_000


@dataclass(frozen=True, slots=True)
class PacedFor:
    """A rate that a call waits for."""

    #: As the server names it.
    name: str
    rate: Rate


def paced_for(waits_for: str) -> PacedFor | None:
    """Read which rate a call waits for; None when it waits for something else.

    >>> paced_for("rate:2/60000:mail").rate
    Rate(limit=2, per=60.0, key='mail')
    """
    found = _RATE.fullmatch(waits_for)
    if found is None:
        return None
    name, rate = waits_for.removeprefix("rate:"), (int(found[1]), int(found[2]) / 1000, found[3])
    try:
        return PacedFor(name, Rate(*rate))
    except ValueError:  # nothing that a dispatcher writes
        return None


def limit_words(waits_for: str) -> str:
    """Say which limit a call waits for; empty when it waits for something else.

    >>> limit_words("rate:2/60000:mail")
    'no more than 2 calls for mail may start in 60 s'
    >>> limit_words("limit:3:account:7")
    'no more than 3 calls for account:7 may run at once'
    """
    paced = paced_for(waits_for)
    if paced:
        rate = paced.rate
        return f"no more than {rate.limit} calls for {rate.key} may start in {rate.per:g} s"
    found = _LIMIT.fullmatch(waits_for)
    return f"no more than {found[1]} calls for {found[2]} may run at once" if found else ""


def due_at(client: Any, prefix: str, paced: PacedFor, call_key: str, fence: int) -> float | None:
    """Reckon when a call may go on that waits for a rate: server time, seconds since the epoch.

    As if nobody more urgent came, and all before it went on in their turn; None when it does not
    wait there any more, or too many do.
    """
    with client.pipeline(transaction=True) as pipe:
        pipe.zscore(f"{prefix}paces", paced.name)
        pipe.zrange(f"{prefix}paced:{paced.name}", 0, _MOST - 1)
        room_at, line = pipe.execute()
    name = f"{fence:016d}:{call_key}".encode()
    if room_at is None or name not in line:
        return None
    rounds = int(line.index(name)) // paced.rate.limit
    return float(room_at) / 1000 + rounds * paced.rate.per
