"""The kinds of values that a schema allows, as far as its types, enumerations and parts tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import Any, Final
from weakref import WeakKeyDictionary

from toolferry.joint import targets
from toolferry.once_each import once_per_part
from toolferry.tool import Tool

#: All kinds; what is a number and whole is both.
EVERY_KIND: Final = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_NUMBER: Final = frozenset({"integer", "number"})

#: The kinds that schemas of a tool allow, by the schema, which lives as long as its tool.
_KINDS: Final[WeakKeyDictionary[Tool, dict[int, frozenset[str]]]] = WeakKeyDictionary()


def kinds_of(tool: Tool, schema: Any) -> frozenset[str]:
    """Give the kinds that a schema may allow: none that it allows is left out.

    Args:
        tool: The tool in whose schema references are looked up.
        schema: One of its schemas, or a boolean one.

    >>> tool = Tool(name="get", parameters={"anyOf": [{"type": "integer"}, {"type": "null"}]})
    >>> sorted(kinds_of(tool, tool.parameters))
    ['integer', 'null']
    """
    if not isinstance(schema, Mapping):
        return EVERY_KIND if schema else frozenset()
    known = _KINDS.setdefault(tool, {})
    if id(schema) not in known:
        _look(tool, schema, known)
    return known[id(schema)]


def _look(tool: Tool, schema: Mapping[str, Any], known: dict[int, frozenset[str]]) -> None:
    """Note what a schema allows, and before that, what those allow that it leads to.

    Each is looked at once; they may be many levels deep, and never lead back: see `endless`.
    """
    todo: list[Mapping[str, Any]] = [schema]
    while todo:
        told = list(_together(tool.parameters, todo[-1]))
        ahead = [one for parts in told for one in parts if _is_new(one, known)]
        if not ahead:
            one = todo.pop()
            allowed = (_union(kinds_of(tool, part) for part in parts) for parts in told)
            known[id(one)] = reduce(frozenset.intersection, allowed, _named(one))
        todo += ahead
        while todo and id(todo[-1]) in known:
            todo.pop()


def _is_new(schema: Any, known: Mapping[int, object]) -> bool:
    return isinstance(schema, Mapping) and id(schema) not in known


def _together(root: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[list[Any]]:
    """Give lists of schemas: of each list, a value has to fit one."""
    yield from ([part] for part in schema.get("allOf", ()))
    yield from (schema[keyword] for keyword in ("anyOf", "oneOf") if keyword in schema)
    yield from ([target] for target in targets(root, schema))


def members_of(tool: Tool, schema: Any) -> list[Any] | None:
    """Give the values that a schema lists, if it lists all that it allows; None when it does not.

    Args:
        tool: The tool in whose schema references are looked up.
        schema: One of its schemas, or a boolean one.

    >>> tool = Tool(name="get", parameters={"anyOf": [{"const": 1}, {"enum": ["a"]}]})
    >>> members_of(tool, tool.parameters)
    [1, 'a']
    """
    return _members(tool, schema)


@once_per_part
def _members(tool: Tool, schema: Any) -> list[Any] | None:
    listed: list[Any] = []
    seen: set[int] = set()
    todo = [schema]
    while todo:
        one = todo.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        values = _listed(one)
        parts = _alternatives(tool.parameters, one) if values is None else []
        if values is None and not parts:
            return None
        listed += values or ()
        todo += reversed(parts)
    return listed


def _listed(schema: Any) -> list[Any] | None:
    if not isinstance(schema, Mapping):
        return None if schema else []
    return [schema["const"]] if "const" in schema else schema.get("enum")


def _alternatives(root: Mapping[str, Any], schema: Any) -> list[Any]:
    """Give the schemas of which a value fits one, where a schema tells no more than that."""
    if not isinstance(schema, Mapping):
        return []
    return targets(root, schema)[:1] or schema.get("anyOf") or schema.get("oneOf") or []


def _named(schema: Mapping[str, Any]) -> frozenset[str]:
    if "const" in schema:
        return _kinds_of_value(schema["const"])
    if "enum" in schema:
        return _union(map(_kinds_of_value, schema["enum"]))
    declared = schema.get("type")
    if declared is None:
        return EVERY_KIND
    names = [declared] if isinstance(declared, str) else declared
    return _union(_NUMBER if name == "number" else frozenset({name}) for name in names)


def _union(kinds: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*kinds)


def _kinds_of_value(value: Any) -> frozenset[str]:
    match value:
        case bool():
            return frozenset({"boolean"})
        case int() | float():
            return _NUMBER if value == int(value) else frozenset({"number"})
        case None:
            return frozenset({"null"})
        case str():
            return frozenset({"string"})
        case _:
            return frozenset({"array" if isinstance(value, list) else "object"})
