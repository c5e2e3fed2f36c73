"""What strict modes and narrow formats force into arguments, and the way back.

A provider that wants every member of an object sent gets null for what was left out; one that
takes few characters in the names of members gets other names. Both are undone here, so that a tool
sees what its own schema speaks of. Pure: arguments in, arguments out.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from toolferry.references import MAX_CHAIN, resolve
from toolferry.subschemas import walk

#: Characters of a member's name. Source: Gemini's rule for the names of parameters; the shortest.
_LONGEST: Final = 64
_LEGAL: Final = re.compile(rf"[A-Za-z_][A-Za-z0-9_]{{0,{_LONGEST - 1}}}")
_ILLEGAL_RUN: Final = re.compile(r"[^A-Za-z0-9_]+")
#: Hex digits that tell apart two names that became alike.
_HASH_LENGTH: Final = 8
#: What has values inside.
_DEEP: Final = (Mapping, list)
_ALL: Final = ("allOf",)
_SOME: Final = ("allOf", "anyOf", "oneOf")

_Mend = Callable[[list[Mapping[str, Any]], Mapping[str, Any]], dict[str, Any]]


def enum_text(value: Any) -> str:
    """Give the text that stands for a value of an enum where only texts may.

    >>> enum_text("a"), enum_text(2), enum_text(True)
    ('a', '2', 'true')
    """
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def wire_members(names: Iterable[str]) -> dict[str, str]:
    """Give each member of an object a name that every provider takes, all of them different.

    A legal name stays. Another one is made legal; where that is not unique, a hash of it follows.

    >>> wire_members(["id", "Content-Type", "größe"])
    {'id': 'id', 'Content-Type': 'Content_Type', 'größe': 'gr_e'}
    """
    known = list(names)
    stems = {name: name if _LEGAL.fullmatch(name) else _stem(name) for name in known}
    alike = list(stems.values())
    return {
        name: stem if stem == name or alike.count(stem) == 1 else _told_apart(name, stem)
        for name, stem in stems.items()
    }


def renames(schema: Mapping[str, Any]) -> bool:
    """Tell whether a member of a schema goes by another name on some wire.

    >>> renames({"properties": {"Content-Type": {}}}), renames({"properties": {"id": {}}})
    (True, False)
    """
    members = (name for _, part in walk(schema) for name in part.get("properties", ()))
    return not all(map(_LEGAL.fullmatch, members))


def restore_members(
    schema: Mapping[str, Any], arguments: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Give members their own names back.

    Args:
        schema: The tool's schema.
        arguments: As they were read; never changed.

    Returns:
        The arguments, and the names that were put right.

    >>> schema = {"properties": {"Content-Type": {"type": "string"}}}
    >>> restore_members(schema, {"Content_Type": "text/plain"})
    ({'Content-Type': 'text/plain'}, ('Content-Type',))
    """
    restored: list[str] = []

    def mend(schemas: list[Mapping[str, Any]], value: Mapping[str, Any]) -> dict[str, Any]:
        own = {wire: name for name, wire in wire_members(_declared(schemas)).items()}
        known = set(own.values())
        mended: dict[str, Any] = {}
        for key, child in value.items():
            name = key if key in known else own.get(key, key)
            name = key if name in value else name
            restored.extend([name] if name != key else [])
            mended[name] = child
        return mended

    return _mended(schema, arguments, mend), tuple(restored)


def wire_value(
    root: Mapping[str, Any], parts: Iterable[Any], value: Any, legal: re.Pattern[str]
) -> Any:
    """Give the members of a value the names that they go by on a wire: `restore_members` undoes it.

    Args:
        root: The whole schema document.
        parts: The schemas in it that judge the value.
        value: JSON data; never changed.
        legal: Fits every name of a member that the wire takes.

    >>> schema = {"properties": {"Content-Type": {"type": "string"}}}
    >>> wire_value(schema, [schema], {"Content-Type": "text/plain"}, re.compile("[a-zA-Z_]+"))
    {'Content_Type': 'text/plain'}
    """
    if not isinstance(value, Mapping | list):
        return value
    schemas = list(_judging(root, parts, _SOME))
    if isinstance(value, list):
        return [
            wire_value(root, _of_element(schemas, index), element, legal)
            for index, element in enumerate(value)
        ]
    wire = wire_members(_declared(schemas))
    return {
        name if legal.fullmatch(name) else wire.get(name, name): wire_value(
            root, _of_member(schemas, name), child, legal
        )
        for name, child in value.items()
    }


