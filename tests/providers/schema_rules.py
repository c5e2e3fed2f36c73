"""What each provider says of schemas, as a judge of wire copies; it shares nothing with them.

Sources: lib/_pydantic.py of `openai`, lib/_parse/_transform.py of `anthropic`, the class Schema and
the description of `response_json_schema` in `google-genai`, and the providers' guides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Node = Mapping[str, Any]
#: A schema, and the keys that lead to it.
Found = tuple[str, Node]
Judge = Callable[[Mapping[str, Any]], Iterator[str]]


def words(text: str) -> frozenset[str]:
    """Give the words of a text."""
    return frozenset(text.split())


_OPENAI_FORMATS = words("date-time time date duration email hostname ipv4 ipv6 uuid")
_ANTHROPIC_FORMATS = _OPENAI_FORMATS | {"uri"}
_OPENAI_REFUSES = words(
    "allOf oneOf not if then else dependentRequired dependentSchemas patternProperties "
    "unevaluatedProperties unevaluatedItems propertyNames minProperties maxProperties contains "
    "minContains maxContains uniqueItems minLength maxLength default prefixItems definitions"
)
_ANTHROPIC_TAKES = words(
    "$defs $ref type enum const anyOf description title properties required additionalProperties "
    "format items minItems"
)
_DEEPSEEK_TAKES = words(
    "type properties required additionalProperties items enum anyOf description pattern format "
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf const default"
)
_GEMINI_TAKES = words(
    "anyOf default description enum example format items maxItems maxLength maxProperties maximum "
    "minItems minLength minProperties minimum nullable pattern properties propertyOrdering "
    "required type"
)
_GEMINI_JSON_TAKES = words(
    "$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems "
    "minimum maximum anyOf oneOf properties additionalProperties required propertyOrdering"
)
_COHERE_TAKES = words(
    "type properties required additionalProperties items enum anyOf description title format "
    "pattern const $ref $defs"
)


def nodes(schema: Any, path: str = "#") -> Iterator[Found]:
    """Give a schema and all schemas inside of it."""
    if not isinstance(schema, Mapping):
        return
    yield path, schema
    for keyword in ("properties", "$defs", "definitions", "patternProperties"):
        for name, child in (schema.get(keyword) or {}).items():
            yield from nodes(child, f"{path}/{keyword}/{name}")
    for keyword in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for index, child in enumerate(schema.get(keyword) or ()):
            yield from nodes(child, f"{path}/{keyword}/{index}")
    for keyword in ("items", "additionalProperties", "not", "if", "then", "else", "contains"):
        yield from nodes(schema.get(keyword), f"{path}/{keyword}")


def plain(schema: Node) -> Iterator[str]:
    """An object at the root that is no composition; arrays and objects complete."""
    if schema.get("type") != "object":
        yield "#: the root is no object"
    for keyword in ("anyOf", "oneOf", "allOf", "enum", "not", "const", "$ref"):
        if keyword in schema:
            yield f"#: {keyword} at the root"
    for path, node in nodes(schema):
        if "array" in _types(node) and not isinstance(node.get("items"), Mapping):
            yield f"{path}: an array without items"
        if "object" in _types(node) and "properties" not in node:
            yield f"{path}: an object without properties"
        if node.get("anyOf") == []:
            yield f"{path}: an anyOf without alternatives"
        yield from _references(schema, path, node)


def anthropic_plain(schema: Node) -> Iterator[str]:
    """As plain, with names of members that the API takes."""
    yield from plain(schema)
    yield from _members(schema, r"[a-zA-Z0-9_.-]{1,64}")


def openai_strict(schema: Node) -> Iterator[str]:
    """Closed objects, all members required, no keyword that is refused."""
    yield from plain(schema)
    properties = 0
    for path, node in nodes(schema):
        properties += len(node.get("properties") or ())
        yield from _closed(path, node)
        yield from _all_required(path, node)
        yield from _without(path, node, _OPENAI_REFUSES)
        yield from _formats(path, node, _OPENAI_FORMATS)
        yield from _typed(path, node)
        if "$ref" in node and len(node) > 1:
            yield f"{path}: something beside a $ref"
        if re.search(r"\(\?<?[=!]", node.get("pattern", "")):
            yield f"{path}: a pattern that looks around"
    if properties > 5000:
        yield "#: more than 5000 members"
    if _depth(schema) > 10:
        yield "#: more than 10 objects deep"


def anthropic_strict(schema: Node) -> Iterator[str]:
    """Closed objects, only what the SDK's own conversion lets through, nothing recursive."""
    yield from anthropic_plain(schema)
    for path, node in nodes(schema):
        yield from _closed(path, node)
        yield from _only(path, node, _ANTHROPIC_TAKES)
        yield from _formats(path, node, _ANTHROPIC_FORMATS)
        yield from _typed(path, node)
        if node.get("minItems", 0) not in (0, 1):
            yield f"{path}: minItems above 1"
        if any(isinstance(value, dict | list) for value in node.get("enum", ())):
            yield f"{path}: an enum of objects"
    yield from _endless(schema)


def deepseek_strict(schema: Node) -> Iterator[str]:
    """Closed objects, all members required, one type each, no references."""
    yield from plain(schema)
    for path, node in nodes(schema):
        yield from _closed(path, node)
        yield from _all_required(path, node)
        yield from _only(path, node, _DEEPSEEK_TAKES)
        yield from _formats(path, node, words("email hostname ipv4 ipv6 uuid"))
        yield from _typed(path, node)
        if isinstance(node.get("type"), list):
            yield f"{path}: a list of types"


