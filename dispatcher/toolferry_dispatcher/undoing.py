"""Taking a call back: by the tool that its tool names, with the arguments that its handler gave.

1. That is a call of its own, in a turn of its own, `{turn}.{position}!undo`, or by a digest where
   that is too long: taking a call back twice is taking it back once. Where a check or a budget has
   refused it, it is judged anew, in the turn `…!undo2`, and so on: what was in the way may be gone.
2. It is made on behalf of whom the call was made, and judged as any call is. The call that it takes
   back is judged anew too: who may not do it any more may not take it back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import count

from toolferry import Extensions, Outcome, ToolCall, ToolferryError, split_call_key
from toolferry.wording import json_text
from toolferry_dispatcher.core import Core
from toolferry_dispatcher.options import DispatchOptions
from toolferry_dispatcher.prepare import MAX_TURN_ID
from toolferry_ledger import (
    CallStory,
    CallUnknown,
    Spec,
    Untrusted,
    judge_again,
    open_secrets,
    read_case,
    read_story,
)
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


@dataclass(frozen=True, slots=True)
class Undoing:
    """The call that takes another one back, and how it is dispatched."""

    call: ToolCall
    options: DispatchOptions


def undoing_of(core: Core, call_key: str) -> Undoing:
    """Give what takes a call back.

    Args:
        core: Knows the call and the tools.
        call_key: The call.

    Raises:
        CallUnknown: The ledger does not have it, or not any more.
        UndoRefused: It cannot be taken back, or its principal may not do that; says why.
        LedgerUnavailable: The server does not answer; try again.
    """
    core.check_process()
    story = read_story(core.ledger, core.signer, call_key)
    spec = _opened(core, story)
    undo = ToolCall(_CALL_ID, _undoer(core, story, spec), _arguments(story, spec))
    _require_permission(core, story, spec)
    turn_id = next(one for one in _turns_of(call_key) if not _was_refused(core, one))
    return Undoing(undo, {"context": spec.context, "turn_id": turn_id})


def _turns_of(call_key: str) -> Iterator[str]:
    """Name the turns in which a call is taken back, one after the other."""
    turn_id, position = split_call_key(call_key)
    name = f"{turn_id}.{position}"
    for number in count(1):
        suffix = "!undo" if number == 1 else f"!undo{number}"
        is_short = len(name) + len(suffix) <= MAX_TURN_ID
        yield f"{name if is_short else sha256(call_key.encode()).hexdigest()}{suffix}"


def _was_refused(core: Core, turn_id: str) -> bool:
    """Tell whether what was to take a call back was refused before anybody could run it."""
    try:
        return read_case(core.ledger, core.signer, f"{turn_id}:0").refusal is not None
    except CallUnknown:
        return False


def _opened(core: Core, story: CallStory) -> Spec:
    """Give the call with its secrets, which taking it back may need."""
    try:
        if story.spec is not None:
            return open_secrets(story.spec, core.signer)
    except Untrusted:
        pass  # told below, like a record that somebody else has written
    raise UndoRefused(story.call_key, "its record cannot be trusted")


def _undoer(core: Core, story: CallStory, spec: Spec) -> str:
    tool = core.registry.get(spec.name)
    if tool is None:
        raise UndoRefused(story.call_key, f"nobody here knows the tool {spec.name}")
    if tool.undo is None:
        raise UndoRefused(story.call_key, f"the tool {spec.name} has no undo")
    if tool.undo not in core.registry:
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


def _require_permission(core: Core, story: CallStory, spec: Spec) -> None:
    tool = core.registry.get(spec.name)
    look_ups = Extensions(facts=core.extensions.facts)
    verdict = judge_again(spec, tool, core.policies.current(), look_ups).verdict
    if isinstance(verdict, Deny):
        raise UndoRefused(story.call_key, f"it would be denied today: {verdict.message}")