def drop_forced_nulls(
    schema: Mapping[str, Any], arguments: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Leave out each null that stands for a member that was left out.

    Such a member is one that the schema names, that need not be there, at least in some
    alternative, and that may not be null.

    Args:
        schema: The tool's schema.
        arguments: As they were read; never changed.

    Returns:
        The arguments, and the names of the members that were left out.

    >>> schema = {"properties": {"q": {"type": "string"}, "lang": {"type": "string"}}}
    >>> drop_forced_nulls(schema, {"q": "x", "lang": None})
    ({'q': 'x'}, ('lang',))
    """
    if not _holds_null(arguments):
        return dict(arguments), ()
    dropped: list[str] = []

    def mend(schemas: list[Mapping[str, Any]], value: Mapping[str, Any]) -> dict[str, Any]:
        forced = [key for key, child in value.items() if child is None]
        forced = [key for key in forced if _stands_for_nothing(schema, schemas, key)]
        dropped.extend(forced)
        return {key: child for key, child in value.items() if key not in forced}

    return _mended(schema, arguments, mend), tuple(dropped)


def admits_null(root: Mapping[str, Any], schema: Any, depth: int = 0) -> bool:
    """Say whether null fits a schema, as far as its types, values and alternatives tell.

    Args:
        root: The whole schema document.
        schema: The part of it that is asked about.
        depth: How many schemas led here; more than a hundred never end.

    >>> admits_null({}, {"anyOf": [{"type": "string"}, {"type": "null"}]})
    True
    >>> admits_null({}, {"type": "string"})
    False
    """
    if not isinstance(schema, Mapping) or depth > MAX_CHAIN:
        return schema is True
    kinds = schema.get("type", "null")
    if "null" not in ([kinds] if isinstance(kinds, str) else kinds):
        return False
    if None not in schema.get("enum", (None,)) or schema.get("const") is not None:
        return False
    if "$ref" in schema and not admits_null(root, resolve(root, schema["$ref"]), depth + 1):
        return False
    if not all(admits_null(root, part, depth + 1) for part in schema.get("allOf", ())):
        return False
    return all(
        any(admits_null(root, part, depth + 1) for part in schema[keyword])
        for keyword in ("anyOf", "oneOf")
        if keyword in schema
    )


def _holds_null(value: Any) -> bool:
    """Say whether null stands anywhere in a value."""
    todo = [value]
    while todo:
        one = todo.pop()
        inside = one.values() if isinstance(one, Mapping) else one
        if None in inside:
            return True
        todo += [child for child in inside if isinstance(child, _DEEP)]
    return False


def _stem(name: str) -> str:
    plain = _ILLEGAL_RUN.sub("_", name).strip("_") or "member"
    return (plain if _LEGAL.match(plain) else f"_{plain}")[:_LONGEST]


def _told_apart(name: str, stem: str) -> str:
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]
    return f"{stem[: _LONGEST - _HASH_LENGTH - 1]}_{digest}"


def _mended(root: Mapping[str, Any], arguments: Mapping[str, Any], mend: _Mend) -> dict[str, Any]:
    mended: dict[str, Any] = _value(root, [root], arguments, mend)
    return mended


def _value(root: Mapping[str, Any], parts: list[Any], value: Any, mend: _Mend) -> Any:
    """Mend a value that the parts of a schema may judge, from the outside in."""
    if not isinstance(value, _DEEP):
        return value
    schemas = list(_judging(root, parts, _SOME))
    if isinstance(value, list):
        return [
            _value(root, list(_of_element(schemas, index)), element, mend)
            if isinstance(element, _DEEP)
            else element
            for index, element in enumerate(value)
        ]
    return {
        key: _value(root, list(_of_member(schemas, key)), child, mend)
        if isinstance(child, _DEEP)
        else child
        for key, child in mend(schemas, value).items()
    }


def _judging(
    root: Mapping[str, Any], parts: Iterable[Any], keywords: Iterable[str]
) -> Iterator[Mapping[str, Any]]:
    """Give the schemas that judge the same value, each once."""
    seen: set[int] = set()
    todo = list(parts)
    while todo:
        schema = todo.pop(0)
        if not isinstance(schema, Mapping) or id(schema) in seen:
            continue
        seen.add(id(schema))
        yield schema
        todo += [part for keyword in keywords for part in schema.get(keyword, ())]
        if "$ref" in schema:
            todo.append(resolve(root, schema["$ref"]))


def _of_member(schemas: Iterable[Mapping[str, Any]], name: str) -> Iterator[Any]:
    for schema in schemas:
        properties = schema.get("properties", {})
        if name in properties:
            yield properties[name]
        else:
            yield schema.get("additionalProperties")


def _of_element(schemas: Iterable[Mapping[str, Any]], index: int) -> Iterator[Any]:
    for schema in schemas:
        first = schema.get("prefixItems", ())
        yield first[index] if index < len(first) else schema.get("items")


def _declared(schemas: Iterable[Mapping[str, Any]]) -> dict[str, None]:
    return {name: None for schema in schemas for name in schema.get("properties", {})}


def _stands_for_nothing(
    root: Mapping[str, Any], schemas: list[Mapping[str, Any]], name: str
) -> bool:
    naming = [schema for schema in schemas if name in schema.get("properties", {})]
    if not naming or any(admits_null(root, one["properties"][name]) for one in naming):
        return False
    always = _judging(root, schemas[:1], _ALL)
    return not any(name in schema.get("required", ()) for schema in always)
