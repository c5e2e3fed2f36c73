"""URLs of public hosts.

The rule judges the text alone: which host it names, in a spelling that every reader reads the same
way. What address a name leads to is known only when it is used, and may differ each time:
`toolferry_worker.guards.PublicHTTP` judges that, connects to the very address that it judged, and
does the same for every redirect.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from toolferry_policies.facts import Facts
from toolferry_policies.rules.addresses import Network, address_of, is_reachable, networks_of
from toolferry_policies.rules.place import Path, Rule, for_each, of_text, refused
from toolferry_policies.verdict import Permit, Verdict

#: Characters of a URL.
MAX_URL: Final = 2_048
_MAX_PORT: Final = 65_535
_URL: Final = re.compile(
    r"(?P<scheme>https?)://(?P<authority>[^/?#]*)(?P<target>.*)", re.IGNORECASE
)
_AUTHORITY: Final = re.compile(
    r"(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:(?P<port>[0-9]{1,5}))?"
)
_LABEL: Final = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
#: What browsers and libraries drop, turn around or read in different ways.
_ODD: Final = re.compile(r'[\\"<>^`{|}]')
#: Ends of names that lead into a network of one's own, or to the metadata service of a cloud.
_LOCAL: Final = frozenset(
    {
        *("arpa", "corp", "home", "internal", "intranet", "invalid", "lan", "local"),
        *("localdomain", "localhost", "onion", "private", "svc"),
    }
)
_METADATA: Final = frozenset({"metadata.goog"})
EXPECTED: Final = "an http or https URL of a public host, without user name"


@dataclass(frozen=True, slots=True)
class Target:
    """What a URL leads to."""

    #: `http` or `https`.
    scheme: str
    #: A name in small letters, or an address without brackets.
    host: str
    port: int
    #: Path and query as a request tells them, without the fragment; at least `/`.
    target: str


def public_url(path: str, *, also: Iterable[str] = ()) -> Rule:
    """Allow http and https URLs whose host is not known to be one of our own.

    Refused are user names, hosts without a dot, names such as `*.internal`, addresses that are
    private, loopback, link-local, multicast, reserved or a cloud's metadata service, and every
    spelling of an address or a host but the plain one.

    Args:
        path: The argument that holds the URL; with `[]` for every item of a list.
        also: Networks that may be named although they are not public, as `10.1.0.0/16`.

    Raises:
        ConfigurationError: The path or a network is wrong.
    """
    networks = networks_of(also)

    def judge(facts: Facts, where: Path, text: str) -> Verdict:
        is_fit = target_of(text, networks) is not None
        return Permit() if is_fit else refused(facts, where, text, EXPECTED)

    return for_each("public_url", path, of_text(judge))


def target_of(text: str, also: tuple[Network, ...] = ()) -> Target | None:
    """Read a URL; None when its text is odd, or names a host that is not public.

    >>> target_of("https://Example.org:8443/a?b#c")
    Target(scheme='https', host='example.org', port=8443, target='/a?b')
    >>> target_of("http://169.254.169.254/latest") is target_of("http://2130706433/") is None
    True
    """
    if len(text) > MAX_URL or _ODD.search(text) or any(map(_is_blank, text)):
        return None
    url = _URL.fullmatch(text)
    place = _AUTHORITY.fullmatch(url["authority"]) if url else None
    if url is None or place is None:
        return None
    scheme, host = url["scheme"].lower(), _host(place["host"].lower(), also)
    port = int(place["port"] or (443 if scheme == "https" else 80))
    if host is None or not 0 < port <= _MAX_PORT:
        return None
    rest = url["target"].partition("#")[0]
    return Target(scheme, host, port, rest if rest.startswith("/") else f"/{rest}")


def _is_blank(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "CZ"


def _host(text: str, also: tuple[Network, ...]) -> str | None:
    if text.startswith("["):
        return _literal(text[1:-1], also)
    labels = text.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return _literal(text, also)
    return text if _is_public_name(labels) else None


def _literal(text: str, also: tuple[Network, ...]) -> str | None:
    address = address_of(text)
    return str(address) if address and is_reachable(address, also) else None


def _is_public_name(labels: list[str]) -> bool:
    # A dot at the end makes an empty label: the same host in another spelling.
    return (
        len(labels) > 1
        and all(map(_LABEL.fullmatch, labels))
        and labels[-1] not in _LOCAL
        and ".".join(labels[-2:]) not in _METADATA
    )
