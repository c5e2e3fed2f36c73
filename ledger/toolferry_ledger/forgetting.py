"""Forgetting: the standing approvals of somebody whose data is erased are taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolferry_ledger.json_text import read_json
from toolferry_ledger.ledger import Ledger


def erase_allowances(ledger: Ledger, is_meant: Callable[[str, bytes], bool]) -> None:
    """Take back the standing approvals that are meant.

    Args:
        ledger: The records.
        is_meant: Tells by the tenant and the text of one.
    """
    prefix, client = ledger.settings.key_prefix, ledger.client
    names: Any = client.zrange(f"{prefix}allowances", 0, -1)
    for name in names:
        text: Any = client.hget(f"{prefix}allowance:{name.decode()}", "text")
        if text is not None and is_meant(_tenant(text), text):
            ledger.revoke(name.decode(), b"")


def _tenant(text: bytes) -> str:
    try:
        return str(read_json(text)["tenant"])
    except (ValueError, LookupError, TypeError):
        return ""
