"""A caller: writes turns of calls and waits for their results, straight through the ledger."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.waiting import wait_until
from tests.worker import tools_sample
from toolferry import CallState, Context, Registry, Tool, ToolResult, call_key
from toolferry_ledger import (
    Bell,
    Ledger,
    Route,
    Settings,
    Signer,
    Spec,
    Submission,
    read_result,
)

TOOLS = Registry.from_module(tools_sample)

#: A tool's name and its arguments.
Wanted = tuple[str, dict[str, Any]]


def make_spec(tool: Tool, turn_id: str, index: int, arguments: dict[str, Any]) -> Spec:
    """Give the spec of a call as a dispatcher would."""
    now = time.time()
    return Spec(
        turn_id=turn_id,
        index=index,
        call_id=f"c{index}",
        name=tool.name,
        arguments=arguments,
        context=Context(),
        conversation_id="",
        tool_version=tool.version,
        tool_digest=tool.digest,
        lane=tool.lane,
        queue=tool.queue,
        timeout=tool.timeout,
        deadline=tool.deadline,
        retry=tool.retry,
        effect_class=tool.effect,
        repeatable=tool.repeatable,
        issued_at=now,
        expires_at=now + 3600,
    )


class Caller:
    """One application of a system.

    Args:
        settings: The system.
        tools: The tools that it calls.
    """

    def __init__(self, settings: Settings, tools: Registry = TOOLS) -> None:
        self.settings = settings
        self._tools = tools
        self.ledger = Ledger(settings)
        self._bell = Bell(settings)
        self._signer = Signer(settings.secret)

    def submit(self, *wanted: Wanted, forge: Callable[[bytes], bytes] = bytes) -> str:
        """Write a turn and ring its notices; `forge` changes records after they were signed."""
        turn_id = uuid.uuid4().hex[:12]
        calls = [
            self._submission(make_spec(self._tool(name), turn_id, index, arguments), forge)
            for index, (name, arguments) in enumerate(wanted)
        ]
        reply = self.ledger.submit(turn_id, b"{}", turn_id, "", calls)
        assert reply is not None
        self._bell.ring(reply.rings)
        return turn_id

    def wait(self, turn_id: str, count: int) -> list[ToolResult]:
        """Wait for the first `count` results of a turn, in order."""
        found = wait_until(
            lambda: _complete(self.ledger.results(turn_id, range(count)), count),
            f"{count} results of {turn_id}",
        )
        return [read_result(found[index]) for index in range(count)]

    def run(self, *wanted: Wanted) -> list[ToolResult]:
        """Have calls run and wait for their results."""
        return self.wait(self.submit(*wanted), len(wanted))

    def progress(self, turn_id: str, index: int) -> dict[str, Any] | None:
        """Read what a handler last reported."""
        prefix = self.settings.key_prefix
        text = self.ledger.client.hget(f"{prefix}call:{turn_id}:{index}", "progress")
        return None if text is None else json.loads(text)

    def state(self, turn_id: str, index: int) -> CallState | None:
        """Read where a call stands."""
        call = self.ledger.inspect_call(call_key(turn_id, index))
        return None if call is None else call.state

    def close(self) -> None:
        """Close the connections."""
        self._bell.close()
        self.ledger.close()

    def _tool(self, name: str) -> Tool:
        tool = self._tools.get(name)
        assert tool is not None, name
        return tool

    def _submission(self, spec: Spec, forge: Callable[[bytes], bytes]) -> Submission:
        text = spec.to_bytes()
        return Submission(
            spec=forge(text),
            signature=self._signer.sign(text),
            route=Route(spec.pool),
            tool=spec.name,
            tenant="default",
            timeout=spec.timeout,
            deadline=spec.deadline,
        )


def wait_running(folder: str, *names: str) -> None:
    """Wait until held calls have begun: each by its id and attempt, such as "c0.1"."""
    for name in names:
        wait_until(Path(folder, name).exists, f"attempt {name}")


def _complete(found: dict[int, bytes], count: int) -> dict[int, bytes] | None:
    return found if len(found) == count else None


def outcomes(results: Sequence[ToolResult]) -> list[str]:
    """List how calls ended."""
    return [result.outcome.value for result in results]
