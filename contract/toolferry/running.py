"""The first answer: what a model is told of a call that takes longer than its turn can wait.

`{ok, state, handle, message}`, where `ok` is true and `state` is "running": nothing has failed, and
nothing has come of it yet. The handle names the call for whoever asks again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolferry.states import ResultFormat
from toolferry.wording import clean_text, json_text


def running_answer(name: str, handle: str) -> dict[str, Any]:
    """Give the first answer to a call, as JSON data.

    >>> running_answer("export", "t1:0")["state"]
    'running'
    """
    return {
        "ok": True,
        "state": "running",
        "handle": handle,
        "message": (
            f"{name} has not ended yet and goes on in the background under the handle {handle};"
            " its result follows, so do not call it again for that."
        ),
    }


def render_running(answer: Mapping[str, Any], result_format: ResultFormat) -> str:
    """Write what the model receives: the answer as JSON text, or its one sentence.

    >>> render_running({"message": "Wait for t1:0."}, ResultFormat.TEXT)
    'Wait for t1:0.'
    """
    text = result_format is ResultFormat.TEXT
    return clean_text(str(answer["message"]) if text else json_text(dict(answer)))
