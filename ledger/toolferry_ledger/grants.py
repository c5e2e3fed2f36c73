"""Grants: people's signed word that a call may run exactly as it was written down.

1. A grant names its call and the digest of the signed record: so its arguments, its tool with
   version and digest, and on whose behalf it runs are part of what was approved. A record that is
   changed afterwards, by whomever, has no grant any more.
2. It is one call's, and a call ends once: attempts of the call after a failure run under the same
   grant. A replay is another call and needs its own, and so is a call that has the same key because
   its turn was written anew: when it was made is part of its record.
3. The worker reads it at the claim. Who can write to the server and does not have the secret can
   put a call in line, and no worker runs it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from toolferry import SCHEMA_VERSION, Approval
from toolferry_ledger.json_text import read_json, write_json
from toolferry_ledger.signing import Signer, Untrusted
from toolferry_policies import Approver, refuse_to_approve

#: In front of what is signed: no other text of the system is taken for a grant.
_DOMAIN: Final = b"toolferry grant\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """One person's word."""

    call_key: str
    #: The digest of the record that was approved, see `digest_of`.
    spec: str
    who: Approver
    #: Server times, seconds since the epoch: when it was given, and when it ends.
    at: float
    until: float
    #: The decision that it comes of.
    token: str
    #: The standing approval that it comes of; empty when the person said so themselves.
    standing: str = ""

    def to_bytes(self) -> bytes:
        """Give the JSON text that is signed, on one line."""
        return write_json(
            {
                "schema_version": SCHEMA_VERSION,
                "call": self.call_key,
                "spec": self.spec,
                "who": self.who.name,
                "roles": sorted(self.who.roles),
                "verified": self.who.verified,
                "at": self.at,
                "until": self.until,
                "token": self.token,
                **({"standing": self.standing} if self.standing else {}),
            }
        )

    @classmethod
    def from_bytes(cls, text: bytes) -> Grant:
        """Read the JSON text of this release or of a newer one with more keys.

        Raises:
            ValueError, KeyError, TypeError: The text is no grant.
        """
        data: Any = read_json(text)
        who = Approver(data["who"], frozenset(data["roles"]), verified=data["verified"])
        return cls(
            call_key=data["call"],
            spec=data["spec"],
            who=who,
            at=data["at"],
            until=data["until"],
            token=data["token"],
            standing=data.get("standing", ""),
        )


def digest_of(spec: bytes) -> str:
    """Give the digest of a record's exact bytes."""
    return hashlib.sha256(spec).hexdigest()


def write_grants(signer: Signer, grants: Iterable[Grant]) -> bytes:
    """Give the text that a call's record keeps: a line for each grant, signature first."""
    lines = (one.to_bytes() for one in grants)
    return b"\n".join(signer.sign(_DOMAIN + line).encode() + b" " + line for line in lines)


def read_grants(signer: Signer, text: bytes, call_key: str, spec: bytes) -> tuple[Grant, ...]:
    """Read the genuine grants of a call as it is written down; all else is passed over.

    Args:
        signer: Holds the system's secret.
        text: What the record keeps.
        call_key: The call.
        spec: Its record.
    """
    digest = digest_of(spec)
    found = (grant for line in text.split(b"\n") for grant in _read(signer, line))
    return tuple(one for one in found if (one.call_key, one.spec) == (call_key, digest))


def require_grants(grants: Iterable[Grant], terms: Approval, principal: str, now: float) -> None:
    """Require that as many people as have to have approved a call.

    Args:
        grants: The genuine ones of the call.
        terms: On which it waited.
        principal: On whose behalf it runs.
        now: Server time, seconds since the epoch.

    Raises:
        Untrusted: They have not.
    """
    valid = (one for one in grants if now <= one.until)
    people = {one.who.name for one in valid if not refuse_to_approve(one.who, terms, principal)}
    if len(people) < terms.needed:
        raise Untrusted(f"{len(people)} of the {terms.needed} people who have to approve it have")


def _read(signer: Signer, line: bytes) -> Iterator[Grant]:
    signature, _, text = line.partition(b" ")
    try:
        if signer.verify(_DOMAIN + text, signature.decode("ascii")):
            yield Grant.from_bytes(text)
    except (ValueError, KeyError, TypeError):
        # Nothing that somebody wrote there by hand may do more than count for nothing.
        return
