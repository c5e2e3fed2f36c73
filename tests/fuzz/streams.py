"""One good stream of each format, with every kind of piece that its assembler puts together."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

_PIECE: Final = {
    "index": 0,
    "id": "c1",
    "type": "function",
    "function": {"name": "sample", "arguments": '{"id": 1}'},
}
_CUSTOM: Final = {"index": 1, "id": "c2", "type": "custom", "custom": {"name": "f", "input": "a"}}
_DETAIL: Final = {"type": "text", "index": 0, "id": "d", "text": "a", "signature": "s"}


def _choice(**delta: Any) -> dict[str, Any]:
    return {"id": "r1", "choices": [{"index": 0, "delta": delta}]}


def _event(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "output_index": 0, "item_id": "i1", "sequence_number": 1, **fields}


def _said(kind: str, index: int | None = None, **message: Any) -> dict[str, Any]:
    return {"type": kind, "index": index, "delta": {"message": message}}


def _parts(*parts: dict[str, Any], **candidate: Any) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": [*parts]}, **candidate}]}


_SUMMARY: Final = {"summary_index": 0, "delta": "a"}
_TEXT: Final = {"content_index": 0, "delta": "a"}
_CALL: Final = {"type": "function_call", "id": "i1", "call_id": "c1", "name": "sample"}
_ARGUMENT: Final = {"jsonPath": "$.id", "stringValue": "1", "willContinue": True}

#: By the name of the parser.
STREAMS: Final[Mapping[str, list[Any]]] = MappingProxyType(
    {
        "openai-chat stream": [
            _choice(role="assistant", content="a", refusal="b", reasoning_content="c"),
            _choice(content=[{"type": "text", "text": "a"}]),
            _choice(reasoning_details=[_DETAIL], annotations=[{"type": "t"}]),
            _choice(reasoning_details=[{**_DETAIL, "text": ["a"]}]),
            _choice(audio={"id": "a", "data": "b", "transcript": "c"}),
            _choice(function_call={"name": "sample", "arguments": "{}"}),
            _choice(tool_calls=[_PIECE, _CUSTOM]),
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": {"a": 1}},
        ],
        "openai-responses stream": [
            _event("response.created", response={"id": "r1", "status": "in_progress"}),
            _event("response.output_item.added", item=_CALL),
            _event("response.function_call_arguments.delta", delta="{}"),
            _event("response.function_call_arguments.done", arguments="{}"),
            _event("response.output_text.delta", item_id="i2", output_index=1, **_TEXT),
            _event("response.refusal.delta", item_id="i2", output_index=1, **_TEXT),
            _event("response.reasoning_summary_text.delta", item_id="i3", **_SUMMARY),
            _event("response.output_item.done", item={**_CALL, "arguments": "{}"}),
            _event("response.completed", response={"status": "completed", "output": []}),
        ],
        "anthropic stream": [
            {"type": "message_start", "message": {"role": "assistant", "content": []}},
            {
                "type": "content_block_start",
                "index": 0,
                "content_block": {"type": "tool_use", "id": "c1", "name": "sample", "input": {}},
            },
            *(
                {"type": "content_block_delta", "index": 0, "delta": delta}
                for delta in (
                    {"type": "input_json_delta", "partial_json": "{}"},
                    {"type": "text_delta", "text": "a"},
                    {"type": "thinking_delta", "thinking": "a"},
                    {"type": "signature_delta", "signature": "s"},
                    {"type": "citations_delta", "citation": {"type": "c"}},
                    {"type": "compaction_delta", "content": "a"},
                )
            ),
            {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"a": 1}},
            {"type": "message_stop"},
        ],
        "gemini stream": [
            _parts({"text": "a", "thought": True}, {"text": "b", "thoughtSignature": "s"}),
            _parts({"text": "c"}, {"inlineData": {"data": "d", "mimeType": "m"}}, index=0),
            _parts({"functionCall": {"name": "sample", "args": {"id": 1}, "id": "c1"}}),
            _parts(
                {
                    "functionCall": {
                        "name": "sample",
                        "partialArgs": [_ARGUMENT],
                        "willContinue": True,
                    }
                }
            ),
            _parts({"functionCall": {"partialArgs": [{**_ARGUMENT, "willContinue": False}]}}),
            {**_parts(finishReason="STOP"), "promptFeedback": {"blockReason": "B"}},
        ],
        "bedrock-converse stream": [
            {"messageStart": {"role": "assistant"}},
            *(
                {"contentBlockStart": {"contentBlockIndex": at, "start": start}}
                for at, start in enumerate(
                    (
                        {"toolUse": {"toolUseId": "c1", "name": "sample"}},
                        {"toolResult": {"toolUseId": "c2"}},
                        {"image": {"format": "png"}},
                    )
                )
            ),
            *(
                {"contentBlockDelta": {"contentBlockIndex": at, "delta": delta}}
                for at, delta in enumerate(
                    (
                        {"toolUse": {"input": "{}"}},
                        {"toolResult": [{"text": "a"}]},
                        {"image": {"source": {"bytes": "a"}}},
                        {"reasoningContent": {"text": "a", "signature": "s"}},
                        {"reasoningContent": {"redactedContent": "a"}},
                        {"text": "a", "citation": {"title": "t"}},
                    )
                )
            ),
            {"messageStop": {"stopReason": "tool_use"}},
            {"metadata": {"usage": {"inputTokens": 1}}},
        ],
        "cohere-v2 stream": [
            {"type": "message-start", "id": "r1"},
            _said("tool-plan-delta", tool_plan="a"),
            _said("content-start", 0, content={"type": "thinking", "thinking": "a"}),
            _said("content-delta", 0, content={"text": "a", "thinking": "b"}),
            _said("tool-call-start", 1, tool_calls=_PIECE),
            _said("tool-call-delta", 1, tool_calls={"function": {"arguments": "{}"}}),
            _said("citation-start", 0, citations={"text": "a"}),
            {"type": "message-end", "delta": {"finish_reason": "TOOL_CALL", "usage": {"a": 1}}},
        ],
    }
)
