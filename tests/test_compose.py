"""The compose file: what it starts, with settings that exist and secrets that it does not know."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
import redis
import yaml
from redis.backoff import NoBackoff
from redis.retry import Retry

from tests.waiting import wait_until
from toolferry_ledger import Settings

ROOT: Final = Path(__file__).parents[1]
#: A variable whose value has to be given from outside.
REQUIRED: Final = re.compile(r"\$\{([A-Z_]+):\?")


@pytest.fixture(scope="module")
def services() -> dict[str, dict[str, Any]]:
    """Read the services."""
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    read: dict[str, dict[str, Any]] = yaml.safe_load(text)["services"]
    return read


def filled(environment: dict[str, str]) -> dict[str, str]:
    """Put values for all variables of a service, as compose would."""
    given = {"VALKEY_PASSWORD": "a1" * 16, "TOOLFERRY_SECRET": "b2" * 16}
    pattern = re.compile(r"\$\{([A-Z_]+):([?-])([^}]*)\}")

    def value(match: re.Match[str]) -> str:
        name, kind, rest = match.groups()
        return given[name] if kind == "?" else rest

    return {name: pattern.sub(value, text) for name, text in environment.items()}


def test_it_starts_a_server_and_a_worker_for_each_lane(services: dict[str, dict[str, Any]]) -> None:
    """Workers start when the server is well."""
    lanes = [services[f"worker-{lane}"] for lane in ("async", "process")]

    assert set(services) == {"valkey", "worker-async", "worker-process"}
    assert [worker["command"][-1] for worker in lanes] == ["async", "process"]
    assert all(
        worker["depends_on"] == {"valkey": {"condition": "service_healthy"}} for worker in lanes
    )


@pytest.mark.parametrize("worker", ["worker-async", "worker-process"])
def test_its_variables_are_settings_that_exist(
    services: dict[str, dict[str, Any]], worker: str
) -> None:
    """A setting that is renamed cannot be forgotten here."""
    environment = filled(services[worker]["environment"])

    settings = Settings.from_env(environment)

    assert set(environment) <= set(settings.environment())
    assert settings.safe_url == "redis://valkey:6379/0"


def test_no_secret_has_a_default(services: dict[str, dict[str, Any]]) -> None:
    """Nobody runs a server with a password that everybody knows."""
    texts = [text for service in services.values() for text in service["environment"].values()]

    required = {name for text in texts for name in REQUIRED.findall(text)}

    assert required == {"VALKEY_PASSWORD", "TOOLFERRY_SECRET"}
    assert not any(re.search(r"(PASSWORD|SECRET)\W*:-", text) for text in texts)


def test_the_server_is_reachable_from_this_machine_only(
    services: dict[str, dict[str, Any]],
) -> None:
    """Its port is not published to the network."""
    assert all(port.startswith("127.0.0.1:") for port in services["valkey"]["ports"])


def test_the_servers_command_keeps_everything_and_wants_the_password(
    services: dict[str, dict[str, Any]], tmp_path: Path, server_binary: Path
) -> None:
    """The very command is run, on a free port and in a folder of the test."""
    shutil.copy(server_binary, tmp_path / "valkey-server")
    shell, flag, script = services["valkey"]["command"]
    port = free_port()
    script = script.replace("$$", "$").replace("/data", f"{tmp_path} --port {port}")

    with subprocess.Popen(
        [shell, flag, script],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin", "VALKEY_PASSWORD": "a1b2"},
        stdout=subprocess.DEVNULL,
    ) as started:
        try:
            config = config_of(port, "a1b2")
        finally:
            started.terminate()

    assert config["appendonly"] == "yes"
    assert config["maxmemory-policy"] == "noeviction"
    assert config["requirepass"] == "a1b2"
    assert config["save"] == ""


def free_port() -> int:
    """Give a port of this machine that nobody uses at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _config(client: redis.Redis) -> Any:
    """Ask for the configuration; None while the server does not answer."""
    try:
        return client.config_get()
    except redis.ConnectionError:
        return None


def config_of(port: int, password: str) -> dict[Any, Any]:
    """Wait until the server answers and give its configuration."""
    client = redis.Redis(
        port=port, password=password, decode_responses=True, retry=Retry(NoBackoff(), 0)
    )
    with client:
        config: dict[Any, Any] = wait_until(lambda: _config(client), "the server's answer")
        return config
