"""The embedded server's life: started by the first user, shared, stopped by the last, mended."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from toolferry_ledger.server import Membership, Served

#: A process that uses the server until it is told to leave; says which server it found.
USER = """
import redis, sys
from toolferry_ledger import load_settings
settings = load_settings()
print(redis.Redis.from_url(settings.redis_url).info("server")["run_id"], flush=True)
sys.stdin.readline()
"""
NEVER = Retry(NoBackoff(), 0)
UserStarter = Callable[[], "subprocess.Popen[str]"]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """Give a home in which no server runs when the test is over."""
    folder = tmp_path / "home"
    yield folder
    last = Membership(folder)
    last.join()
    last.leave()


@pytest.fixture
def member(home: Path, server_binary: Path) -> Iterator[Membership]:
    """Give a membership that has not joined yet; left when the test is over."""
    fresh = Membership(home, server_binary)
    yield fresh
    fresh.leave()


@pytest.fixture
def start_user(home: Path) -> Iterator[UserStarter]:
    """Give a function that starts another process which uses the server."""
    environment = {"PATH": os.environ["PATH"], "TOOLFERRY_HOME": str(home)}
    with ExitStack() as users:

        def start() -> subprocess.Popen[str]:
            user = subprocess.Popen(
                [sys.executable, "-c", USER],
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            return users.enter_context(user)

        yield start


def said(user: subprocess.Popen[str]) -> str:
    """Wait for the next line of a user."""
    assert user.stdout is not None
    return user.stdout.readline().strip()


def connected(served: Served) -> redis.Redis:
    """Give a client that does not try again."""
    return redis.Redis.from_url(served.url, decode_responses=True, retry=NEVER)


def server_info(served: Served) -> dict[str, str | int]:
    """Ask the server who it is."""
    with connected(served) as client:
        info: dict[str, str | int] = client.info("server")
    return info


def kill_server(served: Served) -> None:
    """Kill the server without a warning."""
    os.kill(int(server_info(served)["process_id"]), signal.SIGKILL)


def is_gone(served: Served) -> bool:
    """Say whether nobody answers any more."""
    with connected(served) as client:
        try:
            client.ping()
        except redis.ConnectionError:
            return True
    return False


def test_the_first_user_starts_the_server_and_the_last_stops_it(
    home: Path, member: Membership, server_binary: Path
) -> None:
    """A user that leaves early takes nothing from the others."""
    other = Membership(home, server_binary)
    served = member.join()
    other.join()

    member.leave()
    after_one = is_gone(served)
    other.leave()

    assert not after_one
    assert is_gone(served)


def test_joining_and_leaving_again_change_nothing(member: Membership) -> None:
    """Both may be repeated, in whatever order shutdown paths call them."""
    member.leave()
    served = member.join()
    same = member.join()
    member.leave()
    member.leave()

    assert served == same
    assert is_gone(served)


def test_two_processes_that_start_at_once_share_one_server(start_user: UserStarter) -> None:
    """The gate lets one of them start it; the other finds it."""
    first, second = start_user(), start_user()

    servers = {said(first), said(second)}

    assert len(servers) == 1


def test_a_process_leaves_when_it_ends(member: Membership, start_user: UserStarter) -> None:
    """Nothing has to be called: the end of the last process stops the server."""
    user = start_user()
    said(user)
    served = member.join()
    member.leave()
    while_used = is_gone(served)

    user.communicate("leave\n")

    assert not while_used
    assert is_gone(served)


def test_a_server_that_outlived_its_users_is_adopted(
    member: Membership, start_user: UserStarter
) -> None:
    """All users were killed at once: the next one finds the same server and stops it at last."""
    users = [start_user(), start_user()]
    first_server = {said(user) for user in users}
    for user in users:
        user.kill()
        user.wait()

    served = member.join()
    found = server_info(served)["run_id"]
    member.leave()

    assert first_server == {found}
    assert is_gone(served)


def test_a_killed_server_comes_back_with_its_data(member: Membership) -> None:
    """Socket and process id of the dead server lie around and disturb nobody."""
    served = member.join()
    with connected(served) as client:
        client.set("kept", "yes")
    kill_server(served)

    again = member.join()

    assert again == served
    with connected(again) as client:
        assert client.get("kept") == "yes"


def test_a_stopped_server_comes_back_with_its_data(member: Membership) -> None:
    """A clean stop loses nothing either."""
    with connected(member.join()) as client:
        client.set("kept", "yes")
    member.leave()

    with connected(member.join()) as client:
        kept = client.get("kept")

    assert kept == "yes"


def test_a_user_that_arrives_during_the_stop_gets_a_working_server(
    home: Path, server_binary: Path
) -> None:
    """Users come and go at the same moment, over and over; each finds a server that answers."""
    answered: list[bool] = []

    def come_and_go() -> None:
        member = Membership(home, server_binary)
        for _ in range(10):
            answered.append(not is_gone(member.join()))
            member.leave()

    threads = [threading.Thread(target=come_and_go) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answered == [True] * 20


def test_ctrl_c_does_not_reach_the_server(member: Membership) -> None:
    """The terminal's signal goes to its session, and the server has one of its own."""
    process = int(server_info(member.join())["process_id"])

    assert os.getsid(process) != os.getsid(0)


def test_a_forked_child_cannot_end_the_membership_of_its_parent(member: Membership) -> None:
    """A pool's children inherit the object; when they leave, nothing happens."""
    served = member.join()

    child = os.fork()
    if child == 0:
        member.leave()
        os._exit(0)
    os.waitpid(child, 0)

    assert not is_gone(served)
    assert not member.is_outdated


def test_a_deleted_folder_is_replaced_and_its_server_stopped(
    home: Path, member: Membership
) -> None:
    """Somebody removes the folder under a running server: nothing is left behind."""
    served = member.join()
    shutil.rmtree(home)

    outdated = member.is_outdated
    member.leave()

    assert outdated
    assert is_gone(served)


def test_a_copy_of_a_folder_has_a_server_of_its_own(
    home: Path, member: Membership, server_binary: Path, tmp_path: Path
) -> None:
    """Two servers never write into one folder, and a copy never reaches the original's."""
    served = member.join()
    copied = Path(shutil.copytree(home, tmp_path / "copy"))
    copy = Membership(copied, server_binary)

    served_copy = copy.join()
    runs = {server_info(served)["run_id"], server_info(served_copy)["run_id"]}
    copy.leave()

    assert len(runs) == 2
    assert not is_gone(served)
