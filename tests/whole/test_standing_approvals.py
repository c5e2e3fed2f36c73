"""Standing approvals in a whole system: what was allowed outlives every process, and is counted."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from tests.dispatcher.samples import response
from tests.whole import approval_tools
from tests.whole.approval_tools import JOURNAL
from tests.whole.cases.scenario import journal
from tests.whole.trouble import OwnServer
from tests.worker.running import RunningWorker
from toolferry import Lane, Outcome, Registry
from toolferry_dispatcher import Dispatcher
from toolferry_policies import Approver

TOOLS = Registry.from_module(approval_tools)
LEAD = Approver("eve", verified=True)
PATIENCE = 60.0
TWO = response(("ask", {}), ("ask", {}))


def test_what_was_allowed_is_still_counted_when_everything_was_restarted(
    own_server: OwnServer, tmp_path: Path
) -> None:
    """The server is killed between two turns; the fourth call of three waits for a person."""
    path = tmp_path / "journal"
    environment = {JOURNAL: str(path), "TOOLFERRY_DRAIN_SECONDS": "1"}
    worker = RunningWorker(
        own_server.settings, Lane.ASYNC, 8, environment, "tests.whole.approval_tools"
    )
    with ExitStack() as stack:
        stack.callback(worker.finish_off)
        with Dispatcher(TOOLS, own_server.settings) as dispatcher:
            dispatcher.approvals.standing.allow(
                "ask", LEAD, principal="anonymous", pinned={}, uses=3, lasts=600.0
            )
            worker.ready()
            first = dispatcher.dispatch(TWO, turn_id="first").gather(PATIENCE)
        own_server.kill()
        own_server.start()
        dispatcher = stack.enter_context(Dispatcher(TOOLS, own_server.settings))
        [left] = dispatcher.approvals.standing.current()
        turn = dispatcher.dispatch(TWO, turn_id="second")
        [asked] = turn.wait_approvals(PATIENCE)
        dispatcher.approvals.approve(asked.call_key, Approver("ann"))
        second = turn.gather(PATIENCE)

    assert (left.left, asked.call_key) == (1, "second:1")
    assert {one.outcome for one in (*first, *second)} == {Outcome.SUCCEEDED}
    ran = Counter(words[0] for words in journal(path))
    assert ran == dict.fromkeys(("first:0", "first:1", "second:0", "second:1"), 1)
