"""The catalog: what the workers of a system can run, as they tell it themselves.

1. A worker tells what it offers when it starts, and again with each renewal of its lease. Its
   definitions are kept once for all workers that have the same.
2. An offer counts for as long as its worker's lease lasts. A worker that drains withdraws it.
3. An operator may declare tools, so that they are offered while no worker is alive for them.
4. Readers keep the definitions that they have seen: after the first time, reading is one round
   trip, however many workers and tools there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

from redis.commands.core import Script

from toolferry import NO_EXTENSIONS, Extensions, Tool
from toolferry_ledger import arguments
from toolferry_ledger.connection import server_errors
from toolferry_ledger.definitions import read_definitions, write_definitions
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.logs import get_log
from toolferry_ledger.offers import LiveOffer, Offer, Offers
from toolferry_ledger.replies import read_clock
from toolferry_ledger.scripts import script_source
from toolferry_ledger.signing import Signer, Untrusted

log = get_log(__name__)

#: Seconds that offers are kept after the last renewal; many leases, so that only leases decide.
KEEP_OFFERS: Final = 60.0
#: Seconds that a declaration holds: thirty days. To declare again, with each release, renews it.
KEEP_DECLARED: Final = 30 * 86_400.0


class Catalog:
    """Writes and reads the offers of one system. Thread-safe.

    All methods raise `LedgerUnavailable` when the server does not answer.

    Args:
        ledger: Where the catalog is kept.
        signer: Signs the definitions, and tells the genuine ones.
    """

    def __init__(self, ledger: Ledger, signer: Signer) -> None:
        self._ledger = ledger
        self._settings = ledger.settings
        self._prefix = ledger.settings.key_prefix
        self._signer = signer
        self._seen: Mapping[str, Mapping[str, Tool]] = {}

    @cached_property
    def _script(self) -> Script:
        return self._ledger.client.register_script(
            script_source("offer", self._ledger.settings.keeping)
        )

    def offer(self, offer: Offer) -> None:
        """Tell what a worker offers, or keep it told; one round trip when the server knows it."""
        if not self._tell(offer, b""):
            self._tell(offer, offer.definitions.text)

    def withdraw(self, owner: str) -> None:
        """Let a worker offer nothing from now on, although its lease goes on while it drains."""
        offers = f"{self._prefix}offers"
        with server_errors(self._settings), self._ledger.client.pipeline() as pipe:
            pipe.hset(offers, owner, "")
            pipe.pexpire(offers, arguments.milliseconds(KEEP_OFFERS))
            pipe.execute()

    def declare(self, tools: Iterable[Tool], extensions: Extensions = NO_EXTENSIONS) -> None:
        """Offer tools for thirty days, whether or not a worker is alive that can run them.

        They take the place of what was declared before; no tools: nothing is declared any more.

        Args:
            tools: The tools.
            extensions: What stands beside their code, for a dispatcher to ask about their calls.
        """
        definitions = write_definitions(tools, self._signer, extensions)
        keep = arguments.milliseconds(KEEP_DECLARED)
        with server_errors(self._settings), self._ledger.client.pipeline() as pipe:
            pipe.set(f"{self._prefix}definitions:{definitions.id}", definitions.text, px=keep)
            pipe.set(f"{self._prefix}declared", definitions.id, px=keep)
            pipe.execute()

    def read(self) -> Offers:
        """Read all offers: one round trip, or two when there are definitions not seen before."""
        with server_errors(self._settings):
            now, owners, texts, declared = self._read_offers()
            leases = {owner: (lease - now) / 1000 for owner, lease in owners}
            live = [offer for owner, text in texts.items() for offer in _live(owner, text, leases)]
            wanted = {offer.definitions for offer in live} | ({declared} if declared else set())
            known = self._know(wanted)
        found = [
            replace(offer, tools=known[offer.definitions])
            for offer in sorted(live, key=lambda offer: offer.owner)
            if offer.definitions in known
        ]
        return Offers(found, known.get(declared, {}))

    def _tell(self, offer: Offer, text: bytes) -> bool:
        keep = arguments.milliseconds(KEEP_OFFERS)
        args: list[arguments.Argument] = [offer.owner, offer.to_bytes(), offer.definitions.id]
        args += [keep, text]
        with server_errors(self._settings):
            return bool(self._script(keys=arguments.script_keys(self._settings), args=args))

    def _read_offers(self) -> tuple[int, list[tuple[bytes, float]], dict[bytes, bytes], str]:
        with self._ledger.client.pipeline(transaction=False) as pipe:
            pipe.time()
            pipe.zrange(f"{self._prefix}owners", 0, -1, withscores=True)
            pipe.hgetall(f"{self._prefix}offers")
            pipe.get(f"{self._prefix}declared")
            clock, owners, texts, declared = pipe.execute()
        return read_clock(clock), owners, texts, (declared or b"").decode()

    def _know(self, wanted: set[str]) -> Mapping[str, Mapping[str, Tool]]:
        """Give the tools behind ids; those that the server has lost are left out."""
        seen = self._seen
        missing = sorted(wanted - seen.keys())
        texts: list[Any] = []
        if missing:
            keys = [f"{self._prefix}definitions:{name}" for name in missing]
            texts = self._ledger.client.mget(keys)
        read = {name: self._read(text) for name, text in zip(missing, texts, strict=True) if text}
        known = {name: seen[name] for name in wanted & seen.keys()} | read
        self._seen = known
        return known

    def _read(self, text: bytes) -> Mapping[str, Tool]:
        """Read definitions; what cannot be believed offers nothing, and is told once."""
        try:
            return read_definitions(text, self._signer)
        except Untrusted as error:
            log.error("catalog.untrusted", reason=str(error))  # noqa: TRY400 -- a fact to act on
            return {}


def _live(owner: bytes, text: bytes, leases: Mapping[bytes, float]) -> Iterator[LiveOffer]:
    """Read an offer if its worker is alive and has not withdrawn it."""
    lease = leases.get(owner, 0.0)
    if not text or lease <= 0:
        return
    try:
        yield LiveOffer.from_bytes(owner.decode(), lease, text)
    except (ValueError, KeyError, TypeError):
        log.debug("catalog.unknown_offer", owner=owner.decode())
