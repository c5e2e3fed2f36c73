"""The blocks of a message of the Messages API: its calls read, and all written back.

The next request repeats the model's message. Everything in it goes back as received, thoughts with
their signatures and what the server itself has run included. Put right is only what is refused:

1. a call whose id or name is not legal, or whose input is no object;
2. a text without ink, which the API sends but does not take;
3. a thought that was cut off before its signature;
4. a block behind a call: the API wants calls last, as their results follow right behind. What the
   server itself has still to run may stand there, and stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from toolferry_dispatcher.providers.given import (
    IdForm,
    call_of_object,
    nameless_call,
    read_arguments,
)
from toolferry_dispatcher.providers.json_data import fold
from toolferry_dispatcher.providers.names import wire_name
from toolferry_dispatcher.providers.wire_ids import settle_wire_ids, wire_id
from toolferry_dispatcher.reply import ReadCall

#: The ids that the API takes back. Source: its error text for others.
CALL_ID: Final = IdForm("[a-zA-Z0-9_-]+")
#: Calls that the server runs itself: they have inputs, too.
_SERVER_CALLS: Final = frozenset({"server_tool_use", "mcp_tool_use"})


def read_blocks(
    blocks: Sequence[Mapping[str, Any]], seed: Callable[[], str]
) -> tuple[list[ReadCall], list[dict[str, Any]]]:
    """Read the calls among the blocks of one message.

    Args:
        blocks: The content as received.
        seed: Gives what tells this response from others; missing ids are made from it.

    Returns:
        The calls, and the blocks for the next request, one for each that was received.
    """
    given = [block.get("id") for block in blocks if is_call(block)]
    ids = iter(settle_wire_ids(given, seed, CALL_ID))
    calls, echoes = [], []
    for block in blocks:
        if not is_call(block):
            echoes.append(_echo_of(block))
            continue
        call, echo = _read_call(block, next(ids))
        calls.append(call)
        echoes.append(echo)
    return calls, echoes


def is_call(block: Mapping[str, Any]) -> bool:
    """Tell whether a block asks for a tool of the application; what servers run is none."""
    return block.get("type") == "tool_use"


def sayable(echoes: Sequence[dict[str, Any]], *, was_cut: bool) -> list[dict[str, Any]]:
    """Leave out what the API sends but does not take, and put calls last.

    Args:
        echoes: The blocks of the message.
        was_cut: Whether its last block may have been cut off.
    """
    if was_cut and echoes and _is_unsigned_thought(echoes[-1]):
        echoes = echoes[:-1]
    kept = [echo for echo in echoes if not _is_blank_text(echo)]
    return kept if _calls_are_last(kept) else sorted(kept, key=is_call)


def text_of(blocks: Sequence[Mapping[str, Any]]) -> str:
    """Give what the model said besides its calls and its thoughts."""
    return "".join(_text(block.get("text")) for block in blocks if block["type"] == "text")


def _read_call(block: Mapping[str, Any], call_id: str) -> tuple[ReadCall, dict[str, Any]]:
    name, toolset = _text(block.get("name")), _text(block.get("toolset_name"))
    call = call_of_object(call_id, _own_name(toolset, name), block.get("input"))
    echo = {**block, "id": wire_id(call_id, CALL_ID), "name": wire_name(name)}
    echo["input"] = call.call.arguments
    if echo.get("caller", "") is None:
        del echo["caller"]
    call = call if name.strip() else nameless_call(call_id)
    # The model planned the actions on one screen, or in one browser, as a sequence.
    return replace(call, chain=toolset) if toolset else call, echo


def _own_name(toolset: str, name: str) -> str:
    """Give the name of the tool that a call is for: a toolset's member goes by both names.

    A tool of the same name that is in no toolset is another one.
    """
    return f"{toolset}.{name}" if toolset and name.strip() else name


def _echo_of(block: Mapping[str, Any]) -> dict[str, Any]:
    if block["type"] in _SERVER_CALLS and not isinstance(block.get("input"), Mapping):
        arguments, _ = read_arguments(block.get("input"))
        return {**block, "input": arguments}
    return dict(block)


def _calls_are_last(echoes: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether nothing stands behind a call but calls, and what the server has yet to run."""
    first = next((at for at, echo in enumerate(echoes) if is_call(echo)), len(echoes))
    behind = [echo for echo in echoes[first:] if not is_call(echo)]
    return all(echo["type"] in _SERVER_CALLS for echo in behind)


def _is_blank_text(block: Mapping[str, Any]) -> bool:
    return block["type"] == "text" and not _text(block.get("text")).strip()


def _is_unsigned_thought(block: Mapping[str, Any]) -> bool:
    return block["type"] == "thinking" and not block.get("signature")


def _text(value: object) -> str:
    return fold(value) if isinstance(value, str) else ""
