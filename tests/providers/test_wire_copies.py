"""Wire copies of schemas of every shape: what a provider takes, and what no copy may change."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings

from tests.providers.generated_schemas import PARAMETERS
from tests.providers.schema_rules import JUDGES
from toolferry import SchemaInvalid, Tool, ToolInvalid
from toolferry.schema import check_schema
from toolferry_dispatcher.providers.schemas import SPELLINGS, Strictness, WireTool, wire_tools

OPENAI, ANTHROPIC, GEMINI = (SPELLINGS[name] for name in ("openai-chat", "anthropic", "gemini"))


def tool_of(properties: dict[str, Any], name: str = "any", **others: Any) -> Tool:
    """Make a tool that takes these members."""
    return Tool(name=name, parameters={"type": "object", "properties": properties, **others})


def strict(spelling: str, *tools: Tool) -> tuple[WireTool, ...]:
    """Give tools as a provider is told of them, strict where that is possible."""
    return wire_tools(SPELLINGS[spelling], tools, Strictness.WHERE_POSSIBLE)


def judge(provider: str, schema: dict[str, Any]) -> None:
    """Require that a sound schema becomes one that the provider takes, and stays as it is."""
    try:
        check_schema("any", schema)
        before = deepcopy(schema)
        copy = strict(provider, Tool(name="any", parameters=schema))[0]
    except (SchemaInvalid, ToolInvalid):
        return
    assert list(JUDGES[provider][copy.strict](copy.parameters)) == []
    assert schema == before


@pytest.mark.parametrize("provider", SPELLINGS)
@settings(max_examples=4, derandomize=True)
@given(schema=PARAMETERS)
def test_every_schema_becomes_one_that_the_provider_takes(
    provider: str, schema: dict[str, Any]
) -> None:
    """By a judge that shares nothing with the converter."""
    judge(provider, schema)


@pytest.mark.slow
@pytest.mark.parametrize("provider", SPELLINGS)
@settings(max_examples=400)
@given(schema=PARAMETERS)
def test_every_one_of_many_schemas_becomes_one_that_the_provider_takes(
    provider: str, schema: dict[str, Any]
) -> None:
    """As before, with more of them."""
    judge(provider, schema)


@pytest.mark.parametrize("provider", SPELLINGS)
@pytest.mark.parametrize("only", [{"enum": [None]}, {"enum": [1]}, {"const": None}, {"const": 7}])
def test_an_alternative_without_another_is_written_as_it_would_be_alone(
    provider: str, only: dict[str, Any]
) -> None:
    """Also one of which a provider takes no values as they are."""
    judge(provider, {"type": "object", "properties": {"a": {"anyOf": [only]}}})


@pytest.mark.parametrize("provider", SPELLINGS)
@pytest.mark.parametrize(
    "member",
    [
        {"anyOf": [True]},
        {"anyOf": [False]},
        {"anyOf": [{"type": "number", "enum": [1]}, {"type": "null"}]},
        {"anyOf": [{"type": ["object"]}, {"type": "null"}]},
        {"anyOf": [False, {"allOf": [{"type": "integer"}, {"minimum": 3}]}]},
        {"type": "integer", "anyOf": [False, {"oneOf": [{"enum": [1]}, {"minimum": 3}]}]},
        {"type": ["number", "null"], "const": "1"},
        {"type": ["string", "integer"], "const": None},
        {"anyOf": [{"minLength": 2}], "required": ["b"]},
        {"enum": ["a"], "properties": {"b": {"type": "string"}}, "items": {"type": "string"}},
    ],
)
def test_alternatives_that_fall_away_leave_nothing_that_is_refused(
    provider: str, member: dict[str, Any]
) -> None:
    """Nor do fixed values that the type forbids; as a member, and as an element of a tuple."""
    judge(provider, {"type": "object", "properties": {"a": member}})
    judge(provider, {"type": "object", "properties": {"a": {"prefixItems": [member]}}})


@pytest.mark.parametrize(
    "only",
    [
        {"$ref": "#/$defs/A"},
        {"allOf": [{"type": "integer"}, {"minimum": 3}]},
        {"oneOf": [{"type": "integer", "minimum": 3}]},
    ],
)
def test_an_alternative_that_is_left_alone_keeps_its_meaning(only: dict[str, Any]) -> None:
    """Also one that is itself to be rewritten."""
    others: dict[str, Any] = {"$defs": {"A": {"type": "integer", "minimum": 3}}}
    tool = tool_of({"a": {"anyOf": [only, {"type": "null"}]}}, **others)

    copy = wire_tools(GEMINI, [tool])[0]

    expected = {"type": "integer", "minimum": 3, "nullable": True}
    assert copy.parameters["properties"]["a"] == expected


@pytest.mark.parametrize("provider", SPELLINGS)
def test_a_schema_that_would_grow_without_end_is_left_open(provider: str) -> None:
    """Forty definitions that each refer twice to the next are cut off, not written out."""
    two = {
        f"D{n}": {"type": "object", "properties": {"a": ref(n + 1), "b": ref(n + 1)}}
        for n in range(40)
    }
    schema = {"type": "object", "properties": {"root": ref(0)}, "$defs": {**two, "D40": {}}}
    tool = Tool(name="any", parameters=schema)

    copy = strict(provider, tool)[0]

    assert not list(JUDGES[provider][copy.strict](copy.parameters))
    assert len(str(copy.parameters)) < 200_000


def ref(number: int) -> dict[str, str]:
    """Refer to a definition."""
    return {"$ref": f"#/$defs/D{number}"}


@pytest.mark.parametrize(
    ("member", "reason"),
    [
        ({"type": "object"}, "none are named"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "other names"),
        ({"type": "object", "properties": {"a": {}}, "additionalProperties": True}, "other names"),
        ({"description": "Anything."}, "may be anything"),
        ({"type": "array"}, "may be anything"),
        ({"type": "object", "patternProperties": {"^x": {"type": "string"}}}, "other names"),
    ],
)  # fmt: skip
def test_a_schema_that_strict_would_narrow_goes_as_it_is(
    member: dict[str, Any], reason: str
) -> None:
    """The report says why, and where."""
    tool = tool_of({"open": member})

    copy = strict("openai-chat", tool)[0]

    assert not copy.strict
    assert copy.losses[0].keyword == "strict"
    assert copy.losses[0].path.startswith("#/properties/open")
    assert reason in copy.losses[0].detail


def test_strict_that_is_demanded_of_a_schema_that_it_would_narrow_is_refused() -> None:
    """With one sentence that names the tool, the place and the reason."""
    tool = tool_of({"open": {"type": "object"}}, name="save")

    with pytest.raises(ToolInvalid) as refused:
        wire_tools(OPENAI, [tool], Strictness.DEMANDED)

    assert str(refused.value) == (
        "save: it cannot be strict, at #/properties/open: "
        "properties: none are named, so that none could be sent"
    )


def test_tools_over_the_limits_of_a_request_are_not_strict() -> None:
    """Anthropic takes 20 strict tools; the others go as they are, and the report says so."""
    tools = [tool_of({"a": {"type": "string"}}, f"t{n}", required=["a"]) for n in range(22)]

    copies = strict("anthropic", *tools)

    assert [copy.strict for copy in copies] == [True] * 20 + [False] * 2
    assert copies[20].losses[0].detail == (
        "a request takes 20 strict tools, and this tool would make it more"
    )


@pytest.mark.parametrize(
    ("member", "required", "taken"),
    [({"type": "string"}, [], 12), ({"type": ["string", "integer"]}, ["a", "b"], 8)],
)
def test_optional_members_and_unions_are_counted_over_the_request(
    member: dict[str, Any], required: list[str], taken: int
) -> None:
    """Anthropic takes 24 and 16 of them, two of which are in each tool."""
    tools = [
        tool_of({"a": member, "b": member}, f"t{number}", required=required) for number in range(15)
    ]

    assert sum(copy.strict for copy in strict("anthropic", *tools)) == taken


def test_where_all_tools_are_strict_or_none_one_makes_all_plain() -> None:
    """DeepSeek refuses a request in which some are; the report names the one."""
    closed = tool_of({"a": {"type": "string"}}, "closed")
    tools = [closed, tool_of({"a": {"type": "object"}}, "open")]

    first, second = strict("deepseek", *tools)

    assert not first.strict
    assert not second.strict
    assert first.losses[0].detail == "open cannot be strict, and here all tools are or none"
    assert strict("deepseek", closed)[0].strict


@pytest.mark.parametrize(
    "member",
    [
        {"enum": [1, "1"]},
        {"anyOf": [{"enum": [1, 2]}, {"enum": ["1"]}]},
        {"oneOf": [{"const": True}, {"const": "true"}]},
    ],
)
def test_two_values_of_one_text_are_refused_where_only_texts_are_taken(
    member: dict[str, Any],
) -> None:
    """Which of them came back could not be told; whether one enum holds them or alternatives do."""
    with pytest.raises(ToolInvalid, match=r"#/properties/n has two values that are the same text"):
        wire_tools(GEMINI, [tool_of({"n": member})])


def test_alternatives_may_have_one_value_twice() -> None:
    """Whatever is beside it: objects and arrays are no texts."""
    choices = [{"enum": ["a", [1]]}, {"const": "a"}, {"type": "object"}]

    assert wire_tools(GEMINI, [tool_of({"n": {"anyOf": choices}})])


def test_a_bound_that_must_not_be_reached_is_the_next_whole_number() -> None:
    """Both ways, the tighter of two; a number of any kind only comes near."""
    whole = {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 9, "minimum": 5}
    tool = tool_of({"whole": whole, "any": {"type": "number", "exclusiveMinimum": 0}})

    properties = wire_tools(GEMINI, [tool])[0].parameters["properties"]

    assert properties["whole"] == {"type": "integer", "minimum": 5, "maximum": 8}
    assert properties["any"] == {"type": "number", "minimum": 0}


def test_members_whose_names_are_refused_go_by_others() -> None:
    """Also where they are required; a legal name stays, and no two become one."""
    members = {name: {"type": "string"} for name in ("Content-Type", "Content_Type", "größe", "a")}

    copy = wire_tools(GEMINI, [tool_of(members, required=["Content-Type", "a"])])[0]

    new, kept, third, plain = copy.parameters["properties"]
    assert (kept, third, plain) == ("Content_Type", "gr_e", "a")
    assert new.startswith("Content_Type_")
    assert copy.parameters["required"] == [new, "a"]


def test_nothing_of_the_tool_is_handed_out() -> None:
    """Who changes a payload changes no tool."""
    tool = tool_of({"a": {"type": "string", "enum": ["x"], "default": {"deep": [1]}}})
    before = deepcopy(tool.parameters)

    copy = wire_tools(OPENAI, [tool])[0]
    copy.parameters["properties"]["a"]["enum"].append("y")
    copy.parameters["properties"]["a"]["default"]["deep"].append(2)

    assert tool.parameters == before
