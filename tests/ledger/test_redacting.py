"""What is logged: without secrets, known or recognised."""

from __future__ import annotations

import re
import threading

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


def test_the_secrets_of_a_call_are_hidden_in_what_its_threads_log() -> None:
    """They inherit nothing of the handler's context."""
    told: list[dict[str, object]] = []
    thread = threading.Thread(target=lambda: told.append(logged(message="7713-ABCD")))

    with hiding(["7713-ABCD"]):
        thread.start()
        thread.join()

    assert told[0]["message"] == "[redacted]"


def test_a_secret_is_hidden_in_the_name_of_an_event_and_as_a_number() -> None:
    """A handler that logs may put it anywhere."""
    with hiding(["7713-ABCD", "60708090"]):
        told = redact_event(None, "info", {"event": "key 7713-ABCD", "pin": 60708090, "n": 1})

    assert told == {"event": "key [redacted]", "pin": "[redacted]", "n": 1}


def test_a_pattern_is_hidden_but_for_what_names_a_call() -> None:
    """However much it finds: which call a line is of, and when, is always told."""
    with hiding(["7713-ABCD"], [re.compile("[0-9]+")]):
        told = logged(call_id="call_1", timestamp="2026-01-01", text="7713-ABCD, 12", attempt=1)
        said = redact_event(None, "info", {"event": "room 12"})
    after = logged(text="12")

    assert (told["call_id"], told["timestamp"], told["attempt"]) == ("call_1", "2026-01-01", 1)
    assert (told["text"], said["event"]) == ("[redacted], [redacted]", "room [redacted]")
    assert after["text"] == "12"


def test_a_secret_of_two_calls_is_hidden_until_both_have_ended() -> None:
    """They end in any order."""
    first, second = hiding(["7713-ABCD"]), hiding(["7713-ABCD"])
    with first:
        second.__enter__()
    between = logged(message="7713-ABCD")
    second.__exit__()

    assert between["message"] == "[redacted]"
    assert logged(message="7713-ABCD")["message"] == "7713-ABCD"
