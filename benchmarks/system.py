"""A system to measure: one embedded server, a raw Celery worker and Toolferry's two workers."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from benchmarks import raw_celery
from toolferry import Lane
from toolferry_ledger import Ledger, Settings, load_settings
from toolferry_worker import command

#: The modules that Toolferry's workers load.
TOOLS = "benchmarks.echo_tools"
#: Seconds for all workers to be there.
START_PATIENCE = 30.0
#: Children of each prefork worker: as many as the machine of the published figures has cores.
CHILDREN = 2


@contextmanager
def running_system() -> Iterator[Settings]:
    """Start server and workers; give the settings; stop what was started."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home, ExitStack() as stack:
        os.environ["TOOLFERRY_HOME"] = home
        settings = replace(load_settings(), tools=TOOLS)
        raw_celery.use(_other_database(settings))
        environment = {
            **os.environ,
            **settings.environment(),
            "RAW_CELERY_URL": _other_database(settings),
        }
        for argv in (
            _raw_celery_command(),
            command(Lane.ASYNC, tools=TOOLS),
            command(Lane.PROCESS, tools=TOOLS, concurrency=CHILDREN),
        ):
            stack.enter_context(_running(argv, environment))
        _wait_for_workers(settings)
        yield settings


def _raw_celery_command() -> list[str]:
    return [
        *(sys.executable, "-m", "celery", "--quiet", "-A", "benchmarks.raw_celery", "worker"),
        *("--pool", "prefork", "--concurrency", str(CHILDREN), "--loglevel", "ERROR"),
    ]


def _other_database(settings: Settings) -> str:
    """Give the URL of a database beside ours on the same server."""
    return settings.kombu_url.replace("virtual_host=0", "virtual_host=1")


@contextmanager
def _running(argv: list[str], environment: dict[str, str]) -> Iterator[None]:
    log = sys.stderr if os.environ.get("BENCHMARK_VERBOSE") else subprocess.DEVNULL
    with subprocess.Popen(argv, env=environment, stdout=log, stderr=log) as process:  # noqa: S603 -- our own workers
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait_for_workers(settings: Settings) -> None:
    raw_celery.gather_delay(1)
    ledger = Ledger(settings)
    give_up_at = time.monotonic() + START_PATIENCE
    while {pool.lane for pool in ledger.served()} != set(Lane):
        if time.monotonic() > give_up_at:
            raise SystemExit("the workers did not start; set BENCHMARK_VERBOSE=1 to see why")
        time.sleep(0.05)
    ledger.close()
