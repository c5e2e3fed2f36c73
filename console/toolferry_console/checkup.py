"""The check-up: one remark on everything that an installation needs, and what it promises then."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final

from toolferry import SCHEMA_VERSION, ConfigurationError, LedgerUnavailable
from toolferry_console.policy_remarks import policy_remarks
from toolferry_console.serving import unserved_pools
from toolferry_ledger import Ledger, Overview, Pool, Settings, broker_fault, load_settings
from toolferry_ledger.audit.remarks import remarks_on_audit
from toolferry_ledger.connection import server_errors
from toolferry_ledger.server import (
    Grade,
    Remark,
    look_at_server,
    promise_of,
    remarks_on,
)
from toolferry_ledger.settings import GOOD_SECRET
from toolferry_ledger.signing import keys_of

#: Seconds by which clocks may differ: beyond, times in logs of two machines do not fit together.
CLOCKS_APART: Final = 1.0
#: Seconds of one round trip from which on a call is noticeably slower.
FAR_AWAY: Final = 0.01


@dataclass(frozen=True, slots=True)
class Checkup:
    """What was found out about an installation."""

    remarks: tuple[Remark, ...]
    #: Which of the promises hold; None when the server could not be asked.
    promise: str | None = None

    @property
    def is_well(self) -> bool:
        """Whether nothing keeps it from working."""
        return all(remark.grade is not Grade.FAIL for remark in self.remarks)

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "schema_version": SCHEMA_VERSION,
            "ok": self.is_well,
            "checks": [
                {
                    "check": remark.about,
                    "grade": remark.grade.value,
                    "message": remark.message,
                    "advice": remark.advice,
                }
                for remark in self.remarks
            ],
            "promise": self.promise,
        }


def check_up(environ: Mapping[str, str] = os.environ) -> Checkup:
    """Look at the settings, the server, the broker and the workers; raises for none of them.

    Without `TOOLFERRY_URL` the embedded server is started for it, and stopped again.
    """
    try:
        settings = load_settings(environ)
    except ConfigurationError as error:
        advice = "see the table of settings in the README"
        return Checkup((Remark("settings", Grade.FAIL, str(error), advice),))
    except LedgerUnavailable as error:
        return Checkup((_no_server(error),))
    first = (_settings(settings, environ), _secret(settings), *policy_remarks(environ))
    with closing(Ledger(settings)) as ledger:
        try:
            rest, promise = _look(ledger)
        except LedgerUnavailable as error:
            rest, promise = (_no_server(error),), None
    return Checkup((*first, *rest, _broker(settings)), promise)


def _look(ledger: Ledger) -> tuple[tuple[Remark, ...], str | None]:
    """Look at a server and, when it can be used, at what is kept there."""
    with server_errors(ledger.settings):
        facts = look_at_server(ledger.client, ledger.settings)
    found = tuple(remarks_on(facts))
    if any(remark.grade is Grade.FAIL for remark in found):
        return found, None
    audit = remarks_on_audit(ledger)
    return (*_path(ledger), *found, *audit, *_workers(ledger.overview())), promise_of(facts)


def _no_server(error: LedgerUnavailable) -> Remark:
    advice = "start it, or correct TOOLFERRY_URL; nothing works without it"
    return Remark("server", Grade.FAIL, str(error), advice)


def _settings(settings: Settings, environ: Mapping[str, str]) -> Remark:
    kind = "server" if environ.get("TOOLFERRY_URL") else "embedded server"
    said = f"namespace {settings.namespace}, {kind} {settings.safe_url}"
    return Remark("settings", Grade.OK, said)


def _secret(settings: Settings) -> Remark:
    length = min(map(len, keys_of(settings.secret)))
    if length < GOOD_SECRET:
        advice = f"make one of {GOOD_SECRET} bytes or more: openssl rand -hex 32"
        return Remark("secret", Grade.WARN, f"it has only {length} bytes", advice)
    return Remark("secret", Grade.OK, f"it has {length} bytes")


def _path(ledger: Ledger) -> Iterator[Remark]:
    """Look at the way to the server: how long it is, and how its clock differs from ours."""
    ledger.now()
    began = time.time()
    theirs = ledger.now()
    ended = time.time()
    trip, apart = ended - began, theirs - (began + ended) / 2
    said = f"it answers within {trip * 1000:.1f} ms"
    if trip >= FAR_AWAY:
        advice = "run workers and agents nearer to it: a call takes three round trips"
        yield Remark("server", Grade.WARN, said, advice)
    else:
        yield Remark("server", Grade.OK, said)
    if abs(apart) - trip > CLOCKS_APART:
        said = f"its clock is {abs(apart):.1f} s {'ahead of' if apart > 0 else 'behind'} ours"
        advice = "synchronise the clocks: deadlines hold, but times in logs do not fit together"
        yield Remark("clock", Grade.WARN, said, advice)
    else:
        yield Remark("clock", Grade.OK, "its clock and ours agree")


def _broker(settings: Settings) -> Remark:
    if settings.broker_is_own:
        return Remark("broker", Grade.OK, "it is the same server")
    fault = broker_fault(settings)
    if fault:
        advice = "start it, or correct TOOLFERRY_BROKER_URL"
        return Remark("broker", Grade.FAIL, fault, advice)
    return Remark("broker", Grade.OK, "it answers")


def _workers(overview: Overview) -> Iterator[Remark]:
    yield from map(_served, _alive(overview))
    for pool in sorted(unserved_pools(overview), key=str):
        advice = f"start one: toolferry worker --lane {pool.lane.value} --queues {pool.queue}"
        yield Remark("workers", Grade.WARN, f"none is alive for {pool.words}", advice)


def _alive(overview: Overview) -> list[tuple[Pool, int, int]]:
    """Give each pool that is served, with the number of its workers and of their slots."""
    slots: dict[Pool, list[int]] = {}
    for worker in overview.workers:
        if worker.lease_seconds > 0:
            for queue in worker.queues:
                slots.setdefault(Pool(worker.lane, queue), []).append(worker.slots)
    return [(pool, len(of), sum(of)) for pool, of in sorted(slots.items(), key=str)]


def _served(alive: tuple[Pool, int, int]) -> Remark:
    pool, workers, slots = alive
    number = "1 is" if workers == 1 else f"{workers} are"
    return Remark("workers", Grade.OK, f"{number} alive for {pool.words}, with {slots} slots")
