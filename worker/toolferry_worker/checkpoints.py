"""Checkpoints: what handlers keep for the next attempt of their call, on its way to the ledger.

What is kept is signed with the call's name, as the call itself is: a handler gets back only what a
handler of this system has kept for this call.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Protocol, TypeAlias

from toolferry import SCHEMA_VERSION, CallState
from toolferry_ledger import Claim, Ledger, Settlement, Signer, get_log, read_json, write_json
from toolferry_worker.persistence import never, until_answered

log = get_log(__name__)

#: Keeps the JSON text of a checkpoint; any thread may call it.
Keep: TypeAlias = Callable[[bytes], None]


class Checkpoints(Protocol):
    """Who takes the checkpoints of handlers."""

    def for_call(self, claim: Claim) -> Keep:
        """Give the function with which a handler keeps something for its call's next attempt."""


def kept(claim: Claim, text: bytes, signer: Signer) -> Settlement:
    """Write down what an attempt keeps, while it goes on.

    The write is marked as one of a handler that still runs: one that comes too late must not free
    what the call still holds.
    """
    signature = signer.sign(_signed(claim.call_key, text))
    record = {"schema_version": SCHEMA_VERSION, "data": text.decode(), "signature": signature}
    return Settlement(
        claim.call_key, claim.fence, CallState.RUNNING, write_json(record), holding=True
    )


def restored(claim: Claim, signer: Signer) -> Any:
    """Give what an earlier attempt kept, as JSON data; None when nothing, or nothing genuine."""
    if not claim.checkpoint:
        return None
    try:
        record = read_json(claim.checkpoint)
        text = str(record["data"]).encode()
        if signer.verify(_signed(claim.call_key, text), str(record["signature"])):
            return read_json(text)
    except (ValueError, KeyError, TypeError):  # told below, like one that somebody else has written
        pass
    log.error("checkpoint.untrusted", call_key=claim.call_key)
    return None


def _signed(call_key: str, text: bytes) -> bytes:
    return b"checkpoint\0" + call_key.encode() + b"\0" + text


class NoCheckpoints:
    """Keeps nothing: for attempts outside of a lane."""

    def for_call(self, claim: Claim) -> Keep:
        """Give a function that does nothing."""
        return lambda _text: None


class ChildCheckpoints:
    """Writes the checkpoints of a child straight to the ledger: each is kept when it returns.

    A thread writes, because the soft limit interrupts the handler wherever it is: in the middle of
    an exchange with the server that would leave the connection out of step.

    Args:
        ledger: Where to.
        owner: The worker's name.
        signer: Signs them.
    """

    def __init__(self, ledger: Ledger, owner: str, signer: Signer) -> None:
        self._ledger = ledger
        self._owner = owner
        self._signer = signer
        self._writer: Final = ThreadPoolExecutor(1, thread_name_prefix="checkpoints")

    def for_call(self, claim: Claim) -> Keep:
        """Give the function; it waits while the server is away."""

        def keep(text: bytes) -> None:
            settlement = kept(claim, text, self._signer)
            self._writer.submit(self._write, settlement).result()

        return keep

    def _write(self, settlement: Settlement) -> None:
        until_answered(lambda: self._ledger.settle([settlement], self._owner), never)


class LoopCheckpoints:
    """Hands the checkpoints of the async lane on, in order; see `Settler.keep`.

    Args:
        signer: Signs them.
        put: Has one written; called in the loop's thread.
        in_loop: Has a function called in the loop's thread: at once when this is it.
    """

    def __init__(
        self,
        signer: Signer,
        put: Callable[[Claim, Settlement], None],
        in_loop: Callable[[Callable[[], None]], None],
    ) -> None:
        self._signer = signer
        self._put = put
        self._in_loop = in_loop

    def for_call(self, claim: Claim) -> Keep:
        """Give the function; it returns at once."""

        def keep(text: bytes) -> None:
            settlement = kept(claim, text, self._signer)
            self._in_loop(lambda: self._put(claim, settlement))

        return keep
