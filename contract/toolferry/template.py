"""Templates over arguments: `"Read {path}"` for people, `"file:{path}"` for a resource.

A place is the name of an argument, with dots into nested objects. Nothing else is understood: no
attributes, no indexes, no format specifications, so that a model's arguments can do no harm.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from toolferry.legible import value_line
from toolferry.references import resolve
from toolferry.subschemas import IN_PLACE
from toolferry.wording import MAX_GOT

#: A place in a template: what stands between braces.
_PLACE: Final = re.compile(r"\{([^{}]*)\}")
#: What a template says in place of an argument that is missing or secret.
NOT_SHOWN: Final = "…"
#: Keywords whose schemas may name further members of the same object.
_MAY_NAME_MORE: Final = (IN_PLACE - {"not"}) | {"$ref", "$dynamicRef", "patternProperties"}


def places(template: str) -> tuple[str, ...]:
    """List the places of a template, each once, in order.

    >>> places("{where.table}/{id}")
    ('where.table', 'id')
    """
    return tuple(dict.fromkeys(_PLACE.findall(template)))


def unknown_places(template: str, schema: Mapping[str, Any]) -> tuple[str, ...]:
    """List the places of a template that no parameter of a schema can fill.

    Args:
        template: The template.
        schema: The JSON Schema of the arguments; its references lead somewhere.

    >>> unknown_places("{path} {pth} {where.row}", {"properties": {"path": {}, "where": {}}})
    ('pth',)
    """
    return tuple(place for place in places(template) if not _leads(schema, place))


def fill(template: str, value_at: Callable[[str], Any]) -> str:
    """Fill a template for people, in one legible line; long values are shortened.

    Args:
        template: The template.
        value_at: Gives the value of a place; None shows as an ellipsis.

    >>> fill("Read {path} from {host}", {"path": "a.txt"}.get)
    'Read a.txt from …'
    """
    return _PLACE.sub(lambda match: _shown(value_at(match[1])), template)


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
    return NOT_SHOWN if value is None else value_line(value, MAX_GOT)


def _leads(schema: Mapping[str, Any], place: str) -> bool:
    """Say whether a place can lead to a value: its first part must, the others when it is known."""
    known: Any = schema.get("properties", {})
    for key in place.split("."):
        if key not in known:
            return False
        known = _members(schema, known[key])
        if not known:
            return True
    return True


def _members(root: Mapping[str, Any], schema: Any) -> Mapping[str, Any]:
    """Give the members that a schema names; none where another schema may name more."""
    while isinstance(schema, Mapping) and "$ref" in schema and "properties" not in schema:
        schema = resolve(root, schema["$ref"])
    if not isinstance(schema, Mapping) or not _MAY_NAME_MORE.isdisjoint(schema):
        return {}
    members: Mapping[str, Any] = schema.get("properties", {})
    return members
