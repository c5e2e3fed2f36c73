"""An HTTP client that reaches public hosts only.

1. The text of a URL is judged, as the rule `public_url` has it.
2. Its host is resolved once. Every address that it has must be public: a name with a public and a
   private one is a trap.
3. The connection goes to the very address that was judged. The name is not resolved again, so that
   it cannot lead elsewhere by then; TLS checks the certificate of the name.
4. A redirect is a new URL: steps 1 to 3, at most so many times. Headers that the caller gave go to
   the first host only, and never from https to http.
5. Proxies of the environment are not asked: behind one, nobody could say what was reached.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final, TypeAlias
from urllib.parse import quote, urljoin

from toolferry import ToolError
from toolferry_policies.rules.addresses import (
    Address,
    Network,
    address_of,
    is_reachable,
    networks_of,
)
from toolferry_policies.rules.urls import EXPECTED, Target, target_of

#: Gives the addresses of a host, for a port.
Resolver: TypeAlias = Callable[[str, int], Iterable[str]]

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
#: Redirects that keep method and body; the others lead to something to be read.
_SAME_AGAIN: Final = frozenset({307, 308})
#: What may stand in the target of a request as it is; the rest is written in percent.
_PLAIN: Final = "/?#[]@!$&'()*+,;=:%~"


@dataclass(frozen=True, slots=True)
class Response:
    """What a host answered."""

    status: int
    #: By name in small letters; of several with one name the last.
    headers: Mapping[str, str]
    body: bytes
    #: What was read, after redirects.
    url: str


def resolve(host: str, port: int) -> tuple[str, ...]:
    """Give the addresses of a host, as the system knows them.

    Raises:
        OSError: It has none.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


class PublicHTTP:
    """An HTTP client that reaches public hosts only; the story is at the top of this file.

    Blocks: from a coroutine, use `asyncio.to_thread`. May be shared by threads.

    Args:
        also: Networks that may be reached although they are not public, as `10.1.0.0/16`.
        timeout: Seconds that a request may take, with its redirects and to its last byte, more
            than 0; only while a host is resolved it cannot be ended.
        max_redirects: Redirects that are followed, 0 or more.
        max_bytes: Bytes of a body at the most.
        resolver: Gives the addresses of a host.
        tls: How certificates are checked; as the system does by default.

    Raises:
        ConfigurationError: A network is none.
    """

    def __init__(
        self,
        *,
        also: Iterable[str] = (),
        timeout: float = 20.0,
        max_redirects: int = 5,
        max_bytes: int = 5 * 1024 * 1024,
        resolver: Resolver = resolve,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._also = networks_of(also)
        self._timeout = timeout
        self._max_redirects = max_redirects
        self._max_bytes = max_bytes
        self._resolver = resolver
        self._tls = tls or ssl.create_default_context()

    def get(self, url: str, headers: Mapping[str, str] | None = None) -> Response:
        """Read a URL; see `request`."""
        return self.request("GET", url, headers=headers)

    def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> Response:
        """Make a request and follow its redirects; any status is an answer.

        Raises:
            ToolError: The URL or a redirect leads to no public host, or a redirect takes a body to
                another host (`address_refused`), there are too many redirects
                (`too_many_redirects`), or too much came (`answer_too_large`).
            OSError: The host cannot be found or reached, or is too slow.
            http.client.HTTPException: What answered does not speak HTTP.
        """
        wish = _Wish(method, url, dict(headers or {}), body)
        until = time.monotonic() + self._timeout
        for _ in range(self._max_redirects + 1):
            response = self._once(wish, until)
            if response.status not in _REDIRECTS or "location" not in response.headers:
                return response
            wish = _redirected(wish, response)
        raise ToolError(
            "too_many_redirects",
            f"The URL leads to more than {self._max_redirects} redirects.",
            retryable=False,
        )

    def _once(self, wish: _Wish, until: float) -> Response:
        target = target_of(wish.url, self._also)
        if target is None:
            raise _refused("The URL is not allowed.")
        addresses = self._judged(target)
        connection = http.client.HTTPConnection(target.host, target.port)
        try:
            connection.sock = plain = _connected(addresses, target.port, until)
            with _cut_off(plain, until):
                connection.sock = self._secured(plain, target)
                return self._exchange(connection, target, wish)
        finally:
            connection.close()

    def _judged(self, target: Target) -> list[Address]:
        texts = (
            [target.host] if address_of(target.host) else self._resolver(target.host, target.port)
        )
        found = [address_of(text) for text in texts]
        known = [one for one in found if one is not None and is_reachable(one, self._also)]
        if not known or len(known) < len(found):
            raise _refused("The host of the URL is not public.")
        return known

    def _secured(self, plain: socket.socket, target: Target) -> socket.socket:
        if target.scheme == "http":
            return plain
        return self._tls.wrap_socket(plain, server_hostname=target.host)

    def _exchange(
        self, connection: http.client.HTTPConnection, target: Target, wish: _Wish
    ) -> Response:
        where = quote(target.target, safe=_PLAIN)
        connection.request(wish.method, where, body=wish.body, headers=wish.headers)
        with connection.getresponse() as answer:
            headers = {name.lower(): value for name, value in answer.getheaders()}
            body = b"" if answer.status in _REDIRECTS else answer.read(self._max_bytes + 1)
        if len(body) > self._max_bytes:
            raise ToolError(
                "answer_too_large",
                f"The host sends more than {self._max_bytes} bytes.",
                retryable=False,
            )
        return Response(answer.status, headers, body, wish.url)


@dataclass(frozen=True, slots=True)
class _Wish:
    """One request, of the caller or of a redirect."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(repr=False)


def _redirected(wish: _Wish, response: Response) -> _Wish:
    url = urljoin(wish.url, response.headers["location"])
    is_same_host = _origin(wish.url) == _origin(url)
    headers = wish.headers if is_same_host else {}
    if response.status not in _SAME_AGAIN:
        return _Wish("HEAD" if wish.method == "HEAD" else "GET", url, headers, None)
    if wish.body is not None and not is_same_host:
        raise _refused("The URL sends what was to be written on to another host.")
    return _Wish(wish.method, url, headers, wish.body)


def _origin(url: str) -> tuple[str, str, int] | None:
    target = target_of(url, _ANY)
    return (target.scheme, target.host, target.port) if target else None


#: To compare two URLs of which each is judged by itself.
_ANY: Final[tuple[Network, ...]] = networks_of(["0.0.0.0/0", "::/0"])


def _connected(addresses: list[Address], port: int, until: float) -> socket.socket:
    """Connect to the first address that answers."""
    failure: OSError | None = None
    for address in addresses:
        try:
            return socket.create_connection((str(address), port), timeout=_left(until))
        except OSError as error:
            failure = error
    raise failure or OSError("the host has no address")


@contextmanager
def _cut_off(plain: socket.socket, until: float) -> Iterator[None]:
    """Shut a connection when its time is over, however slowly it still sends."""
    # TLS takes the descriptor over: this one keeps the connection within reach.
    left, same = _left(until), plain.dup()
    timer = threading.Timer(left, _shut, (same,))
    timer.daemon = True
    timer.start()
    try:
        yield
        _left(until)
    except (OSError, http.client.HTTPException) as error:
        _left(until, error)
        raise
    finally:
        timer.cancel()
        timer.join()
        same.close()


def _shut(connection: socket.socket) -> None:
    # It may have ended at this very moment.
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _left(until: float, cause: BaseException | None = None) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError("the host takes too long") from cause
    return left


def _refused(what: str) -> ToolError:
    return ToolError("address_refused", what, retryable=False, suggestion=f"Give {EXPECTED}.")
