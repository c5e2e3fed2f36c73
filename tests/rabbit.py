"""A RabbitMQ of a test's own: its own node, ports and port mapper, on this machine only."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from typing import Final

from tests.servers import free_port
from tests.waiting import PATIENCE, wait_until

#: Where packages put the program; the one on the PATH asks for a user of its own.
_PROGRAMS: Final = ("/usr/lib/rabbitmq/bin/rabbitmq-server",)

#: For Erlang: nodes meet on this machine only, and one thread is enough.
_ON_LOOPBACK: Final = "-kernel inet_dist_use_interface {127,0,0,1} +S 1 +sbwt none"
#: Seconds that it may take to start: five on an idle machine.
START_LIMIT: Final = 120.0


def find_rabbit() -> str | None:
    """Find the server program and the port mapper; None where one of them is missing."""
    found = next((name for name in _PROGRAMS if Path(name).exists()), None)
    return found if shutil.which("epmd") else None


class OwnRabbit:
    """One RabbitMQ server.

    Args:
        program: What `find_rabbit` found.
        folder: Where its files go.
    """

    def __init__(self, program: str, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        mapper_port = str(free_port())
        environment = {
            "PATH": os.environ["PATH"],
            "LC_ALL": "C.UTF-8",
            "HOME": str(folder),
            "ERL_EPMD_PORT": mapper_port,
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODENAME": f"test{self.port}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self.port),
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": _ON_LOOPBACK,
            "RABBITMQ_MNESIA_BASE": str(folder / "data"),
            "RABBITMQ_LOG_BASE": str(folder / "log"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
            "RABBITMQ_CONF_ENV_FILE": str(folder / "none"),
            "RABBITMQ_CONFIG_FILE": str(folder / "none"),
        }
        # Started here, so that no node starts one that nobody ends.
        self._mapper = self._start("epmd", "-port", mapper_port, env=environment)
        self._server = self._start(program, env=environment)

    @property
    def url(self) -> str:
        """Where it is; the guest may come in from this machine."""
        return f"amqp://guest:guest@127.0.0.1:{self.port}//"

    def ready(self) -> OwnRabbit:
        """Wait until it speaks AMQP."""
        wait_until(self._greets, "an answer of RabbitMQ", START_LIMIT)
        return self

    def stop(self) -> None:
        """End it and its port mapper."""
        for process in (self._server, self._mapper):
            # The server is the child of a script: both belong to the session that was begun here.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(PATIENCE)

    def _start(self, *command: str, env: dict[str, str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def _greets(self) -> bool:
        assert self._server.poll() is None, "RabbitMQ has ended"
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as probe:
                probe.sendall(b"AMQP\0\0\x09\x01")
                return bool(probe.recv(1))
        except OSError:
            return False
