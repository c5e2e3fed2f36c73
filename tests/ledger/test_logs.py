"""The log of the library rooms: quiet until the application wants to hear."""

from __future__ import annotations

import pytest
import structlog

from toolferry_ledger import get_log


def test_without_configuration_only_trouble_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """An agent's standard output stays its own."""
    structlog.reset_defaults()
    log = get_log("test")

    log.debug("turn.dispatched")
    log.info("call.rejected")
    log.warning("ledger.unavailable", reason="gone")
    log.error("call.untrusted")

    heard = capsys.readouterr()
    assert heard.out == ""
    assert "ledger.unavailable" in heard.err
    assert "call.untrusted" in heard.err
    assert "call.rejected" not in heard.err


def test_a_configured_application_hears_everything() -> None:
    """Its own configuration decides."""
    log = get_log("test")

    with structlog.testing.capture_logs() as events:
        log.info("call.rejected", call_id="a")
        log.debug("turn.dispatched")

    structlog.reset_defaults()
    assert [event["event"] for event in events] == ["call.rejected", "turn.dispatched"]
    assert events[0]["call_id"] == "a"
