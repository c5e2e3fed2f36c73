"""A process that leads one conversation and keeps its state in a file; it may be killed.

`python -m tests.dispatcher.talker FOLDER WAIT_AT`: goes on from `FOLDER/state.json` where there is
one. `WAIT_AT` is where it stops and waits to be killed: `told`, right after its calls were sent and
before anything of that is stored, or `stored`, right after that was; else nowhere.
"""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

from tests.dispatcher.samples import response
from tests.dispatcher.talks import OSLO, QUESTION, ROME, says, talk_tools
from toolferry_dispatcher import Dispatcher
from toolferry_dispatcher.conversation import Conversation


def main(folder: Path, wait_at: str) -> None:
    """Lead the conversation, from its beginning or from what was stored."""
    state = folder / "state.json"

    def wait(where: str) -> None:
        """Wait to be killed, if it is here."""
        if where == wait_at:
            (folder / "waiting").touch()
            signal.pause()

    def store(data: dict[str, Any]) -> None:
        """Keep the state in the file."""
        if (data["open_round"] or {}).get("is_sent"):
            wait("told")
        beside = folder / "state.new"
        beside.write_text(json.dumps(data), encoding="utf-8")
        beside.replace(state)
        if (data["open_round"] or {}).get("is_sent"):
            wait("stored")

    def model(messages: list[dict[str, Any]], _tools: list[dict[str, Any]]) -> Any:
        """Respond."""
        return says("Fine.") if len(messages) > 1 else response(OSLO, ROME)

    with Dispatcher(talk_tools()) as dispatcher:
        conversation = Conversation(dispatcher, model, store=store)
        if state.exists():
            outcome = conversation.resume(json.loads(state.read_text("utf-8")))
        else:
            outcome = conversation.run(QUESTION)
    sys.stdout.write(json.dumps([outcome.text, list(outcome.messages)]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
