"""Schemas of tools, each with arguments that once took long to judge, or that look as if."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

_INTEGER: Final = {"type": "integer"}
_STRING: Final = {"type": "string"}
_NODE: Final = {"$ref": "#/$defs/node"}
_WIDE: Final = {f"a{n}": _INTEGER for n in range(2_000)}

#: A schema, and the arguments of the calls of one response.
Case = tuple[dict[str, Any], list[dict[str, Any]]]


def chain(levels: int, leaf: dict[str, Any], name: str = "child") -> dict[str, Any]:
    """Give arguments that go so deep."""
    for _ in range(levels):
        leaf = {name: leaf}
    return leaf


def each(levels: int, **members: Any) -> dict[str, Any]:
    """Give arguments that go so deep, with the same members at every level."""
    value = dict(members)
    for _ in range(levels):
        value = {**members, "child": value}
    return value


def tree(properties: dict[str, Any], **keywords: Any) -> dict[str, Any]:
    """Give a schema that refers to itself."""
    node = {"type": "object", "properties": properties, **keywords}
    return {"type": "object", "properties": properties, "$defs": {"node": node}}


def of(**properties: Any) -> dict[str, Any]:
    """Give a schema with these members."""
    return {"type": "object", "properties": properties}


def array(elements: dict[str, Any], **keywords: Any) -> dict[str, Any]:
    """Give a schema with one member that is an array."""
    return of(a={"type": "array", "items": elements, **keywords})


def _deep_array(levels: int) -> dict[str, Any]:
    value: Any = 0
    for _ in range(levels):
        value = [value]
    return {"a": value}


def _tagged(count: int) -> list[dict[str, Any]]:
    return [{**of(k={"const": f"k{n}"}, v=_INTEGER), "required": ["k", "v"]} for n in range(count)]


def _list_tree(elements: dict[str, Any]) -> dict[str, Any]:
    lists = {"type": "array", "items": elements}
    return {**of(a={"$ref": "#/$defs/list"}), "$defs": {"list": lists}}


def _recursive() -> dict[str, Case]:
    plain = tree({"child": _NODE, "v": _INTEGER})
    nullable = {"anyOf": [_NODE, {"type": "null"}]}
    kinds = {"anyOf": [_NODE, _STRING, _INTEGER, {"type": "array", "items": _NODE}]}
    strict = tree({"child": _NODE, "v": _INTEGER}, unevaluatedProperties=False)
    branching = {"if": {"properties": {"child": _NODE}}, "then": {"required": ["q"]}}
    spread = tree({"child": _NODE, "a": {"type": "array", "items": _INTEGER}})
    two = {"child": {"$ref": "#/$defs/x"}}
    parted = {
        **of(child={"anyOf": [of(**two), {"type": "null"}]}),
        "$defs": {"x": {"anyOf": [of(**two, t={"const": "a"}), {**of(**two), "required": ["t"]}]}},
    }
    ref_list = {"$ref": "#/$defs/list"}
    halves = {"allOf": [of(child=_NODE, v=_INTEGER), of(child=_NODE)]}
    whole = {**of(child=_NODE), "$defs": {"node": halves}}
    return {
        "a wrong leaf": (plain, [chain(60, {"v": "x"})] * 13),
        "a leaf to put right": (plain, [chain(60, {"v": "7", "w": None})] * 13),
        "wrong at each level": (plain, [each(60, v="x")] * 8),
        "missing at each level": (tree({"child": _NODE}, required=["v", "w"]), [each(60)] * 20),
        "unknown at each level": (
            tree({"child": _NODE}, additionalProperties=False),
            [each(60, b=1)] * 10,
        ),
        "nullable": (tree({"child": nullable, "v": _INTEGER}), [chain(60, {"v": "x"})] * 13),
        "null": (tree({"child": nullable, "v": _INTEGER}), [chain(60, {"v": None})] * 13),
        "of many kinds": (tree({"child": kinds, "v": _INTEGER}), [chain(60, {"v": "x"})] * 13),
        "nullable and missing": (
            tree({"child": nullable}, required=["z"]),
            [chain(60, {"v": "x"})] * 13,
        ),
        "unevaluated": (strict, [chain(60, {"v": "x"})] * 13),
        "conditions": (tree({"child": _NODE}, **branching), [chain(6, {"v": "x"})] * 90),
        "parted": (parted, [chain(8, {"t": "c"})] * 70),
        "of two halves": (whole, [chain(58, {"v": "x"})] * 14),
        "spread below": (spread, [chain(60, {"a": ["x"] * 2_300})]),
        "arrays": (_list_tree(ref_list), [_deep_array(60)] * 50),
        "arrays or texts": (_list_tree({"anyOf": [ref_list, _STRING]}), [_deep_array(60)] * 50),
    }


def _secret() -> dict[str, Case]:
    secret = {"type": "string", "writeOnly": True, "minLength": 50}
    login = of(token=secret, user=_INTEGER)
    texts = {f"k{n}": f"s{n:05}" for n in range(550)}
    return {
        "secret elements": (array(secret), [{"a": [f"s{n:05}" for n in range(1_000)]}]),
        "secret members": (of(a={"additionalProperties": secret}), [{"a": texts}]),
        "texts for logins": (of(a={"additionalProperties": login}), [{"a": texts}]),
        "logins": (array(login), [{"a": [{"token": f"s{n:05}", "user": "x"} for n in range(280)]}]),
        "secrets at each level": (tree({"child": _NODE, "v": secret}), [each(60, v="x")] * 8),
        "patterns": (
            of(a={"type": "string", "format": "regex"}),
            [{"a": "(?i)" + "[\u0100-\uffff]x" * 1_000}],
        ),
    }


def _flat() -> dict[str, Case]:
    members = {f"b{n}": 1 for n in range(900)}
    pair = {"type": "object", "required": ["q", "r"], "properties": {"q": _INTEGER, "r": _INTEGER}}
    date = {"type": "string", "pattern": "^[a-z]{3}$", "format": "date"}
    patterns = {"^a": _INTEGER, "^b": _STRING, "x$": _INTEGER}
    lists = {"type": "array", "items": {"type": "object", "required": [f"p{n}" for n in range(60)]}}
    fields = {
        f"数据字段名称{n}": {"enum": [f"数据字段名称{m}" for m in range(20)]} for n in range(40)
    }
    dependent = {f"b{n}": ["z"] for n in range(1_000)}
    return {
        "many calls": (of(a=_INTEGER), [{"a": "x"}] * 110),
        "many required": (
            {**of(**_WIDE), "required": [*_WIDE]},
            [{"z": 1}] * 110,
        ),
        "missing in three bytes each": ({**of(**fields), "required": [*fields]}, [{}] * 110),
        "missing below a long name": (
            {"type": "object", "additionalProperties": lists},
            [{"x" * 250: [{}] * 200}] * 10,
        ),
        "wide and one wrong": (of(**_WIDE), [{"a7": "x"}] * 110),
        "wide and all wrong": (of(**_WIDE), [{f"a{n}": "x" for n in range(800)}]),
        "wide to put right": (of(**_WIDE), [{f"a{n}": "1" for n in range(190)}] * 4),
        "unknown members": ({**of(a=_INTEGER), "additionalProperties": False}, [members]),
        "members of a kind": ({"type": "object", "additionalProperties": _STRING}, [members]),
        "named alike": ({"type": "object", "patternProperties": patterns}, [members]),
        "misnamed": ({"type": "object", "propertyNames": {"pattern": "^a"}}, [members]),
        "depending": ({"type": "object", "dependentRequired": dependent}, [members]),
        "elements": (array(_INTEGER), [{"a": ["x"] * 2_400}]),
        "elements to put right": (array(_INTEGER), [{"a": ["1"] * 2_400}]),
        "objects": (array(pair), [{"a": [{}] * 3_000}]),
        "texts": (array(date), [{"a": ["xx"] * 1_800}]),
        "enumerated": (array({"enum": [f"v{n}" for n in range(300)]}), [{"a": ["x"] * 2_000}]),
        "tagged": (array({"oneOf": _tagged(10)}), [{"a": [{"k": "k7", "v": "x"}] * 400}]),
        "last one wrong": (
            array({"oneOf": _tagged(10)}),
            [{"a": [*[{"k": "k7", "v": 1}] * 450, {"k": "k7", "v": "x"}]}],
        ),
        "of no tag": (of(a={"anyOf": _tagged(50)}), [{"a": {"k": "no"}}] * 80),
        "unlike": (array({}, uniqueItems=True), [{"a": [*range(2_000), 1]}]),
        "unlike objects": (array({}, uniqueItems=True), [{"a": [{"k": n} for n in range(900)]}]),
        "holding": (of(a={"type": "array", "contains": _INTEGER}), [{"a": ["x"] * 2_400}]),
    }


def _branching() -> dict[str, Case]:
    titled = [{"const": f"c{n}", "title": f"Country {n}"} for n in range(200)]
    email = {"type": "string", "pattern": r"^[^@]+@[^@]+\.[^@]+$"}
    words = {"type": "string", "pattern": r"^(\w+\s?)+$"}
    json_value = {"$ref": "#/$defs/json"}
    any_json: list[Any] = [_STRING, _INTEGER, {"type": "boolean"}, {"type": "null"}]
    any_json += [{"type": "array", "items": json_value}]
    any_json += [{"type": "object", "additionalProperties": json_value}]
    bases = {"allOf": [of(**{f"{k}{n}": _STRING for n in range(20)}) for k in "abcdefgh"]}
    steps = {f"A{n}": {"anyOf": [{"$ref": f"#/$defs/A{n + 1}"}] * 2} for n in range(18)}
    ladder = {
        f"B{n}": {"allOf": [{"$ref": f"#/$defs/B{n + 1}"}], "unevaluatedProperties": _STRING}
        for n in range(8)
    }
    leaf = {"a": json.loads("[" * 60 + "1.5" + "]" * 60)}
    return {
        "a list for one of many": (of(a={"oneOf": titled}), [{"a": [{}] * 3_000}]),
        "a list of one of many": (array({"oneOf": titled}), [{"a": [*["c7"] * 1_500, "x"]}]),
        "an address": (of(a=email), [{"a": "a@" + "." * 9_800 + "@"}]),
        "words": (of(a=words), [{"a": "a" * 9_800 + "!"}]),
        "unions in unions": (_nested_unions(10), [_nested_value(9)]),
        "unions in unions of no tag": (_nested_unions(10), [_nested_value(99)]),
        "any json": ({**of(a=json_value), "$defs": {"json": {"anyOf": any_json}}}, [leaf] * 50),
        "of many bases": (array({**bases, "unevaluatedProperties": False}), [{"a": [{}] * 3_200}]),
        "a ladder": (
            {**of(a={"$ref": "#/$defs/B0"}), "$defs": {**ladder, "B8": {"type": "object"}}},
            [{"a": {"x": "y"}}] * 110,
        ),
        "the same twice": (
            {**of(a={"$ref": "#/$defs/A0"}), "$defs": {**steps, "A18": _STRING}},
            [{"a": 1}] * 110,
        ),
    }


def _nested_unions(count: int) -> dict[str, Any]:
    inside = {"B": {"$ref": "#/$defs/I"}, "I": {"$ref": "#/$defs/M"}}
    texts = {"type": "array", "items": _STRING}
    unions = {
        kind: {
            "oneOf": [
                {**of(type={"const": f"{kind}{n}"}, content=content), "required": ["type"]}
                for n in range(count)
            ]
        }
        for kind, content in [*inside.items(), ("M", texts)]
    }
    return {**of(page={"$ref": "#/$defs/B"}), "$defs": unions}


def _nested_value(tag: int) -> dict[str, Any]:
    value: Any = ["x"] * 2_300
    for kind in "MIB":
        value = {"content": value, "type": f"{kind}{tag}"}
    return {"page": value}


def _lookalikes() -> dict[str, Case]:
    words = [f"region-{n}-zone" for n in range(300)]
    closed = {**of(**dict.fromkeys(words, _STRING)), "additionalProperties": False}
    numbers = {"enum": [*range(1_000, 1_300)]}
    ladder: dict[str, Any] = {
        f"k{n}": {"anyOf": [{"$ref": f"#/$defs/k{n + 1}"}] * 6} for n in range(3)
    }
    return {
        "one unknown member": (closed, [{"region-zone": 1}] * 110),
        "an unknown member each": (closed, [{f"region-zone-{n}": 1} for n in range(110)]),
        "one wrong value": (of(a={"enum": words}), [{"a": "region"}] * 110),
        "a wrong value each": (
            of(a={"enum": words}),
            [{"a": f"region-zone-{n}"} for n in range(110)],
        ),
        "numbers as texts": (array(numbers), [{"a": ["1299"] * 190}] * 7),
        "a text for a number": (
            {**of(a={"$ref": "#/$defs/k0"}), "$defs": {**ladder, "k3": _INTEGER}},
            [{"a": "7"}] * 110,
        ),
    }


def _forced() -> dict[str, Case]:
    headers = of(**{f"X-Header-{n}": _STRING for n in range(100)})
    plain = {"type": "array", "items": of(**{f"f{n}": _STRING for n in range(60)})}
    others = {f"x{n}": of(p=_STRING, q=_STRING) for n in range(40)}
    variants = [{**of(t={"const": n}, f=_STRING), "required": ["t"]} for n in range(40)]
    return {
        "other names": (array(headers), [{"a": [{}] * 3_000}]),
        "another name elsewhere": (of(**{"Content-Type": _STRING}, a=plain), [{"a": [{}] * 3_000}]),
        "other names by an anchor": (
            {
                **array({"$ref": "#header"}),
                "$defs": {**others, "header": {"$anchor": "header", **headers}},
            },
            [{"a": [{}] * 3_000}],
        ),
        "a null beside others": (
            array({"anyOf": variants}),
            [{"a": [*[{}] * 2_700, {"t": 1, "f": None}]}],
        ),
        "nulls": (array({"anyOf": variants}), [{"a": [{"t": 1, "f": None}] * 500}]),
    }


#: By name.
CASES: Final[Mapping[str, Case]] = MappingProxyType(
    {
        **_recursive(),
        **_secret(),
        **_flat(),
        **_branching(),
        **_lookalikes(),
        **_forced(),
    }
)
