"""Run it: `python -m examples.conversation --provider openai|anthropic|gemini|deepseek`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any, Final

from rich.console import Console

from examples.alone import be_alone
from examples.conversation.clients import CLIENTS, Client
from examples.scripted.server import ScriptedServer, serving
from examples.scripted.turns import ScriptedTurn, calls
from toolferry import ToolferryError
from toolferry_console.local import LocalSystem, local_system, wait_ready
from toolferry_console.logs import log_to_stderr
from toolferry_dispatcher import Approver
from toolferry_dispatcher.conversation import (
    ApprovalWanted,
    CallEnded,
    CallsAsked,
    Conversation,
    ConversationEvent,
    ConversationOutcome,
    Finished,
    ModelCalled,
    TextSaid,
)

_TOOLS: Final = "examples.conversation.tools"
_QUESTION: Final = "Read greeting.txt and farewell.txt, and publish what you find."
_SCRIPT: Final = (
    calls(
        ("read_file", {"path": "greeting.txt"}),
        ("read_file", {"path": "farewell.txt"}),
        text="I read both.",
    ),
    calls(("publish", {"text": "你好世界"})),
    ScriptedTurn(text="There is no farewell; the greeting 你好世界 is published."),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Lead the conversation on a server and workers of its own; give the exit code."""
    parser = argparse.ArgumentParser(prog="examples.conversation", description=__doc__)
    parser.add_argument("--provider", choices=sorted(CLIENTS), default="openai")
    provider = parser.parse_args(arguments).provider
    screen = Console(highlight=False, markup=False, soft_wrap=True)
    log_to_stderr()
    be_alone("conversation")
    try:
        with serving(_SCRIPT) as script, local_system(_TOOLS) as system:
            wait_ready(system.settings, system.workers)
            outcome = _lead(CLIENTS[provider], script, system, screen)
            _report(script, outcome, screen)
    except ToolferryError as error:
        print(f"conversation: {error}", file=sys.stderr)
        return 2
    return 0


def _lead(
    client: Client, script: ScriptedServer, system: LocalSystem, screen: Console
) -> ConversationOutcome:
    with client.make(script.url) as sdk:
        conversation = Conversation(
            system.dispatcher, sdk, provider=client.format, request=client.request
        )
        screen.print(f"person: {_QUESTION}")
        for event in conversation.events([client.question(_QUESTION)]):
            _show(event, screen)
            if isinstance(event, ApprovalWanted):
                you = Approver("you", verified=True)
                system.dispatcher.approvals.approve(event.approval.call_key, you)
            if isinstance(event, Finished):
                return event.outcome
    raise RuntimeError("the conversation did not finish")


def _show(event: ConversationEvent, screen: Console) -> None:
    match event:
        case ModelCalled():
            screen.print(f"\nround {event.round}")
        case TextSaid():
            screen.print(f"  model: {event.text}")
        case CallsAsked():
            asked = ", ".join(f"{call.name} {_json(call.arguments)}" for call in event.calls)
            screen.print(f"  asked: {asked}")
        case ApprovalWanted():
            screen.print(f"  a person is asked: {event.approval.preview}? yes")
        case CallEnded():
            result = event.result
            what = result.content if result.error is None else result.error.message
            screen.print(f"  {result.name}: {result.outcome.value}, {_json(what)}")


def _report(script: ScriptedServer, outcome: ConversationOutcome, screen: Console) -> None:
    screen.print("\nthe messages of the last request:\n")
    for message in outcome.messages[:-1]:
        screen.print(_json(message))
    spent = outcome.state.spent
    screen.print(
        f"\nconversation complete: {spent.rounds} rounds, {spent.calls} calls,"
        f" {len(script.requests)} requests taken, {len(script.refusals)} refused"
    )


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, default=dict)


if __name__ == "__main__":
    sys.exit(main())
