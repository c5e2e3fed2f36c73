"""The checkpoint: what an attempt keeps for the next one, as JSON text of a bounded size."""

from __future__ import annotations

import json
from typing import Any, Final

from toolferry.errors import CheckpointInvalid
from toolferry.wording import kind_of

#: Bytes of JSON text that a checkpoint may have: it says where to go on, and is no place for
#: results.
MAX_CHECKPOINT_BYTES: Final = 64 * 1024


def checkpoint_text(data: Any) -> bytes:
    """Write a checkpoint as JSON text.

    Raises:
        CheckpointInvalid: It is no JSON data, or too much.

    >>> checkpoint_text({"page": 3})
    b'{"page":3}'
    """
    try:
        text = json.dumps(data, separators=(",", ":"), allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise CheckpointInvalid(
            f"it is no JSON data ({kind_of(data)}: {error}); give objects, lists, texts and numbers"
        ) from error
    if len(text) > MAX_CHECKPOINT_BYTES:
        raise CheckpointInvalid(
            f"it has {len(text)} bytes and may have {MAX_CHECKPOINT_BYTES}: keep where to go on,"
            " not the work itself"
        )
    return text
