"""Run the demo: `python -m examples.demo`."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from examples.alone import be_alone
from examples.demo.site import serving
from examples.demo.tools import SITE_VARIABLE
from toolferry import Outcome, ToolferryError, ToolResult
from toolferry_console.local import LocalSystem, local_system, wait_ready
from toolferry_console.logs import log_to_stderr
from toolferry_console.tables import CallRow, call_line, calls_table
from toolferry_dispatcher import TurnHandle

_TOOLS: Final = "examples.demo.tools"
_RESPONSE: Final = Path(__file__).with_name("response.json")
_COLUMNS: Final = ("tool", "lane", "attempts", "waited", "ran", "outcome")
#: Characters of a message's text that are shown.
_SHOWN: Final = 300


def main() -> int:
    """Run the recorded response on a server and workers of its own; give the exit code."""
    screen = Console(highlight=False, markup=False, soft_wrap=True)
    log_to_stderr()
    be_alone("demo")
    try:
        with serving() as site:
            os.environ[SITE_VARIABLE] = site
            with local_system(_TOOLS) as system:
                _run(system, screen)
    except ToolferryError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 2
    return 0


def _run(system: LocalSystem, screen: Console) -> None:
    screen.print(f"server: {system.settings.safe_url}")
    wait_ready(system.settings, system.workers)
    screen.print("workers: one for each lane is ready")
    handle = system.dispatcher.dispatch(_RESPONSE.read_text(encoding="utf-8"))
    screen.print(f"turn {handle.turn_id}: {len(handle.meta.calls)} calls dispatched\n")
    for result in handle:
        screen.print(f"  {call_line(_row(handle, result))}")
    results = handle.gather()
    _print_messages(screen, handle.messages())
    screen.print(calls_table((_row(handle, result) for result in results), _COLUMNS))
    screen.print(f"\n{_closing_line(handle, results)}")


def _row(handle: TurnHandle, result: ToolResult) -> CallRow:
    lanes = {call.call_id: call.pool.lane.value for call in handle.meta.calls}
    return CallRow.of(result, lanes[result.call_id])


def _print_messages(screen: Console, messages: Sequence[dict[str, Any]]) -> None:
    screen.print("\nthe messages that the conversation goes on with:\n")
    for message in messages:
        text = json.dumps(message, ensure_ascii=False)
        screen.print(text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …")
    screen.print()


def _closing_line(handle: TurnHandle, results: Sequence[ToolResult]) -> str:
    counts = Counter(result.outcome for result in results)
    order = (Outcome.SUCCEEDED, Outcome.TIMED_OUT, Outcome.FAILED)
    outcomes = ", ".join(f"{counts[outcome]} {outcome.value}" for outcome in order)
    calls = len(handle.meta.calls)
    return f"demo complete: {calls} calls, {len(results)} results, {outcomes}"


if __name__ == "__main__":
    sys.exit(main())
