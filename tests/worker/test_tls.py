"""TLS to the server: both clients check its certificate, show their own, and say what is wrong."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import trustme

from tests.servers import PASSWORD, OwnServer
from tests.waiting import wait_until
from tests.worker.caller import TOOLS, outcomes
from tests.worker.running import RunningWorker
from toolferry import Lane, LedgerUnavailable, ToolCall
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Ledger, Settings

_BINARY = shutil.which("redis-server")
pytestmark = pytest.mark.skipif(
    _BINARY is None, reason="the embedded server knows no TLS, and there is no redis-server"
)


@dataclass
class Secured:
    """A server that speaks TLS alone and wants a certificate of each client."""

    folder: Path
    port: int

    def settings(self, **options: str) -> Settings:
        """Give a system on it; options are those of TLS, by default the right ones."""
        right = {
            "ssl_ca_certs": "ca.pem",
            "ssl_certfile": "client.pem",
            "ssl_keyfile": "client.key",
        }
        names = {**right, **options}
        query = "&".join(f"{name}={self.folder / value}" for name, value in names.items() if value)
        return Settings(
            url=f"rediss://:{PASSWORD}@localhost:{self.port}/0?{query}",
            secret=b"s" * 32,
            namespace="tls",
            home=self.folder,
        )


def write(certificate: trustme.LeafCert, folder: Path, name: str) -> None:
    """Write a certificate and its key."""
    certificate.private_key_pem.write_to_path(folder / f"{name}.key")
    certificate.cert_chain_pems[0].write_to_path(folder / f"{name}.pem")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a CA, certificates of a server and a client, and those that are no good."""
    folder = tmp_path_factory.mktemp("certificates")
    ours, strange = trustme.CA(), trustme.CA()
    ours.cert_pem.write_to_path(folder / "ca.pem")
    strange.cert_pem.write_to_path(folder / "strange-ca.pem")
    write(ours.issue_cert("localhost", "127.0.0.1"), folder, "server")
    write(ours.issue_cert("elsewhere.example"), folder, "elsewhere")
    write(ours.issue_cert("client.example"), folder, "client")
    write(strange.issue_cert("client.example"), folder, "strange")
    yesterday = datetime.now() - timedelta(days=1)  # noqa: DTZ005 -- trustme takes naive times
    write(ours.issue_cert("localhost", not_after=yesterday), folder, "expired")
    return folder


def tls_lines(certificates: Path, name: str) -> list[str]:
    """Have a server show the certificate of this name, and want one of each client."""
    return [
        f"tls-cert-file {certificates / name}.pem",
        f"tls-key-file {certificates / name}.key",
        f"tls-ca-cert-file {certificates}/ca.pem",
        "tls-auth-clients yes",
        "tls-replication yes",
    ]


def serve(stack: ExitStack, certificates: Path, folder: Path, name: str) -> Secured:
    """Run a server that shows the certificate of this name."""
    lines = [f"requirepass {PASSWORD}", *tls_lines(certificates, name)]
    server = OwnServer(Path(_BINARY or ""), folder / name, *lines, listen="tls-port")
    stack.callback(server.kill)
    wait_until(server.listens, "the server's port")
    return Secured(certificates, server.port)


