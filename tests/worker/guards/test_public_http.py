"""The HTTP client of handlers, against real servers on the loopback."""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import trustme

from toolferry import ToolError
from toolferry_worker.guards import PublicHTTP

LOOPBACK = "127.0.0.1"
#: By path: status, headers and body.
Pages = dict[str, tuple[int, Mapping[str, str], bytes]]


@dataclass
class Site:
    """A server, and what it was asked."""

    port: int
    pages: Pages
    asked: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)


@contextmanager
def serving(tls: ssl.SSLContext | None = None) -> Iterator[Site]:
    """Run a server on the loopback."""
    pages: Pages = {"/": (200, {"X-Kind": "plain"}, b"hello")}

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(length)
            site.asked.append((self.command, self.path, dict(self.headers), body))
            status, headers, text = pages.get(self.path, (404, {}, b"none"))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = answer  # noqa: N815 -- names of the base class

        def log_message(self, *_words: Any) -> None:
            pass

    with ThreadingHTTPServer((LOOPBACK, 0), Handler) as server:
        if tls:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        site = Site(int(server.server_address[1]), pages)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield site
        server.shutdown()
        thread.join()


@pytest.fixture(name="site")
def a_site() -> Iterator[Site]:
    """Give a server."""
    with serving() as one:
        yield one


@dataclass
class Names:
    """A resolver that gives what the test says, and keeps what it was asked."""

    known: dict[str, list[list[str]]]
    asked: list[str] = field(default_factory=list)

    def __call__(self, host: str, port: int) -> list[str]:
        """Give the next answer for a name; the last one again and again."""
        self.asked.append(host)
        answers = self.known[host]
        return answers.pop(0) if len(answers) > 1 else answers[0]


def client(names: Mapping[str, list[str]] | None = None, **settings: Any) -> PublicHTTP:
    """Give a client for which the loopback is open, and names lead where the test says."""
    known = {name: [addresses] for name, addresses in (names or {}).items()}
    return PublicHTTP(also=[f"{LOOPBACK}/32"], resolver=Names(known), **settings)


def code_of(ask: Callable[[], object]) -> str:
    """Give the code with which a request is refused."""
    with pytest.raises(ToolError) as refused:
        ask()
    return refused.value.code


def test_a_page_is_read_from_the_address_that_was_judged(site: Site) -> None:
    """Under the name that the URL has."""
    http = client({"site.example": [LOOPBACK]})

    response = http.get(f"http://site.example:{site.port}/#top", {"X-Mine": "1"})

    assert (response.status, response.body) == (200, b"hello")
    assert response.headers["x-kind"] == "plain"
    method, path, headers, _ = site.asked[0]
    assert (method, path, headers["Host"]) == ("GET", "/", f"site.example:{site.port}")
    assert headers["X-Mine"] == "1"


def test_a_body_is_sent_and_any_status_is_an_answer(site: Site) -> None:
    """What it means is the handler's business."""
    response = client().request(
        "POST", f"http://{LOOPBACK}:{site.port}/文?q=a b".replace(" ", "%20"), body=b"data"
    )

    assert (response.status, response.body) == (404, b"none")
    assert site.asked[0][:2] == ("POST", "/%E6%96%87?q=a%20b")
    assert site.asked[0][3] == b"data"


@pytest.mark.parametrize(
    "addresses",
    [
        [LOOPBACK],
        ["10.0.0.1"],
        ["169.254.169.254"],
        ["::1"],
        ["fe80::1%eth0"],
        ["::ffff:127.0.0.1"],
        ["93.184.215.14", LOOPBACK],
        [LOOPBACK, "93.184.215.14"],
        [],
        ["nonsense"],
    ],
)
def test_a_name_that_leads_to_an_address_of_our_own_is_refused(
    site: Site, addresses: list[str]
) -> None:
    """One such address among others is enough; nothing is connected to."""
    http = PublicHTTP(resolver=Names({"site.example": [addresses]}))

    assert code_of(lambda: http.get(f"http://site.example:{site.port}/")) == "address_refused"
    assert site.asked == []


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:{}/", "http://localhost:{}/", "http://2130706433:{}/", "file:///x"]
)
def test_a_url_that_the_rule_refuses_is_refused_here_too(site: Site, url: str) -> None:
    """Before anything is resolved."""
    names = Names({})

    assert code_of(lambda: PublicHTTP(resolver=names).get(url.format(site.port))) == (
        "address_refused"
    )
    assert (names.asked, site.asked) == ([], [])


