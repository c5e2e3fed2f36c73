"""The server's address: one setting, written the way each client library wants it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, TypeAlias
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit

from toolferry import ConfigurationError

_EXAMPLES: Final = "redis://:password@host:6379/0 or unix:///path/to.sock?db=0"
_SENTINELS: Final = re.compile(r"(sentinel://([^@/?#;]*@)?[^@/?#;]+(/\d*)?;?)+(\?.*)?")
_ENCODE: Final = "special characters in a password must be percent-encoded (/ is %2F, # is %23)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerAddress:
    """One server, reached over TCP, TLS or a unix socket. All parts are decoded.

    TLS (`rediss`) is passed on to both libraries but has not been run against a server yet.
    """

    #: "redis", "rediss" or "unix".
    scheme: str
    username: str = ""
    password: str = field(default="", repr=False)
    #: Host with port, as in the URL; empty for a unix socket.
    host: str = ""
    #: The socket's file; empty for TCP.
    path: str = ""
    db: int = 0
    #: Further settings in the URL's query, in redis-py's words.
    options: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    @property
    def redis_url(self) -> str:
        """The URL that `redis.Redis.from_url` takes."""
        if self.scheme == "unix":
            return self._url("unix", quote(self.path), (("db", str(self.db)), *self.options))
        return self._url(self.scheme, f"/{self.db}", self.options)

    @property
    def kombu_url(self) -> str:
        """The URL that kombu and Celery take."""
        if self.scheme == "unix":
            return self._url("redis+socket", quote(self.path), (("virtual_host", str(self.db)),))
        # kombu hands unknown words to its connection, which refuses them.
        options = tuple(option for option in self.options if option[0].startswith("ssl_"))
        return self._url(self.scheme, f"/{self.db}", options)

    @property
    def safe_url(self) -> str:
        """The URL without password and options, fit for messages and logs."""
        query = f"?db={self.db}" if self.scheme == "unix" else ""
        place = self.path if self.scheme == "unix" else f"/{self.db}"
        return f"{self.scheme}://{self.host}{place}{query}"

    def _url(self, scheme: str, path: str, query: tuple[tuple[str, str], ...]) -> str:
        user, password = quote(self.username, safe=""), quote(self.password, safe="")
        login = f"{user}:{password}@" if password else f"{user}@" if user else ""
        tail = f"?{urlencode(query)}" if query else ""
        return f"{scheme}://{login}{self.host}{path}{tail}"


@dataclass(frozen=True, slots=True)
class SentinelAddress:
    """A group of sentinels, passed on as given; not run against real sentinels yet."""

    url: str = field(repr=False)

    @property
    def redis_url(self) -> str:
        """The URL as given."""
        return self.url

    @property
    def kombu_url(self) -> str:
        """The URL as given."""
        return self.url

    @property
    def safe_url(self) -> str:
        """The URL without passwords and options."""
        return re.sub(r"//[^@/;]*@", "//", self.url.partition("?")[0])


Address: TypeAlias = ServerAddress | SentinelAddress


def read_address(setting: str, url: str) -> Address:
    """Read the address of a Redis or Valkey server.

    Args:
        setting: The name of the setting that holds it, for the error.
        url: `redis://`, `rediss://`, `unix://` or `sentinel://`.

    Raises:
        ConfigurationError: It is no such URL; the sentence never repeats it.

    >>> read_address("TOOLFERRY_URL", "unix://:p%40ss@/run/t.sock?db=2").kombu_url
    'redis+socket://:p%40ss@/run/t.sock?virtual_host=2'
    """
    if _SENTINELS.fullmatch(url):
        return SentinelAddress(url)
    try:
        parts = urlsplit(url)
        return _from_parts(parts, dict(parse_qsl(parts.query, strict_parsing=bool(parts.query))))
    except ValueError as error:
        # Not chained: the cause would show parts of the URL, which may be parts of a password.
        reason = f"is no URL such as {_EXAMPLES}: {_fault(error)}"
        raise ConfigurationError(setting, reason) from None


class _Fault(ValueError):
    """A fault whose sentence is ours, and so holds no part of the URL."""


def _fault(error: ValueError) -> str:
    return str(error) if isinstance(error, _Fault) else _ENCODE


def _from_parts(parts: SplitResult, query: dict[str, str]) -> ServerAddress:
    if parts.scheme == "sentinel":
        raise _Fault(_ENCODE)
    if parts.scheme not in {"redis", "rediss", "unix"}:
        raise _Fault("it must start with redis://, rediss://, unix:// or sentinel://")
    if parts.fragment:
        raise _Fault(_ENCODE)
    is_socket = parts.scheme == "unix"
    if is_socket and len(parts.path) < len("/x"):
        raise _Fault("unix:// must be followed by the path of the socket")
    database = query.pop("db", "") or ("" if is_socket else parts.path.strip("/")) or "0"
    if not (database.isascii() and database.isdigit()):
        raise _Fault(f"the database must be a number, 0 or more; {_ENCODE}")
    return ServerAddress(
        scheme=parts.scheme,
        username=unquote(parts.username or ""),
        password=unquote(parts.password or query.pop("password", "")),
        host="" if is_socket else _host(parts),
        path=unquote(parts.path) if is_socket else "",
        db=int(database),
        options=tuple(query.items()),
    )


def _host(parts: SplitResult) -> str:
    name = parts.hostname or "localhost"
    # Reading the port raises ValueError when it is no number.
    return f"[{name}]:{parts.port or 6379}" if ":" in name else f"{name}:{parts.port or 6379}"
