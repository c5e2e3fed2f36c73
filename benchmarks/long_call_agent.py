"""An agent whose conversation goes on beside two long calls: a process that may be killed.

    python -m benchmarks.long_call_agent SECONDS

Dispatches the long turn, or attaches to it, has short turns run meanwhile, and ends when both late
results have come. Tells what happens on its output, one JSON object a line.
"""

from __future__ import annotations

import json
import sys
import time
import uuid
from typing import Any

from benchmarks import long_call_tools
from toolferry import LedgerUnavailable, Registry, ResultUnavailable, ToolCall
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Settings

#: The turn of the long calls, and the conversation of all turns.
TURN, CHAT = "export", "chat"
#: Seconds between two short turns, and for each of them; the server may be away in one.
PAUSE, PATIENCE = 0.5, 20.0


def tell(event: str, **keys: Any) -> None:
    """Print one line."""
    print(json.dumps({"event": event, **keys}), flush=True)


def main(seconds: float) -> None:
    """Run the conversation."""
    registry = Registry.from_module(long_call_tools)
    with Dispatcher(registry, Settings.from_env()) as dispatcher:
        calls = [
            ToolCall("loop", "export_on_loop", {"seconds": seconds}),
            ToolCall("process", "export_in_process", {"seconds": seconds}),
        ]
        turn = dispatcher.dispatch(calls, turn_id=TURN, conversation_id=CHAT)
        tell("answered", messages=turn.messages())
        late = 0
        while late < len(calls):
            try:
                _short_turn(dispatcher)
                late += _late(dispatcher)
            except (LedgerUnavailable, ResultUnavailable) as error:
                tell("waited", reason=str(error))
            time.sleep(PAUSE)  # the pace of a conversation
        results = turn.gather(PATIENCE)
        tell("done", messages=turn.messages(), outcomes=[one.outcome.value for one in results])


def _short_turn(dispatcher: Dispatcher) -> None:
    turn_id = uuid.uuid4().hex
    call = ToolCall("c", "look_up", {"city": "Oslo"})
    turn = dispatcher.dispatch([call], turn_id=turn_id, conversation_id=CHAT)
    (result,) = turn.gather(PATIENCE)
    tell("turn", outcome=result.outcome.value)


def _late(dispatcher: Dispatcher) -> int:
    found = dispatcher.late_results(CHAT)
    for one in found:
        tell("late", handle=one.handle, message=one.message())
    return len(dispatcher.confirm_late(*found))


if __name__ == "__main__":
    main(float(sys.argv[1]))
