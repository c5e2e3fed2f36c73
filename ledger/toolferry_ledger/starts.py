"""When calls of a rate started: forgotten with calls that are erased.

The name of a rate may hold a tenant or an argument, so it must not outlive the last call of which
it tells. A rate has that much more room then.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

#: Names that are read together.
_BATCH: Final = 500


def erase_starts(client: Any, start: str, calls: Collection[str]) -> None:
    """Erase when calls started, from every rate.

    Args:
        client: The connection.
        start: What the namespace's keys start with, as a pattern of the server.
        calls: The keys of the calls.
    """
    for log in client.scan_iter(match=f"{start}started:*", count=_BATCH):
        gone = [name for name in client.zrange(log, 0, -1) if _is_of(name, calls)]
        if gone:
            client.zrem(log, *gone)


def _is_of(name: bytes, calls: Collection[str]) -> bool:
    """Tell whether a start is of one of the calls: their key, and the number of a notice mostly."""
    text = name.decode()
    return text in calls or text.rpartition(" ")[0] in calls
