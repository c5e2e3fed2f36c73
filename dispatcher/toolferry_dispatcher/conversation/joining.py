"""Messages of a person behind the results of tools, which some formats tell as a person's, too.

Some APIs refuse two messages of the user in a row. Where both are lists of blocks, they are one
message; what was told by tools stays in front.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def joined(
    messages: Iterable[Mapping[str, Any]], more: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Put messages behind others.

    >>> asked = {"role": "user", "content": [{"text": "And?"}]}
    >>> told = {"role": "user", "content": [{"toolResult": {}}]}
    >>> joined([told], [asked])
    [{'role': 'user', 'content': [{'toolResult': {}}, {'text': 'And?'}]}]
    >>> len(joined([{"role": "user", "content": "How?"}], [asked]))
    2
    """
    together = [dict(message) for message in messages]
    for message in more:
        if together and _are_one(together[-1], message):
            last = together[-1]
            together[-1] = {**last, "content": [*last["content"], *message["content"]]}
        else:
            together.append(dict(message))
    return together


def _are_one(message: Mapping[str, Any], following: Mapping[str, Any]) -> bool:
    pair = (message, following)
    return all(one.get("role") == "user" for one in pair) and all(
        isinstance(one.get("content"), list) for one in pair
    )
