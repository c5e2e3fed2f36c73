"""Tokens: by which a person shows who they are when they decide about calls.

A token says a name, roles and an end, signed with the system's secret. Whoever has the secret can
make one, so it is worth as much as the care with which the secret is kept; it cannot be taken back
before its end, so that should be near.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from typing import Any, Final

from toolferry import SCHEMA_VERSION, ConfigurationError
from toolferry.legible import one_line
from toolferry_ledger.json_text import read_json, write_json
from toolferry_ledger.signing import Signer
from toolferry_policies import Approver

#: The variable that holds a person's token.
TOKEN: Final = "TOOLFERRY_TOKEN"  # noqa: S105 -- the name of the variable
#: Characters of a name and of a token at the most.
MAX_NAME: Final = 200
_MAX_TOKEN: Final = 10_000
_DOMAIN: Final = b"toolferry token\n"


def write_token(signer: Signer, name: str, roles: Iterable[str], until: float) -> str:
    """Give a token.

    Args:
        signer: Holds the system's secret.
        name: Of the person.
        roles: What they are.
        until: Server time when it ends, seconds since the epoch.

    Raises:
        ConfigurationError: The name is empty, too long, or not legible.
    """
    if not name or one_line(name, MAX_NAME) != name:
        raise ConfigurationError("name", f"{name!r:.80} must be a legible name on one line")
    text = write_json(
        {
            "schema_version": SCHEMA_VERSION,
            "name": name,
            "roles": sorted(set(roles)),
            "until": until,
        }
    )
    body = base64.urlsafe_b64encode(text).decode().rstrip("=")
    return f"{body}.{signer.sign(_DOMAIN + text)}"


def read_token(signer: Signer, token: str, now: float) -> Approver:
    """Tell who has a token.

    Args:
        signer: Holds the system's secret.
        token: As `write_token` gave it.
        now: Server time, seconds since the epoch.

    Raises:
        ConfigurationError: It is none of this system, or has ended; shows nothing of it.
    """
    try:
        data = _open(signer, token.strip())
        name, roles, until = str(data["name"]), frozenset(data["roles"]), float(data["until"])
    except (ValueError, KeyError, TypeError, binascii.Error) as error:
        raise ConfigurationError(TOKEN, "is no token of this system") from error
    if until <= now:
        raise ConfigurationError(TOKEN, f"has ended: make one with: toolferry token create {name}")
    return Approver(name, roles, verified=True)


def _open(signer: Signer, token: str) -> dict[str, Any]:
    body, _, signature = token[:_MAX_TOKEN].partition(".")
    text = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
    if not signer.verify(_DOMAIN + text, signature):
        raise ValueError("not signed with this system's secret")
    data: dict[str, Any] = read_json(text)
    return data
