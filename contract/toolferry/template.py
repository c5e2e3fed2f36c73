"""Templates over arguments: `"Read {path}"` for people, `"file:{path}"` for a resource.

A place is the name of an argument, with dots into nested objects. Nothing else is understood: no
attributes, no indexes, no format specifications, so that a model's arguments can do no harm.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from toolferry.wording import MAX_GOT, shortened, value_text

#: A place in a template: what stands between braces.
_PLACE: Final = re.compile(r"\{([^{}]*)\}")
#: What a template says in place of an argument that is missing or secret.
NOT_SHOWN: Final = "…"


def places(template: str) -> tuple[str, ...]:
    """List the places of a template, each once, in order.

    >>> places("{where.table}/{id}")
    ('where.table', 'id')
    """
    return tuple(dict.fromkeys(_PLACE.findall(template)))


def fill(template: str, arguments: Mapping[str, Any]) -> str:
    """Fill a template; a missing argument shows as an ellipsis, a long one is shortened.

    >>> fill("Read {path} from {where.host}", {"path": "a.txt"})
    'Read a.txt from …'
    """
    return _PLACE.sub(lambda match: _shown(find(arguments, match[1])), template)


def find(arguments: Any, place: str) -> Any:
    """Follow a dotted name into the arguments; None when it leads nowhere.

    >>> find({"where": {"table": "users"}}, "where.table")
    'users'
    """
    for key in place.split("."):
        if not isinstance(arguments, Mapping):
            return None
        arguments = arguments.get(key)
    return arguments


def _shown(value: Any) -> str:
    if value is None:
        return NOT_SHOWN
    if isinstance(value, str):
        return shortened(" ".join(value.split()), MAX_GOT)
    return value_text(value)
