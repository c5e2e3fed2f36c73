"""The formats that are checked: a fixed list, the same whatever else is installed.

The dispatcher and the worker must judge alike, so none of the checks depends on an optional
package. A `format` that is not listed here is a note to the reader, as JSON Schema has it. So is
`regex`: to compile a text takes seconds at the worst, and what is wrong in Python may be right in
the language it is meant for. Patterns of schemas are checked, as Python's.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from jsonschema import FormatChecker

from toolferry.fresh_stack import deeply

_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME: Final = re.compile(
    r"(\d\d):(\d\d):(\d\d)(\.\d+)?(?P<zone>[zZ]|[+-](\d\d):(\d\d))?", re.ASCII
)
_DURATION: Final = re.compile(
    r"[+-]?P(?=.)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+([.,]\d+)?S)?)?", re.ASCII
)
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_LABEL: Final = re.compile(r"[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?")
_LOCAL: Final = re.compile(r"[^\s@\"(),:;<>\[\\\]]{1,64}")
_SCHEME: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_NO_URI: Final = re.compile(r"[^!-~]|[\"<>\\^`{|}]|%(?![0-9a-fA-F]{2})")


def is_date(text: str) -> bool:
    """Say whether a text is a day of the calendar (RFC 3339 full-date).

    >>> is_date("2024-02-29"), is_date("2023-02-29")
    (True, False)
    """
    return bool(_DATE.fullmatch(text)) and _parses(date.fromisoformat, text)


def is_time(text: str) -> bool:
    """Say whether a text is a time of day, with or without an offset.

    RFC 3339 asks for the offset; a time of day mostly has none, and pydantic takes both.

    >>> is_time("14:30:00"), is_time("14:30:00+01:00"), is_time("2 pm")
    (True, True, False)
    """
    match = _TIME.fullmatch(text)
    if not match:
        return False
    hour, minute, second = map(int, match.group(1, 2, 3))
    ahead, behind = (int(part or 0) for part in match.group(6, 7))
    return max(hour, ahead) < 24 and max(minute, behind) < 60 and second < 60  # noqa: PLR2004 -- a clock


def is_date_time(text: str) -> bool:
    """Say whether a text is a point in time: RFC 3339, with an offset.

    >>> is_date_time("2025-11-29T20:00:00Z"), is_date_time("2025-11-29T20:00:00")
    (True, False)
    """
    day, separator, time = text[:10], text[10:11], text[11:]
    zoned = _TIME.fullmatch(time)
    return (
        separator in ("T", "t", " ")
        and is_date(day)
        and is_time(time)
        and zoned is not None
        and zoned["zone"] is not None
    )


def is_duration(text: str) -> bool:
    """Say whether a text is an ISO 8601 duration.

    >>> is_duration("PT1H30M"), is_duration("P"), is_duration("1h")
    (True, False, False)
    """
    return _DURATION.fullmatch(text) is not None


def is_email(text: str) -> bool:
    """Say whether a text has the form of a mail address; quoted and exotic ones do not pass.

    >>> is_email("ada@example.org"), is_email("ada@"), is_email("Ada <ada@example.org>")
    (True, False, False)
    """
    local, at, host = text.rpartition("@")
    dots = local.startswith(".") or local.endswith(".") or ".." in local
    return bool(at) and not dots and bool(_LOCAL.fullmatch(local)) and is_hostname(host)


def is_hostname(text: str) -> bool:
    """Say whether a text is the name of a host (RFC 1123).

    >>> is_hostname("db-1.example.org"), is_hostname("-x"), is_hostname("a b")
    (True, False, False)
    """
    return 0 < len(text) <= 253 and all(map(_LABEL.fullmatch, text.split(".")))  # noqa: PLR2004 -- RFC 1123, 2.1


def is_ipv4(text: str) -> bool:
    """Say whether a text is an IPv4 address.

    >>> is_ipv4("10.0.0.1"), is_ipv4("10.0.0.256")
    (True, False)
    """
    return _parses(ipaddress.IPv4Address, text)


def is_ipv6(text: str) -> bool:
    """Say whether a text is an IPv6 address without a zone.

    >>> is_ipv6("::1"), is_ipv6("fe80::1%eth0")
    (True, False)
    """
    return "%" not in text and _parses(ipaddress.IPv6Address, text)


def is_uuid(text: str) -> bool:
    """Say whether a text is a UUID with its hyphens.

    >>> is_uuid("7f6c0a52-9d4f-4d0c-9f05-2f0f5a3b8f11"), is_uuid("7f6c0a52")
    (True, False)
    """
    return _UUID.fullmatch(text) is not None


def is_uri(text: str) -> bool:
    """Say whether a text is an absolute URI.

    >>> is_uri("https://example.org/a?b=c"), is_uri("example.org"), is_uri("http://a b")
    (True, False, False)
    """
    sound = bool(_SCHEME.match(text)) and not _NO_URI.search(text)
    return sound and _parses(lambda uri: urlsplit(uri).port, text)


def is_regex(text: str) -> bool:
    """Say whether a text is a regular expression that Python understands.

    >>> is_regex("^a+$"), is_regex("(")
    (True, False)
    """
    return _parses(lambda pattern: deeply(lambda: re.compile(pattern)), text)


def _parses(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except (ValueError, re.error, OverflowError, RecursionError):
        return False
    return True


#: Every format of arguments that is checked, with its check.
CHECKED_FORMATS: Final[Mapping[str, Callable[[str], bool]]] = MappingProxyType(
    {
        "date": is_date,
        "date-time": is_date_time,
        "duration": is_duration,
        "email": is_email,
        "hostname": is_hostname,
        "ipv4": is_ipv4,
        "ipv6": is_ipv6,
        "time": is_time,
        "uri": is_uri,
        "uuid": is_uuid,
    }
)

#: What a model is told that a format looks like.
FORMAT_EXAMPLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "date": "2025-11-29",
        "date-time": "2025-11-29T20:00:00Z",
        "duration": "PT1H30M",
        "email": "name@example.org",
        "hostname": "www.example.org",
        "ipv4": "192.0.2.1",
        "ipv6": "2001:db8::1",
        "time": "20:00:00",
        "uri": "https://example.org/page",
        "uuid": "7f6c0a52-9d4f-4d0c-9f05-2f0f5a3b8f11",
    }
)


def _checker() -> FormatChecker:
    checker = FormatChecker(formats=())
    for name, check in {**CHECKED_FORMATS, "regex": is_regex}.items():
        checker.checks(name)(partial(_passes, check))
    return checker


def _passes(check: Callable[[str], bool], value: object) -> bool:
    return not isinstance(value, str) or check(value)


#: Our formats for what jsonschema judges, which are schemas, without those that it finds by what is
#: installed.
FORMAT_CHECKER: Final = _checker()
