"""A long call, run once whatever happens: half an hour, compressed to a minute and a half.

    python -m benchmarks.long_call --seconds 90

Two calls that must not run twice, one in each lane, outlive their dispatcher, their server and all
connections, with leases of 1 s, while the conversation goes on. The journal of the handlers and
what the agents printed decide.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.long_call_agent import TURN
from benchmarks.long_call_tools import JOURNAL
from toolferry import Lane
from toolferry_ledger import Keeping, Ledger, Settings
from toolferry_ledger.server import Membership
from toolferry_worker import command

#: Seconds that a worker's calls stay its own after its last sign of life.
LEASE = 1.0
#: Seconds for which the server is away: several leases.
OUTAGE = 4.0
#: What each of the two long calls has to do, by its key: happen once.
ONCE = {f"{TURN}:0": 1, f"{TURN}:1": 1}
#: Seconds for whatever is started or waited for.
PATIENCE = 60.0


class Agent:
    """One process of the conversation.

    Args:
        seconds: How long the long calls take.
        environment: Its variables.
    """

    def __init__(self, seconds: float, environment: dict[str, str]) -> None:
        self.lines: list[dict[str, Any]] = []
        self._process = subprocess.Popen(  # noqa: S603 -- our own program
            [sys.executable, "-m", "benchmarks.long_call_agent", str(seconds)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def told(self, event: str) -> list[dict[str, Any]]:
        """Give what it has told of one kind."""
        return [line for line in list(self.lines) if line["event"] == event]

    def wait_told(self, event: str) -> dict[str, Any]:
        """Wait until it has told something of a kind, and give the first of it."""
        _wait(lambda: bool(self.told(event)) or self._process.poll() is not None, event)
        if not self.told(event):
            raise SystemExit(f"the agent has ended without a word of {event}: {self.lines[-3:]}")
        return self.told(event)[0]

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self.ended()

    def ended(self) -> int:
        """Wait for its end and give its exit code."""
        code = self._process.wait(PATIENCE)
        self._reader.join()
        if self._process.stdout:
            self._process.stdout.close()
        return code

    def _read(self) -> None:
        for line in self._process.stdout or ():
            if line.startswith("{"):
                self.lines.append(json.loads(line))


def run(folder: Path, seconds: float, binary: Path | None = None) -> dict[str, Any]:
    """Run all of it and give what was seen.

    Args:
        folder: For the server's data and the journal.
        seconds: How long the long calls take: 20 or more, so that everything happens in their time.
        binary: The server's program; found when not given.
    """
    member = Membership(folder / "home", binary)
    settings = _settings(member, folder)
    journal = folder / "journal"
    environment = {**os.environ, **settings.environment(), JOURNAL: str(journal)}
    with ExitStack() as stack:
        stack.callback(member.leave)
        for lane in Lane:
            stack.enter_context(_worker(lane, environment))
        ledger = Ledger(settings)
        stack.callback(ledger.close)
        _wait(lambda: {pool.lane for pool in ledger.served()} == set(Lane), "the workers")
        agents = _live(seconds, environment, member, ledger)
    return _seen(journal, agents)


def faults(seen: dict[str, Any]) -> Iterator[str]:
    """Name everything that must not have happened."""
    if seen["begun"] != ONCE or seen["ended"] != ONCE:
        yield f"the calls did not run exactly once: begun {seen['begun']}, ended {seen['ended']}"
    if seen["outcomes"] != ["succeeded", "succeeded"]:
        yield f"the calls ended as {seen['outcomes']}"
    if not seen["same_answers"]:
        yield "the first answer did not stay the answer"
    if seen["late"] != ONCE:
        yield f"the late results did not come exactly once: {seen['late']}"
    if seen["turns_failed"] or not seen["turns"]:
        yield f"of {seen['turns']} turns of the conversation {seen['turns_failed']} failed"


def _settings(member: Membership, folder: Path) -> Settings:
    served = member.join()
    keeping = Keeping(lease=LEASE)
    plain = Settings(url=served.url, secret=served.secret.encode(), home=folder / "home")
    return replace(plain, namespace="long-call", keeping=keeping)


def _live(
    seconds: float, environment: dict[str, str], member: Membership, ledger: Ledger
) -> list[Agent]:
    """Let two agents lead the conversation, one after the other, and harm everything on the way."""
    began = time.monotonic()

    def wait_for(part: float) -> None:
        """Wait until a part of the calls' time has passed."""
        time.sleep(max(0.0, began + part * seconds - time.monotonic()))

    first = Agent(seconds, environment)
    first.wait_told("answered")
    wait_for(0.2)
    first.kill()
    second = Agent(seconds, environment)
    second.wait_told("answered")
    wait_for(0.4)
    _take_server_away(member, ledger)
    wait_for(0.7)
    ledger.client.client_kill_filter(_type="normal", skipme=True)
    _wait(lambda: bool(second.told("done")), "the end of the conversation", seconds)
    second.ended()
    return [first, second]


def _take_server_away(member: Membership, ledger: Ledger) -> None:
    os.kill(int(ledger.client.info("server")["process_id"]), signal.SIGKILL)
    time.sleep(OUTAGE)
    member.join()


def _seen(journal: Path, agents: list[Agent]) -> dict[str, Any]:
    rows = [line.split() for line in journal.read_text().splitlines()]
    turns = [line["outcome"] for agent in agents for line in agent.told("turn")]
    answers = [line["messages"] for agent in agents for line in agent.told("answered")]
    (done,) = agents[-1].told("done")
    return {
        "begun": _count(row[1] for row in rows if row[0] == "begin"),
        "ended": _count(row[1] for row in rows if row[0] == "end"),
        "outcomes": done["outcomes"],
        "same_answers": all(one == answers[0] for one in (*answers, done["messages"])),
        "late": _count(line["handle"] for agent in agents for line in agent.told("late")),
        "turns": len(turns),
        "turns_failed": len(turns) - turns.count("succeeded"),
        "turns_waited": sum(len(agent.told("waited")) for agent in agents),
    }


def _count(names: Iterator[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


@contextmanager
def _worker(lane: Lane, environment: dict[str, str]) -> Iterator[None]:
    argv = command(lane, tools="benchmarks.long_call_tools", concurrency=2)
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


def _wait(reached: Callable[[], bool], what: str, more: float = 0.0) -> None:
    give_up_at = time.monotonic() + PATIENCE + more
    while not reached():
        if time.monotonic() > give_up_at:
            raise SystemExit(f"{what} did not come; set BENCHMARK_VERBOSE=1 to see why")
        time.sleep(0.05)


def main() -> int:
    """Run it, print what was seen, and tell by the exit code whether it was right."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=90.0)
    seconds: float = parser.parse_args().seconds
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        seen = run(Path(folder), seconds)
    found = list(faults(seen))
    print(json.dumps({"seconds": seconds, **seen, "faults": found}))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
