"""The worker's log: whole lines of JSON on stdout, whoever writes."""

from __future__ import annotations

import json
import subprocess
import sys

from structlog.testing import capture_logs

from toolferry_worker.complaint import Complaint

PROGRAM = """
import logging, os, warnings
import structlog
from toolferry_worker.logs import configure_logging
configure_logging(logging.INFO)
log = structlog.get_logger()
log.debug("unheard")
log.info("call.succeeded", tool="echo")
try:
    raise ValueError("x")
except ValueError:
    log.exception("attempt.failed")
    logging.getLogger("kombu").warning("broker %s", "away", exc_info=True)
logging.getLogger("multiprocessing").error("child gone")
warnings.warn("careful")
"""
CROWD = """
import logging, os
import structlog
from toolferry_worker.logs import configure_logging
configure_logging(logging.INFO)
children = [pid for pid in (os.fork() for _ in range(3)) if pid] if os.getpid() else []
for _ in range(8):
    structlog.get_logger().info("long", text="x" * 20_000)
"""


def lines_of(program: str) -> list[dict[str, object]]:
    """Run a program and read each of its lines."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_each_event_is_one_line_of_json() -> None:
    """Tracebacks and what libraries say included."""
    events = lines_of(PROGRAM)

    assert [event["event"] for event in events] == [
        "call.succeeded",
        "attempt.failed",
        "library.said",
        "library.said",
        "library.said",
    ]
    assert "ValueError: x" in str(events[1]["exception"])
    assert (events[2]["logger"], events[2]["message"]) == ("kombu", "broker away")


def test_lines_of_many_processes_stay_whole() -> None:
    """Also those that are longer than a pipe keeps together."""
    assert {len(str(event["text"])) for event in lines_of(CROWD)} == {20_000}


def test_the_same_complaint_is_made_once_in_a_while() -> None:
    """An outage fills no log."""
    complaint = Complaint("ledger.unavailable")

    with capture_logs() as logs:
        complaint.tell(error="away")
        complaint.tell(error="away")

    assert [log["event"] for log in logs] == ["ledger.unavailable"]
