"""A primary with replicas, and sentinels that watch them: real servers, on this machine only."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from tests.servers import PASSWORD, OwnServer, asked
from tests.waiting import wait_until
from toolferry_ledger import Settings

#: What sentinels know the primary as.
NAME = "tools"
#: Seconds that a promotion may take: three on an idle machine.
PROMOTION_LIMIT = 60.0


class Group:
    """A primary with replicas, and sentinels that watch them."""

    def __init__(self, stack: ExitStack, binary: Path, folder: Path, replicas: int) -> None:
        self._stack = stack
        self._binary = binary
        self._folder = folder
        self.primary = self._server("primary")
        of = f"replicaof 127.0.0.1 {self.primary.port}"
        self.replicas = [self._server(f"replica-{n}", of) for n in range(replicas)]
        for replica in self.replicas:
            wait_until(partial(is_synchronous, replica), "a replica's copy")
        self.sentinels = [self._sentinel(n) for n in range(3)]
        for sentinel in self.sentinels:
            wait_until(partial(self._is_informed, sentinel), "a sentinel's picture")

    @property
    def settings(self) -> Settings:
        """Give the settings of a system on this group."""
        hosts = ",".join(f"127.0.0.1:{one.port}" for one in self.sentinels)
        return Settings(
            url=f"sentinel://:{PASSWORD}@{hosts}/0?master={NAME}",
            secret=b"s" * 32,
            namespace="failover",
            home=self._folder,
        )

    def fail_over(self) -> OwnServer:
        """Kill the primary and wait for the one that is promoted."""
        self.primary.kill()
        return self.promoted()

    def cut_off(self) -> None:
        """Have the replicas get nothing more: they cannot log in at the primary any more."""
        self._tell_replicas("wrong")
        with self.primary.client() as client:
            client.client_kill_filter(_type="replica")

    def reconnect(self) -> None:
        """Let the replicas log in again."""
        self._tell_replicas(PASSWORD)

    def promoted(self) -> OwnServer:
        """Wait until a replica has become the primary."""
        found: OwnServer = wait_until(
            lambda: next((one for one in self.replicas if is_primary(one)), None),
            "a promotion",
            PROMOTION_LIMIT,
        )
        for sentinel in self.sentinels:
            wait_until(partial(self._names, sentinel, found), "the news of it")
        return found

    def _tell_replicas(self, password: str) -> None:
        for replica in self.replicas:
            with replica.client() as client:
                client.config_set("masterauth", password)

    def _names(self, sentinel: OwnServer, primary: OwnServer) -> bool:
        with sentinel.client(password=None) as client:
            named: Any = client.sentinel_get_master_addr_by_name(NAME)
        port = int(named[1])
        return port == primary.port

    def _server(self, name: str, *lines: str) -> OwnServer:
        started = OwnServer(
            self._binary,
            self._folder / name,
            f"requirepass {PASSWORD}",
            f"masterauth {PASSWORD}",
            "repl-diskless-sync-delay 0",
            *lines,
        )
        self._stack.callback(started.kill)
        return started.answers()

    def _sentinel(self, number: int) -> OwnServer:
        started = OwnServer(
            self._binary,
            self._folder / f"sentinel-{number}",
            f"sentinel monitor {NAME} 127.0.0.1 {self.primary.port} 2",
            f"sentinel auth-pass {NAME} {PASSWORD}",
            f"sentinel down-after-milliseconds {NAME} 1000",
            f"sentinel failover-timeout {NAME} 5000",
            arguments=("--sentinel",),
        )
        self._stack.callback(started.kill)
        return started.answers(password=None)

    def _is_informed(self, sentinel: OwnServer) -> bool:
        with sentinel.client(password=None) as client:
            state: Any = client.sentinel_master(NAME)
        known = int(state["num-other-sentinels"]), int(state["num-slaves"])
        return known == (2, len(self.replicas)) and "down" not in str(state["flags"])


def is_primary(server: OwnServer) -> bool:
    """Tell whether a server takes writes."""
    with server.client() as client:
        role: list[str] = asked(client.role) or ["none"]
    return role[0] == "master"


def is_synchronous(server: OwnServer) -> bool:
    """Tell whether a replica has its primary's data."""
    with server.client() as client:
        told: dict[str, str] = asked(lambda: client.info("replication")) or {}
    return told.get("master_link_status") == "up"
