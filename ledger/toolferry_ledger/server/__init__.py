"""The server: an embedded one when none is configured, and what any server must be able to do."""

from __future__ import annotations

from toolferry_ledger.server.binary import find_binary
from toolferry_ledger.server.loading import load_settings
from toolferry_ledger.server.membership import Membership, Served
from toolferry_ledger.server.version import check_server, server_fault

__all__ = [
    "Membership",
    "Served",
    "check_server",
    "find_binary",
    "load_settings",
    "server_fault",
]
