"""What is logged: without secrets, known or recognised."""

from __future__ import annotations

from toolferry_ledger import hiding, redact_event


def logged(**keys: object) -> dict[str, object]:
    """Give an event as it is written."""
    return redact_event(None, "error", {"event": "attempt.failed", **keys})


def test_texts_of_an_event_are_redacted_however_deep() -> None:
    """In lists, in members, and in what is no JSON data."""
    event = logged(
        error="password=Hunter2", more=[{"a": ("token=Hunter2",)}], other=ValueError("pwd=Hunter2")
    )

    assert "Hunter2" not in str(event)


def test_data_that_is_no_text_stays() -> None:
    """Programs read it."""
    event = {"attempt": 1, "delay_seconds": 0.5, "is_late": True, "nothing": None}

    assert logged(**event) == {"event": "attempt.failed", **event}


def test_the_secrets_of_a_call_are_hidden_while_it_runs() -> None:
    """And of a call within it; not after."""
    with hiding(["7713-ABCD"]):
        with hiding(["other-secret"]):
            inner = logged(message="7713-ABCD and other-secret")
        outer = logged(message="7713-ABCD and other-secret")
    after = logged(message="7713-ABCD and other-secret")

    assert inner["message"] == "[redacted] and [redacted]"
    assert outer["message"] == "[redacted] and other-secret"
    assert after["message"] == "7713-ABCD and other-secret"
