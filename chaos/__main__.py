"""A chaos run from the command line.

    python -m chaos --seconds 60 --seed 7 --json

Starts a server, workers of both lanes and dispatchers, harms all of them at random by the seed, and
proves from the handlers' own journal and from what was gathered that nothing was lost, done twice,
out of order or stuck. docs/chaos.md tells how to read what it prints.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

from chaos.journal import RunFolder
from chaos.report import Report, make_report
from chaos.run import Order, StartFailed, run, tools_by_name
from chaos.sabotage import Sabotage
from chaos.terminating import end_in_order


def read_order(arguments: list[str] | None) -> tuple[Order, argparse.Namespace]:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="chaos", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="of load and faults")
    parser.add_argument("--seed", type=int, default=7, help="what happens when, and to whom")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--dispatchers", type=int, default=3, help="at a time")
    parser.add_argument("--rate", type=float, default=12.0, help="turns a second of each")
    parser.add_argument("--deadline", type=float, default=120.0, help="seconds of each call")
    parser.add_argument(
        "--break",
        dest="sabotage",
        type=Sabotage,
        choices=list(Sabotage),
        help="plant this fault in the system; the run must then fail",
    )
    parser.add_argument("--keep", type=Path, help="a folder that gets the journals and logs")
    options = parser.parse_args(arguments)
    order = Order(
        seed=options.seed,
        seconds=options.seconds,
        dispatchers=options.dispatchers,
        rate=options.rate,
        deadline=options.deadline,
        sabotage=options.sabotage,
    )
    return order, options


def main(arguments: list[str] | None = None) -> int:
    """Run, print, and give the exit code: 0 when nothing was violated, else 1."""
    end_in_order()
    order, options = read_order(arguments)
    path = options.keep or Path(tempfile.mkdtemp(prefix="chaos-"))
    path.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    try:
        history = run(order, RunFolder(path.absolute()))
    except StartFailed as error:
        sys.stderr.write(f"chaos: {error}\n")
        return 2
    report = make_report(history, tools_by_name(), order.seed, time.monotonic() - began)
    sys.stdout.write(json.dumps(report.to_json()) + "\n" if options.json else in_words(report))
    if report.is_clean and options.keep is None:
        shutil.rmtree(path, ignore_errors=True)
    elif not report.is_clean:
        sys.stderr.write(f"chaos: {len(report.violations)} violations; journals and logs: {path}\n")
    return 0 if report.is_clean else 1


def in_words(report: Report) -> str:
    """Write a report for people: a line for each figure, then the violations."""
    told = report.to_json()
    violations = told.pop("violations")
    lines = [f"{name}: {value}" for name, value in told.items()]
    for one in violations:
        lines.append(f"{one['kind']} {one['call_key']}: {one['sentence']}")
        lines += [f"    {line}" for line in one["history"]]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    raise SystemExit(main())
