"""The call tools: a model asks for a call that still runs, on real workers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.dispatcher.samples import response
from tests.worker.caller import TOOLS
from tests.worker.running import Start
from toolferry import Context, Lane, Outcome, Registry
from toolferry_dispatcher import Dispatcher, call_tools
from toolferry_ledger import Settings

ANN = Context(tenant="acme", principal="ann")


@pytest.fixture
def dispatcher(settings: Settings, start: Start) -> Iterator[Dispatcher]:
    """Give a dispatcher without tools of its own, which offers the call tools, and a worker."""
    start(Lane.ASYNC).ready()
    with Dispatcher.from_ledger(settings) as dispatcher:
        dispatcher.registry.register_all(call_tools())
        yield dispatcher


def ask(dispatcher: Dispatcher, name: str, context: Context = ANN, **arguments: Any) -> Any:
    """Have a call tool called in the chat, by its name on the wire."""
    wire = next(
        one["function"]["name"]
        for one in dispatcher.schemas()
        if one["function"]["name"].startswith(name.replace(".", "_"))
    )
    turn = dispatcher.dispatch(response((wire, arguments)), context=context, conversation_id="chat")
    (result,) = turn.gather(30)
    return result.content if result.error is None else result.error.code


def test_a_model_asks_for_a_call_and_waits_for_its_end(dispatcher: Dispatcher, folder: str) -> None:
    """Elsewhere its handle is no handle."""
    turn = dispatcher.dispatch(
        response(("held_loop", {"folder": folder})),
        context=ANN,
        conversation_id="chat",
        answer_within=0,
    )
    turn.messages()
    handle = f"{turn.turn_id}:0"

    before = ask(dispatcher, "call.wait", handle=handle, seconds=0.3)
    elsewhere = ask(dispatcher, "call.status", Context(tenant="acme"), handle=handle)
    Path(folder, "go").touch()
    after = ask(dispatcher, "call.wait", handle=handle, seconds=30)

    assert before["state"] in {"queued", "running"}
    assert elsewhere == "no_such_call"
    assert (after["state"], after["result"]["content"]) == ("succeeded", "attempt 1")
    assert ask(dispatcher, "call.status", handle=handle) == after


def test_a_model_cancels_a_call_that_nobody_runs_yet(settings: Settings, start: Start) -> None:
    """It never starts."""
    start(Lane.ASYNC)
    with Dispatcher(Registry((*TOOLS, *call_tools())), settings) as dispatcher:
        turn = dispatcher.dispatch(
            response(("add", {"left": 1})), context=ANN, conversation_id="chat", answer_within=0
        )
        turn.messages()

        told = ask(dispatcher, "call.cancel", handle=f"{turn.turn_id}:0")

        assert (told["cancellation"], told["state"]) == ("cancelled", "cancelled")
        (late,) = dispatcher.late_results("chat", tenant="acme")
        assert late.result.outcome is Outcome.CANCELLED


def test_the_call_tools_are_offered_only_where_the_application_says_so(
    dispatcher: Dispatcher, settings: Settings
) -> None:
    """They are there all the same, for whoever does."""
    with Dispatcher.from_ledger(settings) as plain:
        assert not any(name.partition(".")[0] == "call" for name in plain.registry.names())
        assert plain.check() == []
    dispatcher.check()
    assert {one.name for one in call_tools()} <= set(dispatcher.registry.names())
