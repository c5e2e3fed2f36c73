"""What the workers of a system offer now, as its catalog has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

from toolferry import SCHEMA_VERSION, Extensions, Tool
from toolferry_console.printing import err, out, print_json
from toolferry_ledger import Catalog, Ledger, LiveOffer, Offers, Signer, load_settings

#: What stands in place of workers when a tool is only declared.
_DECLARED = "declared"


@dataclass(frozen=True, slots=True)
class _Row:
    """One tool in one version, and who offers it."""

    tool: Tool
    workers: tuple[str, ...]
    #: Whether workers offer the same tool in another version.
    differs: bool

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.tool.name,
            "digest": self.tool.digest,
            "version": self.tool.version,
            "lane": self.tool.lane.value,
            "queue": self.tool.queue,
            "workers": list(self.workers),
            "differs": self.differs,
        }


def show_live_tools(*, json: bool) -> None:
    """Print what the live workers offer, as a table or as one JSON object."""
    with _catalog() as catalog:
        offers = catalog.read()
    rows = list(_rows(offers))
    if json:
        workers = [_worker_to_json(offer) for offer in offers.live]
        tools = [row.to_json() for row in rows]
        print_json({"schema_version": SCHEMA_VERSION, "workers": workers, "tools": tools})
    elif rows:
        out().print(_table(rows))
    else:
        out().print("no worker is alive, and nothing is declared")


def declare_tools(tools: Sequence[Tool], extensions: Extensions) -> None:
    """Have tools offered for thirty days, also while no worker is alive for them."""
    with _catalog() as catalog:
        catalog.declare(tools, extensions)
    err().print(f"declared for 30 days: {len(tools)} tools")


@contextmanager
def _catalog() -> Iterator[Catalog]:
    settings = load_settings()
    with closing(Ledger(settings)) as ledger:
        yield Catalog(ledger, Signer(settings.secret))


def _rows(offers: Offers) -> Iterator[_Row]:
    live = offers.by_digest()
    for name in sorted(live.keys() | offers.declared.keys()):
        for workers in live.get(name, {}).values():
            owners = tuple(worker.owner for worker in workers)
            yield _Row(workers[0].tools[name], owners, len(live[name]) > 1)
        if name not in live:
            yield _Row(offers.declared[name], (), differs=False)


def _table(rows: Sequence[_Row]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("tool", "lane", "queue", "version", "digest", "workers", ""):
        table.add_column(heading, no_wrap=heading == "digest", overflow="fold")
    for row in rows:
        tool = row.tool
        names = ", ".join(row.workers) or _DECLARED
        mark = Text("differs", style="yellow") if row.differs else Text()
        cells = [tool.lane.value, tool.queue, tool.version, tool.digest, names]
        table.add_row(Text(tool.name), *map(Text, cells), mark)
    return table


def _worker_to_json(offer: LiveOffer) -> dict[str, Any]:
    return {
        "owner": offer.owner,
        "lane": offer.lane.value,
        "queues": list(offer.queues),
        "lease_seconds": offer.lease_seconds,
    }
