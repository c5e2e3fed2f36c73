"""Call ids that recur: servers that number their calls from 0 in each response are not rare.

In the ledger a call is known by its turn and its place there, so nothing is mixed up. But in one
conversation some APIs refuse an id that is there twice, so the later one is written otherwise, in
the model's message and in the result alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from toolferry import split_call_key
from toolferry_dispatcher.late import LateResult
from toolferry_dispatcher.providers.given import ANY_ID, IdForm

#: Where the formats name the call that something belongs to.
_CALL_KEYS: Final = frozenset({"call_id", "tool_call_id", "tool_use_id", "toolUseId"})
#: Where they keep ids at all; those of other things than calls stay.
_ID_KEYS: Final = _CALL_KEYS | {"id"}
#: What belongs to the calls themselves; whatever looks like an id in there is none.
_OPAQUE: Final = frozenset({"arguments", "args", "input", "response", "output", "json"})


def tell_apart(
    messages: Sequence[Mapping[str, Any]],
    before: Sequence[Mapping[str, Any]],
    turn_id: str,
    form: IdForm = ANY_ID,
) -> list[dict[str, Any]]:
    """Give the messages of a turn with other ids in place of those that were used before.

    Args:
        messages: The model's message and the results.
        before: The messages that they follow.
        turn_id: What the new ids are made from: the same turn gets the same ones.
        form: How ids look that the provider takes.

    >>> said = {"role": "assistant", "tool_calls": [{"id": "call_0", "function": {}}]}
    >>> told = {"role": "tool", "tool_call_id": "call_0", "content": "8"}
    >>> again = tell_apart([said, told], [said, told], "turn-2")
    >>> again[0]["tool_calls"][0]["id"] == again[1]["tool_call_id"] != "call_0"
    True
    """
    used = set(_ids_in(before))
    called = set(_calls_in(messages))
    if not used & called:
        return [dict(message) for message in messages]
    taken = used | called
    fresh = {call_id: _fresh(call_id, turn_id, taken, form) for call_id in sorted(used & called)}
    return [_renamed(message, fresh) for message in messages]


def apart_late(
    before: Sequence[Mapping[str, Any]], late: Sequence[LateResult]
) -> list[dict[str, Any]]:
    """Give the messages of late results, each under the id that its call goes by in the messages.

    Only formats that left the call open name it there; the others tell of it in words.
    """
    used = set(_ids_in(before))
    told = []
    for one in late:
        message, (turn_id, _) = one.message(), split_call_key(one.handle)
        made = {call_id: _made(turn_id, call_id) for call_id in _calls_in(message)}
        told.append(_renamed(message, {old: new for old, new in made.items() if new in used}))
    return told


def _calls_in(data: Any) -> Iterator[str]:
    """Give the ids by which results and calls are paired; Gemini has them in the results."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            if key in _CALL_KEYS and isinstance(value, str):
                yield value
            elif key == "functionResponse" and isinstance(value, Mapping):
                yield from _ids_in({"id": value.get("id")})
            elif key not in _OPAQUE:
                yield from _calls_in(value)
    elif isinstance(data, list | tuple):
        for item in data:
            yield from _calls_in(item)


def _ids_in(data: Any) -> Iterator[str]:
    if isinstance(data, Mapping):
        for key, value in data.items():
            if key in _ID_KEYS and isinstance(value, str):
                yield value
            elif key not in _OPAQUE:
                yield from _ids_in(value)
    elif isinstance(data, list | tuple):
        for item in data:
            yield from _ids_in(item)


def _renamed(data: Any, fresh: Mapping[str, str]) -> Any:
    if isinstance(data, Mapping):
        return {key: _renamed_value(key, value, fresh) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_renamed(item, fresh) for item in data]
    return data


def _renamed_value(key: str, value: Any, fresh: Mapping[str, str]) -> Any:
    if key in _ID_KEYS and isinstance(value, str):
        return fresh.get(value, value)
    return value if key in _OPAQUE else _renamed(value, fresh)


def _fresh(call_id: str, turn_id: str, taken: set[str], form: IdForm) -> str:
    """Make an id that nothing else has."""
    made = _made(turn_id, call_id, form)
    while made in taken:
        made = _made(turn_id, made, form)
    taken.add(made)
    return made


def _made(turn_id: str, call_id: str, form: IdForm = ANY_ID) -> str:
    return form.made_of(f"{turn_id}\n{call_id}")
