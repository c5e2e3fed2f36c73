"""The blocks of a message of Bedrock Converse: its calls read, and all written back.

The next request repeats the model's message. Everything in it goes back as received, thoughts with
their signatures and what the service itself has run included. Put right is only what is refused:

1. a call whose id or name is not legal, or whose input is no object;
2. a text without ink, which the service sends but does not take;
3. a block behind a call: calls are last, as their results follow right behind. What the service
   itself has still to run may stand there, and stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from toolferry_dispatcher.providers.given import IdForm, call_of_object, nameless_call
from toolferry_dispatcher.providers.json_data import fold
from toolferry_dispatcher.providers.names import wire_name
from toolferry_dispatcher.providers.wire_ids import settle_wire_ids, wire_id
from toolferry_dispatcher.reply import ReadCall

#: The ids that the service takes. Source: the service model of `bedrock-runtime`, ToolUseId.
CALL_ID: Final = IdForm("[a-zA-Z0-9_.:-]{1,64}")
#: What marks a call that the service runs itself; Nova also marks those that are ours.
_SERVER: Final = "server_tool_use"


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
    given = [_use_of(block).get("toolUseId") for block in blocks if is_call(block)]
    ids = iter(settle_wire_ids(given, seed, CALL_ID))
    calls, echoes = [], []
    for block in blocks:
        if not is_call(block):
            echoes.append(dict(block))
            continue
        call, echo = _read_call(_use_of(block), next(ids))
        calls.append(call)
        echoes.append({**block, "toolUse": echo})
    return calls, echoes


def is_call(block: Mapping[str, Any]) -> bool:
    """Tell whether a block asks for a tool of the application; what the service runs is none."""
    return "toolUse" in block and _use_of(block).get("type") != _SERVER


def sayable(echoes: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out what the service sends but does not take, and put calls last."""
    kept = [echo for echo in echoes if not _is_blank_text(echo)]
    return kept if _calls_are_last(kept) else sorted(kept, key=is_call)


def text_of(blocks: Sequence[Mapping[str, Any]]) -> str:
    """Give what the model said besides its calls and its thoughts."""
    return "".join(_words_of(block) for block in blocks)


def _read_call(use: Mapping[str, Any], call_id: str) -> tuple[ReadCall, dict[str, Any]]:
    name = _text(use.get("name"))
    call = call_of_object(call_id, name, use.get("input"))
    echo = {**use, "toolUseId": wire_id(call_id, CALL_ID), "name": wire_name(name)}
    echo["input"] = call.call.arguments
    # The service sends a type that its own model does not know.
    echo.pop("type", None)
    return call if name.strip() else nameless_call(call_id), echo


def _calls_are_last(echoes: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether nothing stands behind a call but calls, of ours or of the service."""
    first = next((at for at, echo in enumerate(echoes) if is_call(echo)), len(echoes))
    return all("toolUse" in echo for echo in echoes[first:])


def _words_of(block: Mapping[str, Any]) -> str:
    cited = block.get("citationsContent")
    parts = cited.get("content") if isinstance(cited, Mapping) else None
    if isinstance(parts, list):
        return "".join(_text(part.get("text")) for part in parts if isinstance(part, Mapping))
    return _text(block.get("text"))


def _is_blank_text(block: Mapping[str, Any]) -> bool:
    return block.keys() == {"text"} and not _text(block["text"]).strip()


def _use_of(block: Mapping[str, Any]) -> Mapping[str, Any]:
    use = block.get("toolUse")
    return use if isinstance(use, Mapping) else {}


def _text(value: object) -> str:
    return fold(value) if isinstance(value, str) else ""
