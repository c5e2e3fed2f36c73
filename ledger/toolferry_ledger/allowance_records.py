"""The records of standing approvals: signed JSON text, with the count of their uses beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from toolferry import SCHEMA_VERSION
from toolferry_ledger.json_text import read_json, write_json
from toolferry_ledger.signing import Signer
from toolferry_policies import Allowance, Approver

#: In front of what is signed: no other text of the system is taken for an allowance.
_DOMAIN: Final = b"toolferry standing approval\n"


@dataclass(frozen=True, slots=True)
class StandingApproval:
    """An allowance, and how many calls it still answers."""

    allowance: Allowance
    left: int

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {**_shown(self.allowance), "left": self.left}


def write_allowance(signer: Signer, one: Allowance) -> tuple[bytes, str]:
    """Give the JSON text of an allowance, and its signature."""
    text = write_json({"schema_version": SCHEMA_VERSION, **_shown(one)})
    return text, signer.sign(_DOMAIN + text)


def read_allowance(
    signer: Signer, name: str, text: bytes, signature: bytes, left: bytes
) -> StandingApproval | None:
    """Read a record; None when it cannot be believed.

    Args:
        signer: Holds the system's secret.
        name: The id under which it was found: a copy of another one is none.
        text: Of this release, or of a newer one with more keys.
        signature: That of the text.
        left: How many uses are counted as left.
    """
    try:
        if not signer.verify(_DOMAIN + text, signature.decode(errors="replace")):
            return None
        one, count = _read(text), int(left)
    except (ValueError, LookupError, TypeError):
        return None
    return StandingApproval(one, count) if one.id == name and 0 <= count <= one.uses else None


def _shown(one: Allowance) -> dict[str, Any]:
    return {
        "id": one.id,
        "tool": one.tool,
        "tool_version": one.tool_version,
        "principal": one.principal,
        "tenant": one.tenant,
        "pinned": dict(one.pinned),
        "free": sorted(one.free),
        "who": one.who.name,
        "roles": sorted(one.who.roles),
        "verified": one.who.verified,
        "at": one.at,
        "until": one.until,
        "uses": one.uses,
        "note": one.note,
    }


def _read(text: bytes) -> Allowance:
    data = read_json(text)
    who = Approver(data["who"], frozenset(data["roles"]), verified=data["verified"])
    known = {name: data[name] for name in Allowance.__dataclass_fields__}
    return replace(Allowance(**{**known, "who": who}), free=frozenset(data["free"]))
