"""`toolferry status`: who works, and what waits; also when every worker is dead."""

from __future__ import annotations

from contextlib import closing

from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolferry_console.options import Json
from toolferry_console.printing import out, print_json
from toolferry_console.serving import unserved_pools
from toolferry_ledger import Ledger, Overview, Settings, load_settings


def status(json: Json = False) -> None:
    """Show the workers, the open calls and how the others ended."""
    settings = load_settings()
    with closing(Ledger(settings)) as ledger:
        ledger.check()
        overview = ledger.overview()
    if json:
        print_json(overview.to_json())
    else:
        _print(out(), settings, overview)


def _print(screen: Console, settings: Settings, overview: Overview) -> None:
    where = f"server {settings.safe_url}, namespace {settings.namespace}"
    screen.print(Text(where), soft_wrap=True)
    screen.print(_workers_table(overview))
    for pool in sorted(unserved_pools(overview), key=str):
        screen.print(Text(f"no worker is alive for {pool.words}"))
    screen.print()
    screen.print(_states_table(overview))
    for tool, seconds in overview.resting.items():
        screen.print(Text(f"\n{tool} fails all the time and rests for {seconds:.1f} s more"))
    ended = ", ".join(f"{n} {outcome.value}" for outcome, n in overview.outcomes.items() if n)
    screen.print(Text(f"\nended so far: {ended or 'none'}"))
    if overview.dead_letters:
        screen.print(Text(f"dead letters: {overview.dead_letters}, see: toolferry dead list"))


def _workers_table(overview: Overview) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("worker", "lane", "queues", "running", "slots", "lease"):
        table.add_column(heading, overflow="fold")
    for worker in overview.workers:
        running, slots = str(worker.running), str(worker.slots)
        lease = f"{worker.lease_seconds:.1f} s" if worker.lease_seconds > 0 else "ended"
        queues = ", ".join(worker.queues)
        table.add_row(Text(worker.owner), worker.lane.value, queues, running, slots, lease)
    return table


def _states_table(overview: Overview) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("state", "calls", "oldest"):
        table.add_column(heading, no_wrap=True)
    for state, view in overview.states.items():
        oldest = "-" if view.oldest_seconds is None else f"{view.oldest_seconds:.1f} s"
        table.add_row(state.value, str(view.count), oldest)
    return table
