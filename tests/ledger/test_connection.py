"""Connections: a server that is of no use is told soon, whatever it does."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from toolferry import LedgerUnavailable
from toolferry_ledger import Ledger, Settings, connect_alone


@pytest.fixture
def silent(settings: Settings) -> Iterator[Settings]:
    """Give the settings of a server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        yield replace(settings, url=f"redis://:hush@127.0.0.1:{port}/0")


def test_a_server_that_takes_connections_and_says_nothing_is_told_within_five_seconds(
    silent: Settings,
) -> None:
    """As a frozen one does; the sentence names it, without its password."""
    ledger = Ledger(silent, connect_alone)
    asked_at = time.monotonic()

    with pytest.raises(LedgerUnavailable, match="did not answer") as raised:
        ledger.now()

    assert time.monotonic() - asked_at < 5
    assert "hush" not in str(raised.value)
