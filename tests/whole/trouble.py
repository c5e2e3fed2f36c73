"""Trouble on purpose: a server of a test's own, and a network path that can be cut."""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import redis

from toolferry_ledger import Settings
from toolferry_ledger.server import Membership

_CHUNK = 1 << 16


def last(seconds: float) -> None:
    """Let trouble last: how long it does is what its test is about."""
    # An outage is as long as it is: nothing that is asked may tell the test of its end, since all
    # that could tell is frozen, cut off or dead meanwhile.
    time.sleep(seconds)


class OwnServer:
    """A server that can be killed, frozen, filled and robbed.

    Args:
        home: The folder of its data.
        binary: The program.
    """

    def __init__(self, home: Path, binary: Path) -> None:
        self._home = home
        self._member = Membership(home, binary)
        served = self._member.join()
        self.settings = Settings(
            url=served.url, secret=served.secret.encode(), namespace="trouble", home=home
        )

    @property
    def client(self) -> redis.Redis:
        """A client of its own, past every cut path."""
        return redis.Redis.from_url(self.settings.redis_url, decode_responses=True)

    @property
    def pid(self) -> int:
        """Its process."""
        with self.client as client:
            info: Any = client.info("server")
        return int(info["process_id"])

    def kill(self) -> None:
        """End it at once."""
        os.kill(self.pid, signal.SIGKILL)

    def start(self) -> None:
        """Start it again on what data it has."""
        self._member.join()

    def lose_data(self) -> None:
        """Throw its data away; it must not run."""
        shutil.rmtree(self._home / "server" / "appendonlydir")

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop it for a while, without its knowing."""
        pid = self.pid
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)

    def leave(self) -> None:
        """Stop it."""
        self._member.leave()


class Wire:
    """A network path to a server: passes bytes on until it is cut, and says nothing of that.

    What was connected when it was cut stays connected and silent for ever, as behind a firewall
    that forgot; new connections pass when `heal` was called.

    Args:
        target: The server's socket.
    """

    def __init__(self, target: str) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._selector = selectors.DefaultSelector()
        self._ways: dict[socket.socket, socket.socket] = {}
        self._dead: list[socket.socket] = []
        self._lock = threading.Lock()
        self._is_cut = False
        self._is_closed = False
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """Where clients connect."""
        return int(self._listener.getsockname()[1])

    def cut(self) -> None:
        """Let nothing through any more, and close nothing."""
        with self._lock:
            self._is_cut = True
            for way in self._ways:
                self._selector.unregister(way)
                self._dead.append(way)
            self._ways.clear()

    def heal(self) -> None:
        """Let new connections through."""
        with self._lock:
            self._is_cut = False

    def close(self) -> None:
        """Close all."""
        self._is_closed = True
        self._thread.join()
        for one in (self._listener, *self._ways, *self._dead):
            one.close()

    def _run(self) -> None:
        while not self._is_closed:
            for key, _ in self._selector.select(0.05):
                with self._lock:
                    self._pass(key.fileobj)

    def _pass(self, ready: Any) -> None:
        if ready is self._listener:
            self._accept()
        elif ready in self._ways:
            other = self._ways[ready]
            with suppress(OSError):
                data = ready.recv(_CHUNK)
                other.sendall(data) if data else self._end(ready, other)

    def _accept(self) -> None:
        near, _ = self._listener.accept()
        if self._is_cut:
            self._dead.append(near)
            return
        far = socket.socket(socket.AF_UNIX)
        far.connect(self._target)
        for one, other in ((near, far), (far, near)):
            self._ways[one] = other
            self._selector.register(one, selectors.EVENT_READ)

    def _end(self, *both: socket.socket) -> None:
        for one in both:
            self._ways.pop(one, None)
            self._selector.unregister(one)
            one.close()