def gemini(schema: Node) -> Iterator[str]:
    """The subset of OpenAPI: one type each, enums of texts, nothing beside anyOf."""
    yield from plain(schema)
    yield from _members(schema, r"[A-Za-z_][A-Za-z0-9_]{0,63}")
    for path, node in nodes(schema):
        yield from _only(path, node, _GEMINI_TAKES)
        if not isinstance(node.get("type"), str) and "anyOf" not in node:
            yield f"{path}: no type"
        if "anyOf" in node and node.keys() - {"anyOf", "nullable"}:
            yield f"{path}: something beside anyOf"
        values = node.get("enum")
        if values is not None and not all(isinstance(one, str) and one for one in values):
            yield f"{path}: an enum of something else than texts"
        if values is not None and node.get("type") != "string":
            yield f"{path}: an enum that is no string"
        yield from _formats(path, node, words("date-time enum int32 int64 float double"))
        yield from _of_their_type(path, node)


def gemini_json(schema: Node) -> Iterator[str]:
    """The subset of JSON Schema, with nothing beside a reference."""
    yield from plain(schema)
    yield from _members(schema, r"[A-Za-z_][A-Za-z0-9_]{0,63}")
    for path, node in nodes(schema):
        yield from _only(path, node, _GEMINI_JSON_TAKES)
        if "$ref" in node and any(not keyword.startswith("$") for keyword in node):
            yield f"{path}: something beside a $ref"
        if any(value is None or isinstance(value, bool) for value in node.get("enum", ())):
            yield f"{path}: an enum of something else than texts and numbers"


def cohere_strict(schema: Node) -> Iterator[str]:
    """No restrictions, and a member that is required."""
    yield from plain(schema)
    for path, node in nodes(schema):
        yield from _only(path, node, _COHERE_TAKES)
        yield from _formats(path, node, words("date-time uuid date time"))
        yield from _typed(path, node)
    if not schema.get("required"):
        yield "#: nothing is required"


#: The judge of plain parameters and the one of strict ones, by the name of the provider.
JUDGES: Mapping[str, tuple[Judge, Judge]] = {
    "openai-chat": (plain, openai_strict),
    "openai-responses": (plain, openai_strict),
    "anthropic": (anthropic_plain, anthropic_strict),
    "bedrock-converse": (anthropic_plain, anthropic_strict),
    "deepseek": (plain, deepseek_strict),
    "gemini": (gemini, gemini),
    "gemini-json-schema": (gemini_json, gemini_json),
    "cohere-v2": (plain, cohere_strict),
}


def _of_their_type(path: str, node: Node) -> Iterator[str]:
    for keyword, kind in (("properties", "object"), ("required", "object"), ("items", "array")):
        if keyword in node and node.get("type") != kind:
            yield f"{path}: {keyword} of what is no {kind}"
    unknown = set(node.get("required", ())) - set(node.get("properties", ()))
    if unknown:
        yield f"{path}: requires {unknown}"


def _types(node: Node) -> list[str]:
    declared = node.get("type", [])
    return [declared] if isinstance(declared, str) else list(declared)


def _closed(path: str, node: Node) -> Iterator[str]:
    if "object" in _types(node) and node.get("additionalProperties") is not False:
        yield f"{path}: an open object"


def _all_required(path: str, node: Node) -> Iterator[str]:
    if set(node.get("properties", ())) != set(node.get("required", ())):
        yield f"{path}: not all members are required"


def _without(path: str, node: Node, refused: frozenset[str]) -> Iterator[str]:
    for keyword in refused:
        if keyword in node:
            yield f"{path}: {keyword}"


def _only(path: str, node: Node, taken: frozenset[str]) -> Iterator[str]:
    for keyword in node:
        if keyword not in taken:
            yield f"{path}: {keyword}"


def _formats(path: str, node: Node, taken: frozenset[str]) -> Iterator[str]:
    if "format" in node and node["format"] not in taken:
        yield f"{path}: format {node['format']}"


def _typed(path: str, node: Node) -> Iterator[str]:
    if not {"type", "$ref", "anyOf"} & node.keys():
        yield f"{path}: no type"
    kinds = _types(node)
    for value in node.get("enum", ()):
        names = {bool: "boolean", int: "integer", str: "string", float: "number"}
        kind = names.get(type(value), "null")
        if kinds and kind not in kinds and not (kind == "integer" and "number" in kinds):
            yield f"{path}: {value!r} in an enum of {kinds}"


def _members(schema: Node, legal: str) -> Iterator[str]:
    for path, node in nodes(schema):
        for name in node.get("properties", ()):
            if not re.fullmatch(legal, name):
                yield f"{path}: a member called {name}"


def _references(schema: Node, path: str, node: Node) -> Iterator[str]:
    reference = node.get("$ref", "#")
    name = reference.removeprefix("#/$defs/")
    if reference != "#" and (name == reference or name not in schema.get("$defs", {})):
        yield f"{path}: $ref {reference}"


def _depth(node: Any, above: int = 0) -> int:
    if not isinstance(node, Mapping):
        return above
    here = above + ("object" in _types(node))
    below = [child for path, child in nodes(node) if path.count("/") <= 2 and path != "#"]
    return max((_depth(child, here) for child in below), default=here)


def _endless(schema: Node) -> Iterator[str]:
    definitions = schema.get("$defs", {})
    leads = {
        name: {one["$ref"].removeprefix("#/$defs/") for _, one in nodes(child) if "$ref" in one}
        for name, child in definitions.items()
    }
    for name in definitions:
        reached: set[str] = set()
        todo = set(leads[name])
        while todo:
            reached |= todo
            todo = {further for one in todo for further in leads.get(one, ())} - reached
        if name in reached:
            yield f"#/$defs/{name}: leads to itself"
