"""What happens to what a handler returned, in its order."""

from __future__ import annotations

import json
import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from tests.ledger.audited import Audited
from tests.ledger.samples import Bench, make_spec
from toolferry import Lane, Registry, Tool, Trim, tool
from toolferry_ledger import Ledger, Settings, Settlement, Signer, read_artifact
from toolferry_ledger.audit.setting import AuditSetting
from toolferry_worker.attempt import Attempt, begin, finish
from toolferry_worker.calling import call_sync
from toolferry_worker.progress import Reporter
from toolferry_worker.station import Station

KEY = "key-4711"


def tool_that_counts(measured: list[str]) -> Tool:
    """Make a tool with something at each step; it takes note of what is measured."""

    def count(text: str) -> int:
        measured.append(text)
        return len(text) // 4

    @tool(
        adapter=lambda number: {"text": f"{'x' * number} {KEY} {'y' * number}"},
        result_schema={"type": "object", "properties": {"text": {"pattern": KEY}}},
        redact=(re.compile("key-[0-9]+"),),
        trim=Trim(max_tokens=20, count=count),
    )
    def read_number() -> int:
        """Give a number."""
        return 60

    return read_number


def run(bench: Bench, one: Tool) -> Settlement:
    """Run one call of a tool, as a worker does, and write its end."""
    spec = make_spec(name=one.name, arguments={}, tool_digest=one.digest, lane=one.lane)
    reply = bench.ledger.submit("t", b"{}", "digest", "inbox", [bench.submission(spec)])
    assert reply is not None
    [claim] = bench.claim(reply.rings)
    station = Station(
        settings=bench.ledger.settings,
        lane=Lane.PROCESS,
        owner=bench.worker,
        slots=1,
        registry=Registry([one]),
        signer=bench.signer,
    )
    attempt = begin(claim, station, Reporter(bench.ledger))
    assert isinstance(attempt, Attempt)
    settlement = finish(attempt, call_sync(attempt)).settlement
    assert bench.ledger.settle([settlement], bench.worker).accepted == [True]
    return settlement


def test_the_order_is_adapter_schema_redaction_size_audit(
    settings: Settings, tmp_path: Path
) -> None:
    """Each step is shown to get what the one before it gave."""
    measured: list[str] = []
    setting = AuditSetting(folder=tmp_path)
    elsewhere = replace(settings, broker_url=settings.url, audit=setting)
    with closing(Ledger(elsewhere)) as ledger:
        bench = Bench(ledger, Signer(settings.secret))

        settlement = run(bench, tool_that_counts(measured))

        text = settlement.result or b""
        result, whole = json.loads(text), read_artifact(ledger, "t:0")
        lines = Audited(bench, setting, tmp_path).lines()

    # The schema wants an object with the key: it got what the adapter gave, before redaction.
    assert result["outcome"] == "succeeded"
    # What was measured, and what was cut, had lost the key.
    assert f'{{"text":"{"x" * 60} [redacted] {"y" * 60}"}}' in measured
    assert not any(KEY in one for one in [*measured, whole or KEY])
    assert (whole or "").startswith(result["content"])
    # What is audited is what was cut.
    [settled] = [line for line in lines if line["kind"] == "settled"]
    assert settled["result_bytes"] == len(text)
