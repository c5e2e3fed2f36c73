"""The server's address: one setting, written the way each client library wants it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from toolferry import ConfigurationError
from toolferry_ledger.address_parts import (
    ENCODE,
    AddressFault,
    Options,
    check_tls,
    read_database,
    render_host,
    render_url,
    tls_options,
)
from toolferry_ledger.sentinels import SentinelAddress, read_sentinels

_EXAMPLES: Final = "redis://:password@host:6379/0 or unix:///path/to.sock?db=0"
_DEFAULT_PORT: Final = 6379


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerAddress:
    """One server, reached over TCP, TLS or a unix socket. All parts are decoded."""

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
    options: Options = field(default=(), repr=False)

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
        options = tls_options(self.options)
        if self.scheme == "rediss" and "ssl_cert_reqs" not in dict(options):
            # redis-py's default; kombu's is to believe any certificate.
            options = (("ssl_cert_reqs", "required"), *options)
        return self._url(self.scheme, f"/{self.db}", options)

    @property
    def safe_url(self) -> str:
        """The URL without password and options, fit for messages and logs."""
        query = f"?db={self.db}" if self.scheme == "unix" else ""
        place = self.path if self.scheme == "unix" else f"/{self.db}"
        return f"{self.scheme}://{self.host}{place}{query}"

    def _url(self, scheme: str, path: str, query: Options) -> str:
        return render_url(scheme, (self.username, self.password), f"{self.host}{path}", query)


Address: TypeAlias = ServerAddress | SentinelAddress


def read_address(setting: str, url: str) -> Address:
    """Read the address of a Redis or Valkey server.

    Args:
        setting: The name of the setting that holds it, for the error.
        url: `redis://`, `rediss://`, `unix://` or `sentinel://` (see `sentinels`).

    Raises:
        ConfigurationError: It is no such URL; the sentence never repeats it.

    >>> read_address("TOOLFERRY_URL", "unix://:p%40ss@/run/t.sock?db=2").kombu_url
    'redis+socket://:p%40ss@/run/t.sock?virtual_host=2'
    """
    try:
        if url.startswith("sentinel://"):
            return read_sentinels(url)
        parts = urlsplit(url)
        return _from_parts(parts, dict(parse_qsl(parts.query, strict_parsing=bool(parts.query))))
    except ValueError as error:
        # Not chained: the cause would show parts of the URL, which may be parts of a password.
        reason = f"is no URL such as {_EXAMPLES}: {_fault(error)}"
        raise ConfigurationError(setting, reason) from None


def _fault(error: ValueError) -> str:
    return str(error) if isinstance(error, AddressFault) else ENCODE


def _from_parts(parts: SplitResult, query: dict[str, str]) -> ServerAddress:
    if parts.scheme not in {"redis", "rediss", "unix"}:
        raise AddressFault("it must start with redis://, rediss://, unix:// or sentinel://")
    if parts.fragment:
        raise AddressFault(ENCODE)
    is_socket = parts.scheme == "unix"
    if is_socket and len(parts.path) < len("/x"):
        raise AddressFault("unix:// must be followed by the path of the socket")
    if parts.scheme != "rediss" and tls_options(tuple(query.items())):
        raise AddressFault("options that begin with ssl_ are for rediss://")
    database = query.pop("db", "") or ("" if is_socket else parts.path.strip("/")) or "0"
    return ServerAddress(
        scheme=parts.scheme,
        username=unquote(parts.username or ""),
        password=unquote(parts.password or query.pop("password", "")),
        host="" if is_socket else _host(parts),
        path=unquote(parts.path) if is_socket else "",
        db=read_database(database),
        options=check_tls(tuple(query.items())),
    )


def _host(parts: SplitResult) -> str:
    name = parts.hostname or "localhost"
    # Reading the port raises ValueError when it is no number.
    return render_host(name, parts.port or _DEFAULT_PORT)