@pytest.fixture(scope="module")
def secured(certificates: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    """Run a server with a certificate that is all right."""
    with ExitStack() as stack:
        yield serve(stack, certificates, tmp_path_factory.mktemp("tls"), "server")


def test_a_turn_runs_over_tls(secured: Secured) -> None:
    """Dispatcher, both lanes and the children connect with certificates on both sides."""
    settings = secured.settings()
    with ExitStack() as stack:
        workers = [RunningWorker(settings, lane, concurrency=2) for lane in Lane]
        for worker in workers:
            stack.callback(worker.finish_off)
            worker.ready()
        dispatcher = stack.enter_context(Dispatcher(TOOLS, settings))
        calls = [ToolCall("a", "add", {"left": 1}), ToolCall("e", "echo", {"text": "x"})]

        results = dispatcher.dispatch(calls).gather(timeout=30)

    assert outcomes(results) == ["succeeded"] * 2


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"ssl_ca_certs": "strange-ca.pem"}, "signed by nobody we trust; name its CA's file"),
        ({"ssl_ca_certs": ""}, "signed by nobody we trust; name its CA's file"),
        ({"ssl_ca_certs": "none.pem"}, "certificate's file cannot be read"),
        ({"ssl_certfile": "", "ssl_keyfile": ""}, "want.? a certificate of the client"),
        (
            {"ssl_certfile": "strange.pem", "ssl_keyfile": "strange.key"},
            "client's certificate|of the client",
        ),
    ],
)
def test_what_is_wrong_with_the_clients_side_is_told_in_a_sentence(
    secured: Secured, options: dict[str, str], told: str
) -> None:
    """A CA that did not sign, a file that is not there, no certificate, a strange one."""
    with pytest.raises(LedgerUnavailable, match=told) as raised:
        Ledger(secured.settings(**options)).now()

    assert PASSWORD not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "told"),
    [("expired", "has expired; renew it"), ("elsewhere", "for another host")],
)
def test_what_is_wrong_with_the_servers_side_is_told_in_a_sentence(
    certificates: Path, tmp_path: Path, name: str, told: str
) -> None:
    """A certificate of yesterday, and one of another host."""
    with ExitStack() as stack:
        broken = serve(stack, certificates, tmp_path, name)

        with pytest.raises(LedgerUnavailable, match=told):
            Ledger(broken.settings()).now()


def test_a_worker_that_cannot_trust_the_server_ends_with_the_sentence(secured: Secured) -> None:
    """It never gets as far as Celery, whose own client would go on trying."""
    worker = RunningWorker(secured.settings(ssl_ca_certs="strange-ca.pem"), Lane.ASYNC)

    code = worker.ended()

    assert code == 2
    assert "signed by nobody we trust" in worker.lines[-1]


def test_a_port_without_tls_is_told_in_a_sentence(secured: Secured, server_binary: Path) -> None:
    """The other way round, somebody forgot to turn it on."""
    with ExitStack() as stack:
        plain = OwnServer(server_binary, secured.folder / "plain", f"requirepass {PASSWORD}")
        stack.callback(plain.kill)
        plain.answers()
        settings = Secured(secured.folder, plain.port).settings()

        with pytest.raises(LedgerUnavailable, match="check that it runs, and speaks TLS"):
            Ledger(settings).now()


def test_sentinels_and_their_primary_are_reached_over_tls(secured: Secured, tmp_path: Path) -> None:
    """What the URL says of TLS holds for both."""
    with ExitStack() as stack:
        lines = [
            *tls_lines(secured.folder, "server"),
            f"sentinel monitor tools 127.0.0.1 {secured.port} 1",
            f"sentinel auth-pass tools {PASSWORD}",
        ]
        sentinel = OwnServer(
            Path(_BINARY or ""), tmp_path, *lines, listen="tls-port", arguments=("--sentinel",)
        )
        stack.callback(sentinel.kill)
        wait_until(sentinel.listens, "the sentinel's port")
        query = secured.settings().url.partition("?")[2]
        where = f"sentinel://:{PASSWORD}@localhost:{sentinel.port}/0?master=tools&{query}"
        settings = replace(secured.settings(), url=where, namespace="tls-sentinel")
        worker = RunningWorker(settings, Lane.ASYNC)
        stack.callback(worker.finish_off)
        worker.ready()
        dispatcher = stack.enter_context(Dispatcher(TOOLS, settings))

        results = dispatcher.dispatch([ToolCall("e", "echo", {"text": "x"})]).gather(timeout=30)

    assert outcomes(results) == ["succeeded"]
