"""Cases from public bug reports that take a whole system: their values, and how ours are named."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from tests.worker.running import RunningWorker
from toolferry import Effect, Lane, Outcome, ToolResult
from toolferry_ledger import Settings

#: The modules with the handlers of the cases.
MODULES: Final = "tests.whole.cases.tools,tests.whole.cases.values"
#: Workers that stop wait a second for what they run.
_HASTY: Final = {"TOOLFERRY_DRAIN_SECONDS": "1"}
_FOLDER: Final = Path(__file__).parents[2] / "data" / "cases"
_WORDS: Final = {
    Outcome.SUCCEEDED: "done",
    Outcome.FAILED: "error",
    Outcome.TIMED_OUT: "timeout",
    Outcome.CANCELLED: "cancelled",
    Outcome.DENIED: "denied",
    Outcome.LOST: "worker_lost",
}


def load_case(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give the scenario of a case and what is expected."""
    case = json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return case["scenario"], case["expect"]


def word_of(result: ToolResult) -> str:
    """Say how a call ended in the words of the cases, where unknown means: may have happened."""
    if result.error is not None and result.error.code == "bad_result":
        return "bad_result"
    if result.is_error and result.effect is Effect.POSSIBLE:
        return "unknown"
    if result.outcome is Outcome.CANCELLED and result.attempts == 0:
        return "cancelled_before_start"
    return _WORDS[result.outcome]


def note(path: str, *words: object) -> None:
    """Write a whole line of a handler's journal; it is there when the process dies next."""
    line = " ".join(map(str, words)) + "\n"
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, line.encode())
    os.close(file)


def journal(path: Path) -> list[list[str]]:
    """Read what handlers have noted, each line in words."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [line.split() for line in lines]


@contextmanager
def workers(settings: Settings, *lanes: Lane, tools: str, slots: int = 4) -> Iterator[Any]:
    """Run a worker of each lane; gives them in order, and ends them whatever happens."""
    with ExitStack() as stack:
        started = [RunningWorker(settings, lane, slots, _HASTY, tools) for lane in lanes]
        for worker in started:
            stack.callback(worker.ended)
            stack.callback(worker.finish_off)
        yield [worker.ready() for worker in started]
