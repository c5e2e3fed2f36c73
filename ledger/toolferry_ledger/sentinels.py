"""The address of a primary that a group of Redis Sentinels watches.

    sentinel://user:password@one:26379,two:26379,three:26379/0?master=tools

The login is the servers'; sentinels that want one find it in the query, as `sentinel_username` and
`sentinel_password`. Options that begin with `ssl_` turn TLS on, for sentinels and servers alike.
Every connection asks them which server is the primary before it is made, so that after a failover
it is enough to connect again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.retry import Retry

from toolferry_ledger.address_parts import (
    ENCODE,
    AddressFault,
    Options,
    check_tls,
    read_database,
    read_host,
    render_host,
    render_url,
    tls_options,
)

#: The port of a sentinel that is named without one.
DEFAULT_PORT: Final = 26379
#: Seconds that one sentinel may take to be reached, and to answer: three that are silent, asked
#: twice, leave time for the server within the 5 s in which trouble is told.
SENTINEL_PATIENCE: Final = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class SentinelAddress:
    """The server that sentinels know by a name. All parts are decoded."""

    #: Host and port of each sentinel, one or more.
    sentinels: tuple[tuple[str, int], ...]
    #: The name by which they know the primary.
    master: str
    username: str = ""
    password: str = field(default="", repr=False)
    sentinel_username: str = ""
    sentinel_password: str = field(default="", repr=False)
    db: int = 0
    #: What is said of TLS; empty for none.
    options: Options = field(default=(), repr=False)

    @property
    def kombu_url(self) -> str:
        """The URL that kombu and Celery take; needs `transport_options` too."""
        login = (self.username, self.password)
        return ";".join(
            render_url("sentinel", login, f"{render_host(*one)}/{self.db}", self.options)
            for one in self.sentinels
        )

    @property
    def transport_options(self) -> dict[str, Any]:
        """What kombu has to know beside the URL."""
        return {"master_name": self.master, "sentinel_kwargs": self.of_sentinels(Retry)}

    @property
    def safe_url(self) -> str:
        """The URL without passwords and options."""
        hosts = ",".join(render_host(*one) for one in self.sentinels)
        return f"sentinel://{hosts}/{self.db}?master={self.master}"

    def of_sentinels(self, retry: type[Retry | AsyncRetry]) -> dict[str, Any]:
        """What connections to the sentinels are made with, in redis-py's words."""
        return {
            "socket_timeout": SENTINEL_PATIENCE,
            "socket_connect_timeout": SENTINEL_PATIENCE,
            # The next sentinel is the next try.
            "retry": retry(NoBackoff(), 0),
            "username": self.sentinel_username or None,
            "password": self.sentinel_password or None,
            **({"ssl": True} if self.options else {}),
            **self._tls(),
        }

    def of_server(self) -> dict[str, Any]:
        """What connections to the server are made with, in redis-py's words."""
        login = {"username": self.username or None, "password": self.password or None}
        return {"db": self.db, **login, **self._tls()}

    def _tls(self) -> dict[str, Any]:
        options: dict[str, Any] = dict(self.options)
        if "ssl_check_hostname" in options:
            options["ssl_check_hostname"] = options["ssl_check_hostname"] == "true"
        return options


def read_sentinels(url: str) -> SentinelAddress:
    """Read the address of a primary that sentinels watch.

    Raises:
        ValueError: It is no such URL; an `AddressFault` is fit to be shown.

    >>> read_sentinels("sentinel://:pw@a,b:7/1?master=tools").kombu_url
    'sentinel://:pw@a:26379/1;sentinel://:pw@b:7/1'
    """
    parts = urlsplit(url)
    if parts.fragment or ";" in parts.netloc:
        raise AddressFault(
            "sentinels are separated by commas, as in sentinel://:password@one:26379,two:26379/0"
            f"?master=NAME; {ENCODE}"
        )
    query = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
    master = query.pop("master", "")
    if not master:
        raise AddressFault("it must end with ?master=NAME, the name that the sentinels know")
    hosts = parts.netloc.rpartition("@")[2]
    return SentinelAddress(
        sentinels=tuple(read_host(one, DEFAULT_PORT) for one in hosts.split(",")),
        master=master,
        username=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        sentinel_username=query.pop("sentinel_username", ""),
        sentinel_password=query.pop("sentinel_password", ""),
        db=read_database(parts.path.strip("/") or "0"),
        options=_only_tls(tuple(query.items())),
    )


def _only_tls(options: Options) -> Options:
    if tls_options(options) != options:
        raise AddressFault(
            "besides master, its query may hold sentinel_username, sentinel_password and ssl_…"
        )
    # Without it kombu would believe any certificate.
    missing = () if "ssl_cert_reqs" in dict(options) else (("ssl_cert_reqs", "required"),)
    return check_tls((*options, *missing)) if options else ()
