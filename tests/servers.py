"""Servers of a test's own, which it may configure, kill and freeze; on this machine only."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from tests.waiting import PATIENCE, wait_until

#: The password of every such server.
PASSWORD = "a1b2c3"  # noqa: S105 -- an example


class OwnServer:
    """One server process, listening on a port of the loopback.

    Args:
        binary: The server program.
        folder: Where its files go; one for each server.
        *lines: Further lines of its configuration.
        listen: The setting that says where it listens: `port`, or `tls-port` for TLS alone.
        arguments: Further arguments of the program.
    """

    def __init__(
        self,
        binary: Path,
        folder: Path,
        *lines: str,
        listen: str = "port",
        arguments: tuple[str, ...] = (),
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self._command = [str(binary), str(folder / "server.conf"), *arguments]
        common = ["bind 127.0.0.1", f"dir {folder}", 'save ""', f"logfile {folder}/server.log"]
        where = ["port 0"] * (listen != "port") + [f"{listen} {self.port}"]
        text = "\n".join([*where, *common, *lines, ""])
        (folder / "server.conf").write_text(text, encoding="utf-8")
        self.start()

    def start(self) -> None:
        """Start it, again if it was killed."""
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.DEVNULL, start_new_session=True
        )

    def client(self, **options: Any) -> redis.Redis:
        """Give a client that speaks text and tries everything once."""
        wanted = {"password": PASSWORD, "decode_responses": True, **options}
        return redis.Redis(port=self.port, retry=Retry(NoBackoff(), 0), **wanted)

    def answers(self, **options: Any) -> OwnServer:
        """Wait until it answers."""
        with self.client(**options) as client:
            wait_until(lambda: asked(client.ping), f"an answer on port {self.port}")
        return self

    def listens(self) -> bool:
        """Tell whether it takes connections."""
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        os.kill(self._process.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.wait(PATIENCE)


def asked(question: Callable[[], Any]) -> Any:
    """Ask a server something; None while it has no answer."""
    try:
        return question()
    except redis.RedisError:
        return None


def free_port() -> int:
    """Give a port of this machine that nobody uses at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
