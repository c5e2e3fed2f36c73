"""What strict modes and narrow formats force into arguments, and the way back.

A provider that wants every member of an object sent gets null for what was left out; one that
takes few characters in the names of members gets other names. Both are undone here, so that a tool
sees what its own schema speaks of. Pure: arguments in, arguments out.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from toolferry.joint import Joint, Joints, judging, targets
from toolferry.once_each import once_each
from toolferry.subschemas import walk

if TYPE_CHECKING:
    from toolferry.tool import Tool

#: Characters of a member's name. Source: Gemini's rule for the names of parameters; the shortest.
_LONGEST: Final = 64
_LEGAL: Final = re.compile(rf"[A-Za-z_][A-Za-z0-9_]{{0,{_LONGEST - 1}}}")
_ILLEGAL_RUN: Final = re.compile(r"[^A-Za-z0-9_]+")
#: Hex digits that tell apart two names that became alike.
_HASH_LENGTH: Final = 8
#: What has values inside.
_DEEP: Final = (dict, list, Mapping)
_ALL: Final = ("allOf",)

_Object: TypeAlias = Mapping[str, Any]
_Mend: TypeAlias = Callable[[Joint, _Object], _Object]
_Concerns: TypeAlias = Callable[[Any], bool]


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
    alike = Counter(stems.values())
    return {
        name: stem if stem == name or alike[stem] == 1 else _told_apart(name, stem)
        for name, stem in stems.items()
    }


def renames(schema: Mapping[str, Any]) -> bool:
    """Tell whether a member of a schema goes by another name on some wire.

    >>> renames({"properties": {"Content-Type": {}}}), renames({"properties": {"id": {}}})
    (True, False)
    """
    members = (name for _, part in walk(schema) for name in part.get("properties", ()))
    return not all(map(_LEGAL.fullmatch, members))


def restore_members(tool: Tool, arguments: _Object) -> tuple[_Object, tuple[str, ...]]:
    """Give members their own names back.

    Args:
        tool: Whose arguments they are.
        arguments: As they were read; never changed.

    Returns:
        The arguments, and the names that were put right.

    >>> from toolferry import Tool
    >>> schema = {"properties": {"Content-Type": {"type": "string"}}}
    >>> restore_members(Tool(name="send", parameters=schema), {"Content_Type": "text/plain"})
    ({'Content-Type': 'text/plain'}, ('Content-Type',))
    """
    restored: list[str] = []

    def mend(joint: Joint, value: _Object) -> _Object:
        own = _own_names(joint)
        names = {key: own[key] for key in value if key in own and own[key] not in value}
        if not names:
            return value
        restored.extend(names.values())
        return {names.get(key, key): child for key, child in value.items()}

    return _mended(_joints(tool).whole, arguments, mend, _holds_any), tuple(restored)


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
    return _wired(Joints(root).of(parts), value, legal)


def drop_forced_nulls(tool: Tool, arguments: _Object) -> tuple[_Object, tuple[str, ...]]:
    """Leave out each null that stands for a member that was left out.

    Such a member is one that the schema names, that need not be there, at least in some
    alternative, and that may not be null.

    Args:
        tool: Whose arguments they are.
        arguments: As they were read; never changed.

    Returns:
        The arguments, and the names of the members that were left out.

    >>> from toolferry import Tool
    >>> schema = {"properties": {"q": {"type": "string"}, "lang": {"type": "string"}}}
    >>> drop_forced_nulls(Tool(name="find", parameters=schema), {"q": "x", "lang": None})
    ({'q': 'x'}, ('lang',))
    """
    around = _around_nulls(arguments)
    if not around:
        return arguments, ()
    dropped: list[str] = []

    def mend(joint: Joint, value: _Object) -> _Object:
        absent = _stand_for_nothing(joint)
        forced = {key: None for key, child in value.items() if child is None and key in absent}
        dropped.extend(forced)
        return {key: child for key, child in value.items() if key not in forced}

    joint = _joints(tool).whole
    return _mended(joint, arguments, mend, lambda value: id(value) in around), tuple(dropped)


def admits_null(root: _Object, schema: Any) -> bool:
    """Say whether null fits a schema, as far as its types, values and alternatives tell.

    Args:
        root: The whole schema document.
        schema: The part of it that is asked about.

    >>> admits_null({}, {"anyOf": [{"type": "string"}, {"type": "null"}]})
    True
    >>> admits_null({}, {"type": "string"})
    False
    """
    return _admits(root, schema, {})


def _admits(root: _Object, schema: Any, known: dict[int, bool]) -> bool:
    """Say so of each schema once; one that leads back to itself never ends, and admits nothing."""
    if not isinstance(schema, Mapping):
        return schema is True
    if id(schema) not in known:
        known[id(schema)] = False
        known[id(schema)] = _names_null(schema) and _parts_admit(root, schema, known)
    return known[id(schema)]


def _names_null(schema: _Object) -> bool:
    kinds = schema.get("type", "null")
    if "null" not in ([kinds] if isinstance(kinds, str) else kinds):
        return False
    return None in schema.get("enum", (None,)) and schema.get("const") is None


def _parts_admit(root: _Object, schema: _Object, known: dict[int, bool]) -> bool:
    all_of = [*targets(root, schema), *schema.get("allOf", ())]
    return all(_admits(root, part, known) for part in all_of) and all(
        any(_admits(root, part, known) for part in schema[keyword])
        for keyword in ("anyOf", "oneOf")
        if keyword in schema
    )


def _holds_any(value: Any) -> bool:
    return isinstance(value, _DEEP) and bool(value)


def _around_nulls(value: Any) -> set[int]:
    """Give what null stands in, however deep, by identity."""
    around: set[int] = set()
    links: set[int] = set()
    todo: list[tuple[Any, Any]] = [(value, None)]
    for link in todo:  # each with the one that it stands in; more come meanwhile
        inside = link[0].values() if isinstance(link[0], Mapping) else link[0]
        todo += [(child, link) for child in inside if isinstance(child, _DEEP)]
        above = link if None in inside else None
        while above is not None and id(above) not in links:  # a value may stand at two places
            links.add(id(above))
            around.add(id(above[0]))
            above = above[1]
    return around


def _stem(name: str) -> str:
    plain = _ILLEGAL_RUN.sub("_", name).strip("_") or "member"
    return (plain if _LEGAL.match(plain) else f"_{plain}")[:_LONGEST]


def _told_apart(name: str, stem: str) -> str:
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]
    return f"{stem[: _LONGEST - _HASH_LENGTH - 1]}_{digest}"


@once_each
def _joints(tool: Tool) -> Joints:
    return Joints(tool.parameters)


@once_each
def _wire_names(joint: Joint) -> dict[str, str]:
    return wire_members(joint.names)


@once_each
def _own_names(joint: Joint) -> dict[str, str]:
    """Give the names of members that go by another one, by that."""
    others = _wire_names(joint).items()
    return {wire: name for name, wire in others if wire not in joint.names}


@once_each
def _stand_for_nothing(joint: Joint) -> frozenset[str]:
    """Give the names of the members of which null says that they were left out."""
    known: dict[int, bool] = {}
    always = judging(joint.root, joint.schemas[:1], _ALL)
    kept = {name for schema in always for name in schema.get("required", ())}
    for schema in joint.schemas:
        members = schema.get("properties", {}).items()
        kept |= {name for name, child in members if _admits(joint.root, child, known)}
    return frozenset(joint.names.keys() - kept)


def _mended(joint: Joint, value: Any, mend: _Mend, concerns: _Concerns) -> Any:
    """Mend a value and those in it that it concerns, from the outside in."""
    if not joint.schemas:
        return value
    if isinstance(value, list):
        return [
            _mended(joint.element(index), child, mend, concerns) if concerns(child) else child
            for index, child in enumerate(value)
        ]
    return {
        key: _mended(joint.member(key), child, mend, concerns) if concerns(child) else child
        for key, child in mend(joint, value).items()
    }


def _wired(joint: Joint, value: Any, legal: re.Pattern[str]) -> Any:
    if isinstance(value, list):
        return [_wired(joint.element(at), element, legal) for at, element in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    wire = _wire_names(joint)
    return {
        name if legal.fullmatch(name) else wire.get(name, name): _wired(
            joint.member(name), child, legal
        )
        for name, child in value.items()
    }
