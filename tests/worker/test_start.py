"""Workers that cannot start as they are told say why, in one line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace

from tests.worker.running import ROOT, TOOLS_MODULE, RunningWorker
from toolferry import Lane
from toolferry_ledger import Settings
from toolferry_worker import command


def run(arguments: Sequence[str], settings: Settings) -> subprocess.CompletedProcess[str]:
    """Run a worker that will not start."""
    return subprocess.run(
        arguments,
        env={**os.environ, **settings.environment()},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    """Give the last line of what was said on stderr."""
    return done.stderr.strip().splitlines()[-1]


def test_a_tools_module_that_fails_to_import_is_named(settings: Settings) -> None:
    """The line tells the module, the error and where it happened."""
    done = run(command(Lane.ASYNC, tools="tests.worker.no_such_tools"), settings)

    assert done.returncode == 2
    assert "tests.worker.no_such_tools" in last_line(done)
    assert "Traceback" not in done.stderr


def test_a_server_that_does_not_answer_is_named_without_its_password(settings: Settings) -> None:
    """The line tells the address, and no secret."""
    away = replace(settings, url="redis://:hush@127.0.0.1:1/0")

    done = run(command(Lane.ASYNC, tools=TOOLS_MODULE), away)

    assert done.returncode == 2
    assert "127.0.0.1:1" in last_line(done)
    assert "hush" not in done.stderr


def test_a_pool_that_runs_no_lane_is_refused(settings: Settings) -> None:
    """Threads can neither be cancelled nor killed, so they run nothing."""
    arguments = [
        word.replace("solo", "threads") for word in command(Lane.ASYNC, tools=TOOLS_MODULE)
    ]

    done = run(arguments, settings)

    assert done.returncode == 2
    assert last_line(done).startswith("toolferry: --pool: thread")


def test_a_worker_tells_when_it_takes_calls(lanes: dict[Lane, RunningWorker]) -> None:
    """One line says which worker is ready, with what, for which server."""
    told = lanes[Lane.ASYNC].wait_for("worker.ready")

    assert (told["lane"], told["slots"]) == ("async", 4)
    assert told["owner"].startswith("async.")


def test_asking_for_the_package_loads_no_celery() -> None:
    """Programs that only start workers need not pay for what a worker needs."""
    code = "import sys, toolferry_worker; print('celery' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"
