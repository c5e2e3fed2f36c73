"""The definition of a tool: everything but its code, as JSON data.

A process that has only definitions can show tools to a model, judge its calls and send them to
others. What is code, or means something in one process only, is not part of it: the handler, the
rules, which a worker asks again, the adapter, what is taken out of results, the view for people,
the exceptions after which nothing is retried, the time of its making.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any, Final

from toolferry.approval import Approval
from toolferry.errors import ToolInvalid
from toolferry.placement import Concurrency, Rate
from toolferry.retry import RetryPolicy
from toolferry.tool import Tool


@dataclass(frozen=True, slots=True)
class _Form:
    """How the values of a field become JSON data, and come back."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


_PLAIN: Final = _Form(lambda value: value, lambda data: data)
_WORD: Final = _Form(str, str)
_NAMES: Final = _Form(sorted, frozenset)
_LIST: Final = _Form(list, lambda data: data)
_MAP: Final = _Form(dict, dict)
_RETRY: Final = _Form(RetryPolicy.to_json, RetryPolicy.from_json)
#: Where the predicate is not known, a person is always asked.
_CONFIRM: Final = _Form(lambda confirm: confirm is not False, lambda data: data)
_APPROVAL: Final = _Form(Approval.to_json, Approval.from_json)
_LIMIT: Final = _Form(
    lambda limit: limit and asdict(limit),
    lambda data: data and Concurrency(data["limit"], data["key"]),
)
_RATE: Final = _Form(
    lambda rate: rate and asdict(rate),
    lambda data: data and Rate(data["limit"], data["per"], data["key"]),
)

#: The fields of a definition, in the order in which they are written.
FIELDS: Final[Mapping[str, _Form]] = MappingProxyType(
    {
        "name": _PLAIN,
        "description": _PLAIN,
        "parameters": _PLAIN,
        "display": _PLAIN,
        "category": _PLAIN,
        "tags": _NAMES,
        "effect": _WORD,
        "idempotent": _PLAIN,
        "timeout": _PLAIN,
        "deadline": _PLAIN,
        "answer_within": _PLAIN,
        "retry": _RETRY,
        "lane": _WORD,
        "queue": _PLAIN,
        "concurrency": _LIMIT,
        "rate": _RATE,
        "polling": _PLAIN,
        "permissions": _NAMES,
        "allowed_roles": _NAMES,
        "environments": _NAMES,
        "tenants": _NAMES,
        "confirm": _CONFIRM,
        "approval": _APPROVAL,
        "risk": _WORD,
        "resource": _PLAIN,
        "exclusive": _PLAIN,
        "max_result_bytes": _PLAIN,
        "result_format": _WORD,
        "examples": _LIST,
        "cost": _PLAIN,
        "version": _PLAIN,
        "verifiable": _PLAIN,
        "undo": _PLAIN,
        "deciders": _NAMES,
        "lint_accepted": _MAP,
        "result_schema": _PLAIN,
    }
)
#: What is left out where a tool has none, so that others are written as they always were.
_RARE: Final = frozenset({"result_schema"})


def tool_to_json(tool: Tool) -> dict[str, Any]:
    """Give the definition of a tool as JSON data.

    >>> tool_to_json(Tool(name="look_up", tags={"web"}))["tags"]
    ['web']
    """
    fields = {name: form.write(getattr(tool, name)) for name, form in FIELDS.items()}
    return {name: data for name, data in fields.items() if data is not None or name not in _RARE}


def tool_from_json(data: Mapping[str, Any]) -> Tool:
    """Make a tool without a handler from its definition: to be shown and dispatched, not run.

    Keys of a newer release are passed over, missing ones take the defaults of `Tool`. Whether the
    schema can be enforced is checked when the tool is declared, see `Registry.declare`.

    Raises:
        ToolInvalid: The data has no name, or a field is out of its range.
        SchemaInvalid: The schema is no JSON data.

    >>> tool_from_json({"name": "look_up", "lane": "async", "colour": "red"}).lane
    <Lane.ASYNC: 'async'>
    """
    if not isinstance(data.get("name"), str):
        raise ToolInvalid("definition", f"it has no name: {sorted(data)}")
    try:
        fields = {name: form.read(data[name]) for name, form in FIELDS.items() if name in data}
        return Tool(**fields)
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        raise ToolInvalid(data["name"], f"its definition cannot be read: {error}") from error
