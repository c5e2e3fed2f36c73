"""The soak: mixed calls for a long time and no faults; memory stays flat, and no key stays behind.

    python -m chaos.soak --minutes 20 --json

Records are kept for a few seconds only, so that what the server holds does not grow with the calls
of a day. When the load is over, every key has to be gone that was not there before it, but for what
does not grow with the calls: counters and names that are kept for ever, the marks of each queue,
which live while workers do, and inboxes, one for each dispatcher, which end 10 minutes later.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from chaos.crew import Crew
from chaos.dispatching import PATIENCE
from chaos.history import read_history
from chaos.journal import RunFolder
from chaos.memory import Sample, Sampler, growth
from chaos.processes import children_of, resident
from chaos.report import Report, make_report
from chaos.run import Order, StartFailed, system, tools_by_name
from chaos.server import ChaosServer
from chaos.terminating import end_in_order
from toolferry import Lane
from toolferry_ledger.keeping import Keeping
from toolferry_ledger.keys import KEPT

#: Seconds that records are kept after their end.
KEEP: Final = 20.0
#: Seconds beyond that for keys to go: what breakers and lost workers leave ends in a minute.
KEY_PATIENCE: Final = 90.0
#: How much memory may grow after the warm-up, as a part of it.
ALLOWED_GROWTH: Final = 0.05
#: What a system holds beside its calls; each of it ends by itself.
BESIDE_CALLS: Final = ("inbox", "marks")
#: Shown and not judged: the pages that the server's allocator keeps.
SHOWN_ONLY: Final = "server_resident"
#: Keys that are named when some stay behind.
NAMED: Final = 10


@dataclass(frozen=True, slots=True)
class Soaked:
    """What came of a soak."""

    report: Report
    samples: list[Sample]
    #: Keys before the load, and what was left of those that came with it.
    keys_before: int
    left_behind: list[str]

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        told = self.report.to_json()
        figures = ("turns", "calls", "gathered", "outcomes", "seconds", "violations")
        return {
            **{name: told[name] for name in figures},
            "memory": self.memory,
            "keys_before": self.keys_before,
            "keys_left_behind": len(self.left_behind),
            "left_behind": self.left_behind[:NAMED],
        }

    @property
    def memory(self) -> Mapping[str, Mapping[str, float]]:
        """How the memory of each role went."""
        roles = self.samples[0] if self.samples else {}
        return {role: growth([sample[role] for sample in self.samples]) for role in roles}

    def is_flat(self, allowed: float) -> bool:
        """Whether no role that is judged grew by more than that part."""
        judged = [one for role, one in self.memory.items() if role != SHOWN_ONLY]
        return all(one["growth"] <= allowed for one in judged)


def soak(order: Order, folder: RunFolder) -> Soaked:
    """Run a load without faults.

    Raises:
        StartFailed: No worker or dispatcher came up.
    """
    began = time.monotonic()
    with system(order, folder) as (server, crew):
        before = keys_of(server)
        sampler = Sampler(lambda: sample(server, crew))
        time.sleep(order.seconds)
        sampler.stop()
        crew.wait_dispatchers(time.monotonic() + order.deadline + 2 * PATIENCE)
        left = wait_gone(server, before)
    history = read_history(folder)
    report = make_report(history, tools_by_name(), order.seed, time.monotonic() - began)
    return Soaked(report, sampler.samples, len(before), left)


def sample(server: ChaosServer, crew: Crew) -> Sample:
    """Give the bytes that each role holds, all of its processes together; the server's in use."""
    pids = {
        "server_resident": [server.pid],
        "dispatchers": crew.dispatcher_pids(),
        "async_workers": crew.worker_pids(Lane.ASYNC),
        "process_workers": crew.worker_pids(Lane.PROCESS),
    }
    pids["children"] = [child for pid in pids["process_workers"] for child in children_of(pid)]
    held = {role: sum(map(resident, each)) for role, each in pids.items()}
    return {"server": int(server.client.info("memory")["used_memory"]), **held}


def keys_of(server: ChaosServer) -> set[str]:
    """Give all keys that do not stay for ever by intent."""
    keys = server.client.scan_iter(match=f"{server.settings.key_prefix}*", count=1000)
    return {key for key in keys if not KEPT.match(key)}


def wait_gone(server: ChaosServer, before: set[str]) -> list[str]:
    """Wait until the keys that a load brought have gone, and name those that have not."""
    give_up_at = time.monotonic() + server.settings.keeping.succeeded + KEY_PATIENCE
    while True:
        left = [key for key in keys_of(server) - before if not _is_beside_calls(server, key)]
        if not left or time.monotonic() > give_up_at:
            return sorted(left)
        time.sleep(1)


def _is_beside_calls(server: ChaosServer, key: str) -> bool:
    kind, _, _ = key.removeprefix(server.settings.key_prefix).partition(":")
    return kind in BESIDE_CALLS and server.client.ttl(key) > 0


def main(arguments: list[str] | None = None) -> int:
    """Run, print, and give the exit code: 0 when all was flat, gone and right, else 1."""
    end_in_order()
    parser = argparse.ArgumentParser(prog="chaos.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=12.0, help="turns a second of a dispatcher")
    parser.add_argument("--keep", type=float, default=KEEP, help="seconds that records are kept")
    parser.add_argument("--allowed-growth", type=float, default=ALLOWED_GROWTH)
    parser.add_argument("--json", action="store_true", help="the only form there is")
    options = parser.parse_args(arguments)
    order = Order(
        seed=options.seed,
        seconds=options.minutes * 60,
        rate=options.rate,
        poison=0.0,
        keeping=Keeping(succeeded=options.keep, failed=options.keep, dead=options.keep),
    )
    with tempfile.TemporaryDirectory(prefix="soak-", ignore_cleanup_errors=True) as path:
        try:
            soaked = soak(order, RunFolder(Path(path)))
        except StartFailed as error:
            sys.stderr.write(f"soak: {error}\n")
            return 2
    is_flat = soaked.is_flat(options.allowed_growth)
    sys.stdout.write(json.dumps({**soaked.to_json(), "flat": is_flat}) + "\n")
    return 0 if is_flat and not soaked.left_behind and soaked.report.is_clean else 1


if __name__ == "__main__":
    raise SystemExit(main())
