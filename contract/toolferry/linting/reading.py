"""Reading a definition from JSON data, in the forms in which people have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolferry.depth import is_deeper
from toolferry.errors import DefinitionMalformed
from toolferry.linting.definition import Definition
from toolferry.schema import MAX_SCHEMA_DEPTH
from toolferry.states import EffectClass
from toolferry.wording import clean_text, kind_of, value_text

#: Where the schema stands: of OpenAI and most others, of Anthropic, of MCP.
_SCHEMA_KEYS: Final = ("parameters", "input_schema", "inputSchema")


def read_definition(data: Any) -> Definition:
    """Read one definition: `{"name", "description", "parameters"}`, bare or inside `function`.

    The schema may also be called `input_schema` or `inputSchema`. Optional, and understood where
    they are given: `effect` (read, write, destructive), `permissions` and `examples`. Any other
    member is passed over.

    Raises:
        DefinitionMalformed: It is no definition; the reason names the member.

    >>> read_definition({"type": "function", "function": {"name": "orders_get"}}).name
    'orders_get'
    """
    body = _body(data)
    return Definition(
        name=_name(body),
        description=clean_text(_typed(body, "description", str, "")),
        parameters=_parameters(body),
        effect=_effect(body),
        permissions=_permissions(body),
        examples=_examples(body),
    )


def _body(data: Any) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise DefinitionMalformed("tool", f"is {kind_of(data)}, not an object")
    if is_deeper(data, MAX_SCHEMA_DEPTH):
        raise DefinitionMalformed("tool", f"is more than {MAX_SCHEMA_DEPTH} levels deep")
    return _typed(data, "function", dict, data) if "name" not in data else data


def _name(body: Mapping[str, Any]) -> str:
    name = clean_text(_typed(body, "name", str, ""))
    if not name.strip():
        raise DefinitionMalformed("name", "is missing or empty")
    return name


def _parameters(body: Mapping[str, Any]) -> Mapping[str, Any]:
    key = next((key for key in _SCHEMA_KEYS if key in body), _SCHEMA_KEYS[0])
    return dict(_typed(body, key, dict, {}))


def _effect(body: Mapping[str, Any]) -> EffectClass | None:
    word = _typed(body, "effect", str, None)
    if word is not None and word not in set(EffectClass):
        allowed = ", ".join(EffectClass)
        raise DefinitionMalformed("effect", f"is {value_text(word)}, not one of {allowed}")
    return None if word is None else EffectClass(word)


def _permissions(body: Mapping[str, Any]) -> frozenset[str] | None:
    names = _typed(body, "permissions", list, None)
    if names is not None and not all(isinstance(name, str) for name in names):
        raise DefinitionMalformed("permissions", "holds something else than names")
    return None if names is None else frozenset(names)


def _examples(body: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    examples = _typed(body, "examples", list, [])
    if not all(isinstance(example, dict) for example in examples):
        raise DefinitionMalformed("examples", "holds something else than objects of arguments")
    return tuple(examples)


def _typed(body: Mapping[str, Any], key: str, kind: type[Any], default: Any) -> Any:
    """Give a member that has its type; the default when it is missing or null."""
    value = body.get(key)
    if value is not None and not isinstance(value, kind):
        raise DefinitionMalformed(key, f"is {kind_of(value)}, not {kind_of(kind())}")
    return default if value is None else value
