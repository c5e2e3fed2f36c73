"""The server: an embedded one when none is configured, and what any server must be able to do."""

from __future__ import annotations

from toolferry_ledger.server.binary import find_binary
from toolferry_ledger.server.facts import ServerFacts
from toolferry_ledger.server.loading import load_settings
from toolferry_ledger.server.membership import Membership, Served
from toolferry_ledger.server.remarks import Grade, Remark, promise_of, remarks_on
from toolferry_ledger.server.starting import check_server, look_at_server

__all__ = [
    "Grade",
    "Membership",
    "Remark",
    "Served",
    "ServerFacts",
    "check_server",
    "find_binary",
    "load_settings",
    "look_at_server",
    "promise_of",
    "remarks_on",
]
