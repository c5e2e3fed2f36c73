"""An agent that has every deed done: `python -m tests.whole.canary.agent MODULES`.

Its standard output is its log, and at its end one line of JSON: what its models read.
"""

from __future__ import annotations

import json
import sys
from contextlib import closing
from typing import Any

import structlog

from tests.dispatcher.samples import response
from tests.waiting import wait_until
from tests.whole.canary.birds import ARGUMENT, CONTEXT, NESTED, PIN, REVEALED
from toolferry import CallState, Context, load_tools
from toolferry_dispatcher import Dispatcher, TurnHandle
from toolferry_ledger import Bell, DeadLetters, Ledger, Settings, Signer

WHO = Context(principal="ann", tenant="acme", secrets={"key": CONTEXT, "revealed": REVEALED})
GIVEN: dict[str, Any] = {
    "password": ARGUMENT,
    "pin": PIN,
    "login": {"user": "ann", "password": NESTED},
}
DEEDS = ("answer", "shout", "complain", "again", "give_up", "chatter", "hang", "overflow")
#: Calls that are refused: by rules, by the schema, for a misspelt name, of no known tool.
REFUSED = (
    ("act", {"deed": "denied", **GIVEN}),
    ("act", {"deed": "broken", **GIVEN}),
    ("act", {"deed": "answer", **GIVEN, "password": [ARGUMENT]}),
    ("act", {"deed": "answer", "pasword": ARGUMENT, "pin": str(PIN), "login": NESTED}),
    ("act", {"deed": "answer", **GIVEN, "login": {"usr": NESTED, "password": [PIN]}}),
    ("atc", {"deed": "answer", **GIVEN}),
    ("act", json.dumps({"deed": "answer", **GIVEN})[:-1]),
)


def calls_of(name: str, *deeds: str) -> list[tuple[str, Any]]:
    """Write one call for each deed."""
    return [(name, {"deed": deed, **GIVEN}) for deed in deeds]


def main(modules: str) -> None:
    """Have all done, and print what the models read."""
    structlog.configure(processors=[structlog.processors.JSONRenderer()])
    settings = Settings.from_env()
    with Dispatcher(load_tools(modules), settings) as dispatcher:
        read = [
            *_done(dispatcher, "loop", calls_of("act_in_loop", *DEEDS, "changed")),
            *_done(dispatcher, "child", calls_of("act", *DEEDS, "changed", "die")),
            *_done(dispatcher, "refused", list(REFUSED)),
            *_done(dispatcher, "pays", [*calls_of("pay", "answer", "shout"), ("reveal", {})]),
            *_cancelled(dispatcher),
            *_replayed(dispatcher, settings, "child:1"),
        ]
        dispatcher.dispatch(response(*calls_of("gated", "answer")), context=WHO, turn_id="gated")
    sys.stdout.write(json.dumps({"read": read}) + "\n")


def _done(
    dispatcher: Dispatcher, turn_id: str, calls: list[tuple[str, Any]]
) -> list[dict[str, Any]]:
    """Have calls done; gives the messages but the model's own, which must come back as it was."""
    wanted = response(*calls)
    turn = dispatcher.dispatch(wanted, context=WHO, turn_id=turn_id)
    return _read(turn, wanted, dispatcher)


def _read(turn: TurnHandle, wanted: dict[str, Any], dispatcher: Dispatcher) -> list[dict[str, Any]]:
    own, *answers = turn.messages(timeout=60)
    again, *_ = dispatcher.attach(turn.turn_id).messages(timeout=60)
    assert own == again, "the message of the model did not come back"
    assert turn.turn_id == "refused" or own == wanted["choices"][0]["message"]
    assert dispatcher.dispatch(wanted, context=WHO, turn_id=turn.turn_id).turn_id == turn.turn_id
    views = [repr(result) for result in turn.gather(timeout=60)]
    return [*answers, {"views": views}]


def _cancelled(dispatcher: Dispatcher) -> list[dict[str, Any]]:
    """Cancel calls that run."""
    wanted = response(*calls_of("act", "hang"), *calls_of("act_in_loop", "hang"))
    turn = dispatcher.dispatch(wanted, context=WHO, turn_id="cancelled")
    ledger = dispatcher._core.ledger  # noqa: SLF001 -- the one that is open
    wait_until(lambda: _run(ledger, "cancelled:0") and _run(ledger, "cancelled:1"), "two attempts")
    turn.cancel("It is enough.")
    return _read(turn, wanted, dispatcher)


def _run(ledger: Ledger, call_key: str) -> bool:
    call = ledger.inspect_call(call_key)
    return call is not None and call.state is CallState.RUNNING


def _replayed(dispatcher: Dispatcher, settings: Settings, call_key: str) -> list[dict[str, Any]]:
    """Repeat a dead letter; its replay has the secrets too."""
    ledger = dispatcher._core.ledger  # noqa: SLF001 -- the one that is open
    with closing(Bell(settings)) as bell:
        letters = DeadLetters(ledger, Signer(settings.secret), bell)
        replayed = letters.retry([call_key])[0]
        assert replayed.replay, replayed
        wait_until(lambda: not letters.show(replayed.replay).state.is_open, "a replay")
        story = letters.show(replayed.replay)
    return [story.to_json(None), {"story": repr(story)}]


if __name__ == "__main__":
    main(sys.argv[1])
