"""Case 31: a call waits for a person, and the process that dispatched it is gone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.waiting import wait_until
from tests.whole.cases.scenario import MODULES, journal, load_case, workers
from tests.whole.cases.test_turns import calling
from toolferry import Lane, load_tools
from toolferry_dispatcher import Dispatcher, TurnState
from toolferry_ledger import Approvals, Bell, DecisionRefused, Ledger, Settings, Signer
from toolferry_policies import Approver


def dispatch_and_die(settings: Settings, folder: Path, response: object, turn_id: str) -> None:
    """Dispatch in a process of its own, and kill that while its call waits for a person."""
    file = folder / "response.json"
    file.write_text(json.dumps(response), encoding="utf-8")
    words = ("run", str(file), "--turn-id", turn_id, "--tools", MODULES)
    program = [sys.executable, "-m", "toolferry_console.main", *words]
    environment = os.environ | settings.environment()
    with subprocess.Popen(program, env=environment, stdout=subprocess.DEVNULL) as process:
        with closing(Ledger(settings)) as ledger:
            wait_until(lambda: ledger.inspect_call(f"{turn_id}:0"), "the call")
        process.send_signal(signal.SIGKILL)


def test_a_call_that_waits_for_a_person_outlives_its_dispatcher(
    settings: Settings, tmp_path: Path
) -> None:
    """Listed, approved, run once, its result in the conversation; a second approval is refused."""
    scenario, expect = load_case("31-approval-survives-restart")
    assert scenario["steps"][-2:] == ["approve", "approve again"]
    path = tmp_path / "journal"
    response = calling(("c0", "pay_out", {"journal": str(path)}))
    with workers(settings, Lane.ASYNC, tools=MODULES), closing(Ledger(settings)) as ledger:
        dispatch_and_die(settings, tmp_path, response, "t")
        with (
            Dispatcher(load_tools(MODULES), settings) as dispatcher,
            closing(Bell(settings)) as bell,
        ):
            turn = dispatcher.attach("t")
            approvals = Approvals(ledger, bell, Signer(settings.secret))
            pending, state, ran_before = approvals.pending(), turn.state, journal(path)
            approvals.approve(pending[0].call_key, Approver("ann"))
            [message] = [one for one in turn.messages(timeout=60) if one["role"] == "tool"]
            with pytest.raises(DecisionRefused) as refused:
                approvals.approve(pending[0].call_key, Approver("bob"))

    assert (len(pending), state, ran_before) == (expect["listed"], TurnState.PENDING, [])
    assert len(journal(path)) == expect["executed"]
    assert ("paid out" in message["content"]) == expect["result_in_conversation"]
    assert f"refused: {refused.value.reason}".startswith(expect["second_approval"])
