"""Claims that outlive their server: a handler may be made to wait until replicas have its claim.

A claim that only the primary knows is gone when the primary is: the one that is promoted offers the
call again. That is harmless for what may be repeated. For the rest, `TOOLFERRY_WAIT_REPLICAS` holds
the handler back until that many replicas have acknowledged the claim.

1. The claim is written once more, by a script that fails for a call which is not held any more.
2. `WAIT` follows in the same pipeline. It speaks of what its own connection wrote, so nothing may
   connect again between the two; both travel in one packet, and are sent anew together.
3. Where too few have acknowledged within a second, no handler may start.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from toolferry_ledger.connection import server_errors
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.records import Claim

#: Milliseconds that replicas have to acknowledge a claim.
WAIT_LIMIT: Final = 1000


def secure_claims(ledger: Ledger, claim_id: str, claims: Sequence[Claim]) -> list[bool]:
    """Wait until claims are on as many replicas as the settings want; at most a second.

    Args:
        ledger: Its settings say how many.
        claim_id: The name under which the claims were made.
        claims: One or more.

    Returns:
        For each claim whether its handler may start.

    Raises:
        LedgerUnavailable: The server does not answer; asking again is harmless.
    """
    wanted = ledger.settings.wait_replicas
    args: list[Any] = [claim_id]
    for claim in claims:
        args += (claim.call_key, claim.fence)
    with server_errors(ledger.settings), ledger.client.pipeline(transaction=False) as pipe:
        pipe.eval(_source(), 1, ledger.settings.key_prefix, *args)
        pipe.wait(wanted, WAIT_LIMIT)
        held, acknowledged = pipe.execute()
    return [bool(one) and acknowledged >= wanted for one in held]


@cache
def _source() -> str:
    return (files(__package__) / "scripts" / "secure.lua").read_text(encoding="utf-8")
