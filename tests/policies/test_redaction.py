"""Redaction: secrets are taken out of what people and models read; the rest stays as it is."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolferry_policies import HIDDEN, mask_keys, redact

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
#: Texts, each with what must not be left of it.
KEYS = [
    ("postgres://app:Hunter2@db.internal:5432/x refused", "Hunter2"),
    ("redis://:Hunter2@10.0.0.1/0", "Hunter2"),
    ("amqp://app:p@ss/w0rd@host//", "p@ss/w0rd"),
    ("https://oauth2:abc@git.example.org/a.git", "abc"),
    ("https://0123456789abcdef0123456789abcdef@errors.example.org/1", "0123456789abcdef"),
    ("refused: sk-test-0123456789abcdef", "0123456789abcdef"),
    ("key=sk-proj-AbC_123-xyzXYZ0987", "AbC_123"),
    ("sk_live_0123456789abcdefABCDEF", "0123456789abcdef"),
    ("ghp_0123456789abcdefghijABCDEFGHIJ012345", "0123456789abcdef"),
    ("AKIAIOSFODNN7EXAMPLE", "IOSFODNN7"),
    ("AIzaSyA0123456789abcdefghijklmnopqrstuv", "0123456789"),
    ("xoxb-12345678901-abcdefghij", "abcdefghij"),
    (f"token {JWT} expired", "c2lnbmF0dXJl"),
    ("Authorization: Bearer abc123def456", "abc123def456"),
    ("curl -H 'Authorization: Basic YXBwOkh1bnRlcjI='", "YXBwOkh1bnRlcjI="),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----", "MIIEow"),
]
PAIRS = [
    ("password=Hunter2", "Hunter2"),
    ("password = 'Hunter2'", "Hunter2"),
    ("{'user': 'ann', 'password': 'Hunter2'}", "Hunter2"),
    ('{"user": "ann", "password": "Hun\\"ter2"}', "ter2"),
    ('{\\"password\\": \\"Hunter2\\"}', "Hunter2"),
    ("PGPASSWORD=Hunter2 psql", "Hunter2"),
    ("DB_PASSWORD: Hunter2", "Hunter2"),
    ("userPassword=Hunter2&x=1", "Hunter2"),
    ("client_secret='s3cr3t value'", "s3cr3t value"),
    ("x-api-key: Hunter2", "Hunter2"),
    ("apiKey=Hunter2", "Hunter2"),
    ("access_token => Hunter2", "Hunter2"),
    ("AWS_SECRET_ACCESS_KEY=Hunter2", "Hunter2"),
    ("Server=a;Uid=b;Pwd=Hunter2;", "Hunter2"),
    ("Cookie: session=Hunter2; theme=dark", "Hunter2"),
    ("{'Authorization': 'Hunter2', 'Accept': '*'}", "Hunter2"),
    ("login(user='ann', passwd='Hunter2')", "Hunter2"),
]
HARMLESS = [
    "",
    "Order 17 does not exist",
    "connection to https://example.org:8080/users/@me refused",
    "see https://example.org/a?b=c#d",
    "max_tokens=4096, tokens: 512",
    "the secretary: Bob; author: Ann",
    "the bearer of this, basic authentication failed",
    "risk-adjusted, task-specific, disk-0123456789012345",
    "mail ann@example.org",
    'File "/app/tools.py", line 3, in pay',
]


@pytest.mark.parametrize(("text", "secret"), KEYS)
def test_what_has_the_shape_of_a_secret_is_masked(text: str, secret: str) -> None:
    """Wherever it stands, for people and for models."""
    assert secret not in mask_keys(text)
    assert secret not in redact(text)
    assert HIDDEN in mask_keys(text)


@pytest.mark.parametrize(("text", "secret"), PAIRS)
def test_what_a_name_announces_is_taken_out_of_logs(text: str, secret: str) -> None:
    """In the forms in which Python, JSON, shells and headers write it."""
    assert secret not in redact(text)
    assert HIDDEN in redact(text)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_stays(text: str) -> None:
    """Logs have to be readable."""
    assert redact(text) == text


@pytest.mark.parametrize("written", [str, repr, lambda value: f"https://x?a={value}"])
def test_known_secrets_are_taken_out_whatever_they_look_like(written: object) -> None:
    """As they are, and as Python writes them."""
    assert callable(written)
    value = "it's 7713\\AB"

    assert "7713" not in redact(f"no account for {written(value)}", known=[value])


def test_a_known_secret_that_is_too_short_is_passed_over() -> None:
    """It stands in too many words."""
    assert redact("a cat sat", known=["at", ""]) == "a cat sat"


@pytest.mark.parametrize(("text", "_secret"), KEYS + PAIRS)
def test_redacting_twice_changes_nothing(text: str, _secret: str) -> None:
    """A line may pass several logs."""
    assert redact(redact(text)) == redact(text)


@given(text=st.text())
def test_any_text_can_be_redacted(text: str) -> None:
    """It gives a text and raises nothing."""
    assert isinstance(redact(text, known=[text]), str)


@pytest.mark.parametrize(
    "part",
    ["://a:", "password", "eyJaaaaa.", "'", "a_", "Bearer ", "password='\\", "sk-", "-----BEGIN "],
)
def test_no_text_makes_it_slow(part: str) -> None:
    """All repetitions are bounded: 100 kB of the worst take well under the patience of a test."""
    text = part * (100_000 // len(part))

    before = time.process_time()
    redact(text)

    assert time.process_time() - before < 10
