"""Offers: which tools the workers of a system can run at one moment. Plain frozen values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from toolferry import DEFAULT_QUEUE, SCHEMA_VERSION, Lane, Tool
from toolferry_ledger.call_tools import CALL_TOOL_NAMES
from toolferry_ledger.definitions import Definitions
from toolferry_ledger.json_text import read_json, write_json
from toolferry_ledger.result_tools import RESULT_TOOL_NAMES
from toolferry_ledger.route import Pool

#: What all workers of the async lane have, whatever their applications declare.
_BUILT_IN: Final = CALL_TOOL_NAMES | RESULT_TOOL_NAMES


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What one worker offers, as it tells the catalog."""

    owner: str
    lane: Lane
    definitions: Definitions
    queues: tuple[str, ...] = (DEFAULT_QUEUE,)
    #: When it started, seconds since the epoch on its own machine: the newest breaks a tie.
    since: float = 0.0

    def to_bytes(self) -> bytes:
        """Give the JSON text that the catalog keeps, with the definitions by their id."""
        return write_json(
            {
                "schema_version": SCHEMA_VERSION,
                "lane": self.lane.value,
                "queues": self.queues,
                "since": self.since,
                "definitions": self.definitions.id,
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveOffer:
    """What a live worker offers, as the catalog has it."""

    owner: str
    lane: Lane
    queues: tuple[str, ...]
    since: float
    #: Seconds until its lease ends, above 0.
    lease_seconds: float
    #: The id of its definitions.
    definitions: str
    #: Its tools by name, without handlers.
    tools: Mapping[str, Tool] = field(default_factory=dict)

    @classmethod
    def from_bytes(cls, owner: str, lease_seconds: float, text: bytes) -> LiveOffer:
        """Read the JSON text of this release or of a newer one with more keys.

        Raises:
            ValueError, KeyError, TypeError: The text is no offer, or one of a lane not known here.
        """
        data: dict[str, Any] = read_json(text)
        return cls(
            owner=owner,
            lane=Lane(data["lane"]),
            queues=tuple(map(str, data["queues"])),
            since=float(data["since"]),
            lease_seconds=lease_seconds,
            definitions=str(data["definitions"]),
        )


@dataclass(frozen=True, slots=True)
class Offers:
    """All that can be run at one moment."""

    #: Of the live workers, by owner.
    live: Sequence[LiveOffer] = ()
    #: What an operator declared, also while no worker is alive.
    declared: Mapping[str, Tool] = field(default_factory=dict)

    def but_of(self, owner: str) -> Offers:
        """Give the offers of everybody else."""
        return Offers([offer for offer in self.live if offer.owner != owner], self.declared)

    def by_digest(self) -> dict[str, dict[str, list[LiveOffer]]]:
        """Give for each tool its digests, each with the live workers that offer it."""
        found: dict[str, dict[str, list[LiveOffer]]] = defaultdict(lambda: defaultdict(list))
        for offers in self._alike():
            for name, tool in offers[0].tools.items():
                found[name][tool.digest] += offers
        return found

    def runnable(self) -> frozenset[tuple[Pool, str]]:
        """Give the pool and the digest of all that live or declared workers can run."""
        live = {
            (Pool(one.lane, queue), tool.digest)
            for one in self.live
            for queue in one.queues
            for tool in one.tools.values()
        }
        return frozenset(live | {(Pool.of(tool), tool.digest) for tool in self.declared.values()})

    def tools(self) -> dict[str, Tool]:
        """Choose one tool for each name, sorted by name: what a model can be offered.

        Where live workers disagree it is the one that most of them offer, and of equals the one
        of the worker that started last. What is only declared counts where nobody is alive. The
        call and result tools, which all workers of the async lane have, are left to applications.
        """
        camps: dict[str, dict[str, _Camp]] = defaultdict(dict)
        for offers in self._alike():
            newest = max(offer.since for offer in offers)
            for name, tool in offers[0].tools.items():
                camp = _Camp(len(offers), newest, tool)
                camps[name][tool.digest] = camp.joined_by(camps[name].get(tool.digest))
        live = {
            name: max(found.values(), key=_Camp.weight).tool
            for name, found in camps.items()
            if name not in _BUILT_IN
        }
        return dict(sorted({**self.declared, **live}.items()))

    def _alike(self) -> Iterable[list[LiveOffer]]:
        """Group the workers that offer the very same: a thousand workers are a few groups."""
        groups: dict[str, list[LiveOffer]] = defaultdict(list)
        for offer in self.live:
            groups[offer.definitions].append(offer)
        return groups.values()


@dataclass(frozen=True, slots=True)
class _Camp:
    """The workers that agree on a tool's digest."""

    size: int
    #: When the last of them started.
    newest: float
    #: The tool as that one has it.
    tool: Tool

    def joined_by(self, other: _Camp | None) -> _Camp:
        if other is None:
            return self
        newer = max(self, other, key=lambda camp: camp.newest)
        return _Camp(self.size + other.size, newer.newest, newer.tool)

    def weight(self) -> tuple[int, float]:
        return self.size, self.newest