def test_a_name_is_resolved_once_so_that_it_cannot_be_bound_anew(site: Site) -> None:
    """The second answer of the resolver would lead elsewhere."""
    names = Names({"site.example": [[LOOPBACK], ["10.0.0.1"]]})
    http = PublicHTTP(also=[LOOPBACK], resolver=names)

    assert http.get(f"http://site.example:{site.port}/").status == 200
    assert names.asked == ["site.example"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "location",
    ["http://169.254.169.254/latest", "//10.0.0.1/", "file:///etc/passwd", "http://inner.example/"],
)
def test_a_redirect_to_an_address_of_our_own_is_refused(
    site: Site, status: int, location: str
) -> None:
    """However it is written."""
    site.pages["/go"] = (status, {"Location": location}, b"")
    http = client({"site.example": [LOOPBACK], "inner.example": ["192.168.0.1"]})

    assert code_of(lambda: http.get(f"http://site.example:{site.port}/go")) == "address_refused"


def test_a_redirect_is_followed_and_headers_stay_with_their_host(site: Site) -> None:
    """A key for one host is not told to another."""
    site.pages["/go"] = (302, {"Location": "/on"}, b"")
    site.pages["/on"] = (302, {"Location": f"http://other.example:{site.port}/"}, b"")
    http = client({"site.example": [LOOPBACK], "other.example": [LOOPBACK]})

    response = http.request(
        "POST", f"http://site.example:{site.port}/go", headers={"Authorization": "k"}, body=b"x"
    )

    assert response.url == f"http://other.example:{site.port}/"
    assert [(one[0], one[3], "Authorization" in one[2]) for one in site.asked] == [
        ("POST", b"x", True),
        ("GET", b"", True),
        ("GET", b"", False),
    ]


def test_a_body_is_not_sent_on_to_another_host(site: Site) -> None:
    """It stays with its host, too."""
    site.pages["/same"] = (307, {"Location": "/"}, b"")
    site.pages["/other"] = (308, {"Location": f"http://other.example:{site.port}/"}, b"")
    http = client({"site.example": [LOOPBACK], "other.example": [LOOPBACK]})
    base = f"http://site.example:{site.port}"

    assert http.request("POST", f"{base}/same", body=b"x").status == 200
    assert code_of(lambda: http.request("POST", f"{base}/other", body=b"x")) == "address_refused"
    assert [one[1] for one in site.asked] == ["/same", "/", "/other"]


def test_redirects_end(site: Site) -> None:
    """After as many as are allowed."""
    site.pages["/go"] = (302, {"Location": "/go"}, b"")
    http = client(max_redirects=2)

    assert code_of(lambda: http.get(f"http://{LOOPBACK}:{site.port}/go")) == "too_many_redirects"
    assert len(site.asked) == 3


def test_too_large_an_answer_is_refused(site: Site) -> None:
    """To the byte."""
    url = f"http://{LOOPBACK}:{site.port}/"

    assert client(max_bytes=5).get(url).body == b"hello"
    assert code_of(lambda: client(max_bytes=4).get(url)) == "answer_too_large"


@pytest.mark.parametrize("sent", [b"HTTP/1.1 200 OK\r\nX-", b"HTTP/1.1 200 OK\r\n\r\nhel"])
def test_a_host_that_sends_a_little_and_then_keeps_silent_is_left_in_time(sent: bytes) -> None:
    """In its headers and in its body: what came is not taken for an answer."""
    with socket.create_server((LOOPBACK, 0)) as server:

        def dribble() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(sent)
                done.wait()

        done = threading.Event()
        thread = threading.Thread(target=dribble)
        thread.start()

        with pytest.raises(TimeoutError):
            client(timeout=0.2).get(f"http://{LOOPBACK}:{server.getsockname()[1]}/")

        done.set()
        thread.join()


def test_certificates_are_checked_for_the_name_not_for_the_address() -> None:
    """The address was chosen by us, the name by the URL."""
    authority = trustme.CA()
    server, own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert("site.example").configure_cert(server)
    authority.configure_trust(own)
    names = {"site.example": [LOOPBACK], "other.example": [LOOPBACK]}

    with serving(server) as site:
        http = client(names, tls=own)

        assert http.get(f"https://site.example:{site.port}/").body == b"hello"
        with pytest.raises(ssl.SSLCertVerificationError):
            http.get(f"https://other.example:{site.port}/")
        with pytest.raises(ssl.SSLCertVerificationError):
            client(names).get(f"https://site.example:{site.port}/")


def test_a_proxy_of_the_environment_is_not_asked(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind one, nobody could say what was reached."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")

    assert client().get(f"http://{LOOPBACK}:{site.port}/").status == 200


def test_a_header_cannot_smuggle_another_one(site: Site) -> None:
    """Not even when a model wrote its value."""
    with pytest.raises(ValueError, match="Invalid header value"):
        client().get(f"http://{LOOPBACK}:{site.port}/", {"X-A": "b\r\nX-C: d"})
    assert json.dumps(site.asked) == "[]"
