"""Inputs that look like responses: JSON of the words that the formats are made of."""

from __future__ import annotations

import json
from typing import Any, Final

from hypothesis import strategies as st

_TEXT: Final = """
id type role name arguments content text message messages choices delta index finish_reason
tool_calls function custom input output refusal audio error code status response output_text
call_id item item_id output_index content_index sequence_number function_call
function_call_output custom_tool_call reasoning summary encrypted_content incomplete_details
reason tool_use server_tool_use tool_result thinking signature stop_reason content_block
content_block_start content_block_delta content_block_stop message_start message_delta
message_stop partial_json input_json_delta text_delta candidates parts functionCall args
partialArgs willContinue thoughtSignature finishReason toolUse toolUseId stopReason
contentBlockStart contentBlockDelta contentBlockIndex start tool_plan tool-call-start
tool-call-delta tool-call-end message-start message-end response.completed
response.output_item.added response.output_item.done response.function_call_arguments.delta
assistant user model stop length calls tool_calls sample list inner level any on ratio jsonPath
stringValue numberValue nullValue boolValue $.a $.list[0]
"""
#: The keys and values of all formats: what is read at all is reached by these.
WORDS: Final = tuple(_TEXT.split())
TEXTS: Final = ("", "null", "{}", '{"id": 1}', '{"id": "1"}', '"{}"', "```{}```", "{}{}", '{"id": ')

_scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([0.5, 1e400, 2**70, -1])
    | st.sampled_from(WORDS)
    | st.sampled_from(TEXTS)
    | st.text(max_size=6)
)
_keys = st.sampled_from(WORDS)


def _containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=4) | st.dictionaries(_keys, inner, max_size=6)


#: Bytes of JSON text, of which some is cut off.
JSON_BYTES: Final = st.builds(
    lambda data, cut: json.dumps(data).encode()[: cut or None],
    st.recursive(_scalars, _containers, max_leaves=25),
    st.sampled_from([0, 0, 0, -1, -2]),
)
