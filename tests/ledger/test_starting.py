"""The look at a server at start: on real ones, good and bad."""

from __future__ import annotations

import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
import redis
from structlog.testing import capture_logs

from tests.waiting import wait_until
from toolferry import LedgerUnavailable
from toolferry_ledger import Ledger, Settings
from toolferry_ledger.server.permissions import needed_commands

LEDGER = Path(str(files("toolferry_ledger")))
#: Methods of clients that send nothing by themselves.
NO_COMMANDS = {"ACLOSE", "CLOSE", "EXECUTE", "PIPELINE", "REGISTER_SCRIPT", "SCRIPT_LOAD"}
#: Commands as clients have them for methods, and as the scripts name them: at once, or to do many.
BY_A_CLIENT = re.compile(r"\b(?:client|pipe)\.(\w+?)(?:_iter)?\(")
IN_A_SCRIPT = re.compile(r"(?:redis\.call|gather)\(\s*(?:push or )?'([A-Z]+)'")


def check(settings: Settings) -> None:
    """Look at a server as every process does that starts to use it."""
    with closing(Ledger(settings)) as ledger:
        ledger.check()


@pytest.fixture
def user(client: redis.Redis, settings: Settings) -> Iterator[Settings]:
    """Give the settings of a user of its own, who may do everything."""
    name = settings.namespace
    client.acl_setuser(
        name, enabled=True, passwords=["+long"], categories=["+@all"], keys=["*"], channels=["*"]
    )
    login = settings.url.partition("@")[2]
    yield replace(settings, url=f"unix://{name}:long@{login}")
    client.acl_deluser(name)


def free_port() -> int:
    """Give a port that is free now."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@pytest.fixture
def cluster(server_binary: Path, tmp_path: Path, settings: Settings) -> Iterator[Settings]:
    """Run a node of a cluster, and give the settings that name it."""
    port, bus = free_port(), free_port()
    words = f"--port {port} --bind 127.0.0.1 --cluster-enabled yes --cluster-port {bus}"
    node = subprocess.Popen(
        [server_binary, *words.split(), "--dir", tmp_path], stdout=subprocess.DEVNULL
    )
    client = redis.Redis(port=port)

    def answers() -> bool:
        with suppress(redis.ConnectionError):
            return bool(client.ping())
        return False

    wait_until(answers, "the node's answer")
    yield replace(settings, url=f"redis://127.0.0.1:{port}/0")
    client.close()
    node.kill()
    node.wait()


def test_a_good_server_is_taken_without_a_word(settings: Settings) -> None:
    """The one that the tests run on."""
    with capture_logs() as logs:
        check(settings)

    assert logs == []


def test_a_node_of_a_cluster_is_refused(cluster: Settings) -> None:
    """In one sentence, and not by the first script that names two keys."""
    with pytest.raises(LedgerUnavailable, match=r"node of a cluster, .* use a server with"):
        check(cluster)


@pytest.mark.parametrize("command", ["evalsha", "time", "xread", "hset", "brpop", "info"])
def test_a_forbidden_command_is_named(user: Settings, client: redis.Redis, command: str) -> None:
    """Also one that only scripts send."""
    client.acl_setuser(user.namespace, enabled=True, commands=[f"-{command}"], reset=False)

    with pytest.raises(LedgerUnavailable, match=rf"may not use .*{command.upper()}.*operations"):
        check(user)


def test_keys_that_are_forbidden_are_told(user: Settings, client: redis.Redis) -> None:
    """Every command on them is forbidden then, which says less."""
    client.acl_setuser(user.namespace, enabled=True, reset_keys=True, keys=["other:*"], reset=False)

    with pytest.raises(
        LedgerUnavailable, match=rf"may not use the keys tf:{user.namespace}:\*, the queues"
    ):
        check(user)


def test_a_server_that_evicts_is_warned_of(settings: Settings, client: redis.Redis) -> None:
    """It would throw calls away; the same for one that keeps nothing."""
    client.config_set("maxmemory", str(4 << 30))
    client.config_set("maxmemory-policy", "allkeys-lru")
    try:
        with capture_logs() as logs:
            check(settings)
    finally:
        client.config_set("maxmemory-policy", "noeviction")
        client.config_set("maxmemory", "0")

    [told] = logs
    assert (told["event"], told["log_level"]) == ("server.doubtful", "warning")
    assert told["advice"] == "set maxmemory-policy noeviction"


def names_in(folder: Path, kind: str, pattern: re.Pattern[str]) -> set[str]:
    """Find what a pattern finds in the files of a kind."""
    texts = (path.read_text(encoding="utf-8") for path in folder.glob(f"*.{kind}"))
    return {name.upper() for text in texts for name in pattern.findall(text)}


def test_every_command_of_the_scripts_is_asked_for() -> None:
    """A new one cannot be forgotten."""
    sent = names_in(LEDGER / "scripts", "lua", IN_A_SCRIPT)

    assert len(sent) > 25
    assert sent <= needed_commands()


def test_every_command_of_the_clients_is_asked_for() -> None:
    """Of those that are sent outside of scripts."""
    sent = names_in(LEDGER, "py", BY_A_CLIENT) - NO_COMMANDS

    assert len(sent) > 12
    assert sent <= needed_commands()
