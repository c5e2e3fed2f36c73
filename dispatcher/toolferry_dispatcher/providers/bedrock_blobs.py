"""Bytes in messages of Bedrock Converse: base64 text here and on the wire, bytes in `boto3`.

Everything that is kept of a conversation is JSON, and so is what goes over the wire. `boto3` alone
wants bytes where its API has a blob, and gives them; it would encode base64 text once more.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import Any, Final

#: The objects in which blobs lie, and the members that are blobs.
_BLOBS: Final[Mapping[str, str]] = {"source": "bytes", "reasoningContent": "redactedContent"}
#: What tools were asked and gave: data of the application, in which nothing is a blob.
_DATA: Final = frozenset({"input", "json"})


def for_boto3(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Give a copy of messages as `boto3` wants them: with bytes where its API has a blob.

    Messages without pictures, documents and redacted thoughts are the same either way.

    >>> thought = {"reasoningContent": {"redactedContent": "c2VjcmV0"}}
    >>> for_boto3([{"role": "assistant", "content": [thought]}])[0]["content"]
    [{'reasoningContent': {'redactedContent': b'secret'}}]
    """
    return [_with_bytes("", message) for message in messages]


def _with_bytes(name: str, value: Any) -> Any:
    if isinstance(value, list):
        return [_with_bytes(name, child) for child in value]
    if not isinstance(value, Mapping) or name in _DATA:
        return value
    blob = _BLOBS.get(name)
    return {
        key: _bytes_of(child) if key == blob else _with_bytes(key, child)
        for key, child in value.items()
    }


def _bytes_of(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        return text
