"""Events as Bedrock streams them: binary frames, each with its lengths and checksums.

Source: Amazon Event Stream Encoding, in the Smithy specification.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping
from typing import Any, Final

#: The type of a header's value that is a text.
_TEXT: Final = 7


def frame(kind: str, data: Mapping[str, Any]) -> bytes:
    """Write one event.

    Args:
        kind: Of the event, as `messageStart`.
        data: What it holds.
    """
    named = {":message-type": "event", ":event-type": kind, ":content-type": "application/json"}
    headers = b"".join(_header(name, value) for name, value in named.items())
    payload = json.dumps(data, ensure_ascii=False).encode()
    # Two lengths and a checksum before them; a checksum of all behind them.
    prelude = struct.pack("!II", 16 + len(headers) + len(payload), len(headers))
    checked = prelude + _checksum(prelude) + headers + payload
    return checked + _checksum(checked)


def _header(name: str, value: str) -> bytes:
    raw_name, raw = name.encode(), value.encode()
    return bytes([len(raw_name)]) + raw_name + struct.pack("!BH", _TEXT, len(raw)) + raw


def _checksum(raw: bytes) -> bytes:
    return struct.pack("!I", zlib.crc32(raw))
