"""Counts that outlive their turns: of whom they are, so that a purge finds them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

#: The scope of a count that is kept for a conversation, whatever it counts.
CONVERSATION: Final = "conversation"


@dataclass(frozen=True, slots=True)
class Counted:
    """Whose count it is."""

    tenant: str
    #: "conversation" or "principal".
    scope: str
    #: Of the conversation or the principal.
    name: str


def counted_in(name: str) -> Counted:
    """Read the name of a key, without the namespace's start.

    >>> counted_in("budget:principal:60000:3:a:b:ann")
    Counted(tenant='a:b', scope='principal', name='ann')
    >>> counted_in("repeats:4:acme:talk")
    Counted(tenant='acme', scope='conversation', name='talk')
    """
    kind, _, rest = name.partition(":")
    scope = CONVERSATION
    if kind == "budget":
        scope, _, rest = rest.split(":", 2)
    length, _, rest = rest.partition(":")
    text = rest.encode()
    return Counted(text[: int(length)].decode(), scope, text[int(length) + 1 :].decode())


def counts_of(client: Any, start: str, is_meant: Callable[[Counted], bool]) -> Iterator[bytes]:
    """Find the keys of somebody's counts.

    Args:
        client: The connection.
        start: What the namespace's keys start with, as a pattern of the server.
        is_meant: Tells whether a count is one of those.
    """
    for kind in ("budget", "repeats"):
        for key in client.scan_iter(match=f"{start}{kind}:*", count=500):
            # A namespace has no colon: behind `tf:` and it the name begins.
            if is_meant(counted_in(key.decode().split(":", 2)[2])):
                yield key
