"""Taking a call back: by the tool that its tool names, with the arguments that its handler gave.

1. That is a call of its own, in a turn of its own, `{turn}.{position}!undo`: taking a call back
   twice is taking it back once.
2. It is made on behalf of whom the call was made, and judged as any call is. The call that it takes
   back is judged anew too: who may not do it any more may not take it back.
"""

from __future__ import annotations

from toolferry import Extensions, Outcome, ToolCall, ToolferryError, split_call_key
from toolferry.wording import json_text
from toolferry_dispatcher.dispatcher import Dispatcher
from toolferry_dispatcher.handle import TurnHandle
from toolferry_ledger import CallStory, Spec, Untrusted, judge_again, open_secrets
from toolferry_policies import HIDDEN, Deny

#: The id of the only call of its turn.
_CALL_ID = "undo"


class UndoRefused(ToolferryError):
    """A call is not taken back; nothing was changed."""

    def __init__(self, call_key: str, reason: str) -> None:
        super().__init__(call_key, reason)
        self.call_key = call_key
        #: Why, one sentence without its full stop.
        self.reason = reason

    def __str__(self) -> str:
        return f"call {self.call_key}: {self.reason}"


def undo_call(dispatcher: Dispatcher, story: CallStory) -> TurnHandle:
    """Take a call back; idempotent.

    Args:
        dispatcher: Knows the tools, and sends the call.
        story: What is known of the call, see `DeadLetters.show`.

    Raises:
        UndoRefused: It cannot be taken back, or its principal may not do that; says why.
        LedgerUnavailable: The server does not answer; try again.
    """
    spec = _opened(dispatcher, story)
    undo = ToolCall(_CALL_ID, _undoer(dispatcher, story, spec), _arguments(story, spec))
    _require_permission(dispatcher, story, spec)
    turn_id, position = split_call_key(story.call_key)
    return dispatcher.dispatch([undo], context=spec.context, turn_id=f"{turn_id}.{position}!undo")


def _opened(dispatcher: Dispatcher, story: CallStory) -> Spec:
    """Give the call with its secrets, which taking it back may need."""
    try:
        if story.spec is not None:
            return open_secrets(story.spec, dispatcher.signer)
    except Untrusted:
        pass  # told below, like a record that somebody else has written
    raise UndoRefused(story.call_key, "its record cannot be trusted")


def _undoer(dispatcher: Dispatcher, story: CallStory, spec: Spec) -> str:
    tool = dispatcher.registry.get(spec.name)
    if tool is None:
        raise UndoRefused(story.call_key, f"nobody here knows the tool {spec.name}")
    if tool.undo is None:
        raise UndoRefused(story.call_key, f"the tool {spec.name} has no undo")
    if tool.undo not in dispatcher.registry:
        raise UndoRefused(story.call_key, f"nobody here knows the tool {tool.undo}, its undo")
    return tool.undo


def _arguments(story: CallStory, spec: Spec) -> dict[str, object]:
    result = story.result
    if story.state.is_open:
        raise UndoRefused(story.call_key, "it has not ended yet; cancel it instead")
    # A call whose result a hook has withheld did not succeed, and has happened all the same.
    undo = None if result is None else result.undo
    if undo is None and (result is None or result.outcome is not Outcome.SUCCEEDED):
        raise UndoRefused(story.call_key, "it did not succeed, so its handler gave no undo")
    if undo is None:
        raise UndoRefused(story.call_key, "its handler gave nothing to take it back with")
    if spec.sealed and HIDDEN in json_text(dict(undo)):
        raise UndoRefused(
            story.call_key,
            "what its handler gave to take it back with held a secret, which is not kept",
        )
    return dict(undo)


def _require_permission(dispatcher: Dispatcher, story: CallStory, spec: Spec) -> None:
    tool = dispatcher.registry.get(spec.name)
    look_ups = Extensions(facts=dispatcher.extensions.facts)
    verdict = judge_again(spec, tool, dispatcher.policy, look_ups).verdict
    if isinstance(verdict, Deny):
        raise UndoRefused(story.call_key, f"it would be denied today: {verdict.message}")
