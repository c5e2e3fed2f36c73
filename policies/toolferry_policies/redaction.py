r"""Redaction: what looks like a secret does not go into a log, and a key not even to a model.

Errors of databases and HTTP clients quote URLs with passwords, headers and settings; their authors
did not think of logs. Two grades, because a word too many taken out of a log costs little, and one
taken out of a sentence to a model may cost its meaning:

1. `mask_keys` takes out what has the shape of a secret wherever it stands: the password of a URL, a
   bearer token, a signed token, a private key, a key with the prefix of its issuer.
2. `redact` also takes out what a name announces (`password=…`, `"api_key": "…"`, `Cookie: …`), and
   the values that are known to be secret.

A secret of no known shape and under no telling name is not found: mark the argument that holds it
as `writeOnly`. Scanners of repositories know more shapes, but are made for files that wait; this
runs on the way of a call. All repetitions are bounded, so that no text can make it slow.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, quote_plus

from toolferry.blanks import LEFT_OUT

#: What stands in the place of a secret: the same as of all that is left out of results.
HIDDEN: Final = LEFT_OUT
#: Characters that a known secret must have: shorter ones stand in too many words.
MIN_KNOWN: Final = 4
#: Characters of base64 that are taken for a secret; fewer stand in too much that is none.
_MIN_BASE64: Final = 6
_PERCENT: Final = re.compile("%[0-9A-F]{2}")
#: The other alphabet of base64, which URLs and tokens have.
_URL_SAFE: Final = str.maketrans("+/", "-_")


@dataclass(frozen=True, slots=True)
class _Shape:
    """What a kind of secret looks like."""

    #: In small letters, one of which is in every text that has one: a text with none, as most are,
    #: takes a hundredth of the time.
    signs: tuple[str, ...]
    #: The secret is its group `it`.
    pattern: re.Pattern[str]


#: What issuers put before their keys, so that they can be found.
_PREFIXED: Final = (
    r"(?:sk|pk|rk)[-_][A-Za-z0-9_-]{12,200}",  # model providers, payment
    r"gh[oprsu]_[A-Za-z0-9]{16,255}",
    r"github_pat_\w{20,255}",
    r"gl[a-z]{2,6}-[A-Za-z0-9_-]{16,100}",
    r"xox[a-z]-[A-Za-z0-9-]{10,200}",
    r"(?:AKIA|ASIA)[A-Z0-9]{16}",
    r"AIza[A-Za-z0-9_-]{30,60}",
    r"ya29\.[A-Za-z0-9_.-]{10,500}",
    r"hf_[A-Za-z0-9]{16,100}",
    r"npm_[A-Za-z0-9]{30,60}",
    r"pypi-[A-Za-z0-9_-]{30,300}",
    r"SG\.[A-Za-z0-9_-]{16,100}\.[A-Za-z0-9_-]{16,100}",
    r"eyJ[A-Za-z0-9_-]{5,4000}\.[A-Za-z0-9_-]{5,4000}\.[A-Za-z0-9_-]{0,2000}",  # a JWT
)
_PREFIX_SIGNS: Final = (
    *("k-", "k_", "gh", "gl", "xox", "akia", "asia", "aiza", "ya29.", "hf_", "npm_", "pypi-"),
    *("sg.", "eyj"),
)
#: What is a secret wherever it stands.
_SHAPES: Final = (
    # A password in a URL; what looks like a port is one.
    _Shape(
        ("://",),
        re.compile(
            r"://[^\s/?#@:\"'<>]{0,200}:(?!\d{1,5}[/?#])(?P<it>[^\s\"'<>]{1,400})@",
        ),
    ),
    # A token in a URL, in the place of the user.
    _Shape(("://",), re.compile(r"://(?P<it>[^\s/?#@:\"'<>]{20,400})@")),
    _Shape(
        ("bearer", "basic"),
        re.compile(
            r"(?i:\b(?:bearer|basic)\s{1,4})(?P<it>(?=\S{0,400}[\d._~+/=-])[\w.~+/=-]{8,4000})"
        ),
    ),
    _Shape(_PREFIX_SIGNS, re.compile(rf"(?<![A-Za-z0-9])(?P<it>{'|'.join(_PREFIXED)})")),
    _Shape(
        ("private key-----",),
        re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?P<it>[^-]{1,20000})"),
    ),
)
#: How a secret is told from its name: `: `, `=`, ` => `.
_IS: Final = r"(?>\\?[\"']?\s{0,4}(?:=>|[:=])\s{0,4})"
_NAMES: Final = (
    r"pass(?:word|wd|phrase|code)?|pwd|secret|token|credential|jwt|session[ _-]?id"
    r"|(?:api|access|private|secret|signing|encryption|account|auth)[ _-]?key"
)
#: What a name announces.
_ANNOUNCED: Final = (
    # Headers whose whole line is secret.
    _Shape(
        ("authorization", "cookie"),
        re.compile(
            rf"(?i)(?<!\w)(?:proxy-)?(?:authorization|cookie|set-cookie){_IS}(?:\\?[\"'])?"
            r"(?P<it>[^\r\n\"'\\]{1,4000})"
        ),
    ),
    # In quotes, or up to the next gap.
    _Shape(
        ("pass", "pwd", "secret", "token", "credential", "jwt", "session", "key"),
        re.compile(
            rf"(?i)(?:{_NAMES})(?:[_-](?:hash|value|id|key|confirmation)|\d{{1,3}})?"
            rf"{_IS}(?P<quote>\\?[\"'])?+(?!{re.escape(HIDDEN)})"
            r"(?P<it>(?(quote)(?:(?!(?P=quote))(?:\\.|[^\n])){1,2000}|[^\s\"',;&)}\]]{1,2000}))"
        ),
    ),
)


def mask_keys(text: str) -> str:
    """Take out what has the shape of a secret.

    >>> mask_keys("postgres://app:Hunter2@db:5432/x refused, key sk-test-0123456789abcdef")
    'postgres://app:[redacted]@db:5432/x refused, key [redacted]'
    """
    return _hide_all(_SHAPES, text)


def redact(text: str, known: Collection[str] = ()) -> str:
    """Take out what is, looks like, or is announced as a secret.

    Args:
        text: Any text.
        known: Values that are secret whatever they look like; those of under 4 characters are
            passed over.

    >>> redact("login failed: password='Hunter2', user=ann")
    "login failed: password='[redacted]', user=ann"
    >>> redact("no account for 7713-ABCD", known=["7713-ABCD"])
    'no account for [redacted]'
    """
    for value in sorted(set(spellings(known)), key=len, reverse=True):
        text = text.replace(value, HIDDEN)
    return mask_keys(_hide_all(_ANNOUNCED, text))


def spellings(known: Collection[str]) -> Iterator[str]:
    """Give each secret as it is, as Python and JSON write it, as in a URL, and within base64."""
    for value in known:
        if len(value) >= MIN_KNOWN:
            quoted = {value, *_quoted(value)}
            # A text within JSON within JSON, as in a log of a message.
            yield from quoted.union(*map(_quoted, quoted))
            yield from _in_urls(value)
            for text in quoted:
                yield from _within_base64(text.encode(errors="surrogatepass"))


def _quoted(text: str) -> set[str]:
    """Give what Python and JSON write between their quotes, whichever these are."""
    escaped = text.replace("\\", "\\\\")
    written = (repr(text), json.dumps(text), json.dumps(text, ensure_ascii=False))
    return {escaped, escaped.replace('"', '\\"'), *(one[1:-1] for one in written)}


def _in_urls(text: str) -> Iterator[str]:
    data = text.encode(errors="surrogatepass")
    for written in (quote(data, safe=""), quote(data), quote_plus(data)):
        yield written
        yield _PERCENT.sub(lambda found: found[0].lower(), written)


def _within_base64(data: bytes) -> Iterator[str]:
    """Give what stands in base64 for some bytes, wherever in what is encoded they begin."""
    for skipped in range(3):
        text = b64encode(b"\0" * skipped + data).decode().rstrip("=")
        end = (skipped + len(data)) // 3 * 4
        core = text[(0, 2, 3)[skipped] : end]
        if len(core) >= _MIN_BASE64:
            yield core
            yield core.translate(_URL_SAFE)


def _hide_all(shapes: Iterable[_Shape], text: str) -> str:
    small = text.lower()
    for shape in shapes:
        if any(sign in small for sign in shape.signs):
            text = shape.pattern.sub(_hide, text)
    return text


def _hide(found: re.Match[str]) -> str:
    whole, offset = found.group(), found.start()
    return whole[: found.start("it") - offset] + HIDDEN + whole[found.end("it") - offset :]
