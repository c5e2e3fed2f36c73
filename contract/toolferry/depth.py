"""The depth of JSON data."""

from __future__ import annotations

from itertools import chain
from typing import Any, Final

# Made once: to write `dict | list` where it is asked takes as long as asking.
_CONTAINERS: Final = (dict, list)


def is_deeper(value: Any, limit: int) -> bool:
    """Say whether objects and arrays lie in each other more than `limit` levels deep.

    Ends for every value, also for one that holds itself, and looks at each container once a level.

    >>> is_deeper({"a": [1, {"b": 2}]}, 3), is_deeper({"a": [1, {"b": 2}]}, 2)
    (False, True)
    """
    if isinstance(value, dict) and limit > 0 and not any(map(_is_container, value.values())):
        return False  # as most arguments are: it takes a third of the time
    level = {id(value): value} if isinstance(value, _CONTAINERS) else {}
    while level and limit >= 0:
        limit -= 1
        inside = chain.from_iterable(
            one.values() if isinstance(one, dict) else one for one in level.values()
        )
        level = {id(one): one for one in inside if isinstance(one, _CONTAINERS)}
    return limit < 0


def _is_container(value: Any) -> bool:
    return isinstance(value, _CONTAINERS)
