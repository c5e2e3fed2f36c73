"""Examples name members as the schema beside them does, and as the tool does once they are back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolferry import Tool
from toolferry.restoring import restore_members
from toolferry_dispatcher.providers import ExamplePlace, Strictness, export_tools

#: A name that every provider takes, one that Anthropic takes, and some that neither does.
EXAMPLE: dict[str, Any] = {
    "city": "Oslo",
    "max-days": 3,
    "größe": "klein",
    "headers": [{"Content Type": "text/plain"}, {"X:Trace": {"größe": 1}}],
    "where": {"post code": "0150"},
    "free": {"any name": 1},
}
PART: dict[str, Any] = {
    "type": "object",
    "properties": {
        "Content Type": {"type": "string"},
        "X:Trace": {"type": "object", "properties": {"größe": {"type": "integer"}}},
    },
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "max-days": {"type": "integer"},
        "größe": {"type": "string"},
        "headers": {"type": "array", "items": PART, "default": [{"Content Type": "a"}]},
        "where": {"anyOf": [{"$ref": "#/$defs/Post Office"}, {"type": "null"}]},
        "free": {"type": "object", "additionalProperties": True},
    },
    "$defs": {"Post Office": {"type": "object", "properties": {"post code": {"type": "string"}}}},
}
#: Of which several become alike.
NAMES = st.sampled_from(["a", "a b", "a-b", "a_b", "größe", "gr.e", "1st", "x" * 65, ""])
Fitting = tuple[dict[str, Any], Any]


def _object(members: dict[str, Fitting]) -> Fitting:
    properties = {name: schema for name, (schema, _) in members.items()}
    values = {name: value for name, (_, value) in members.items()}
    return {"type": "object", "properties": properties}, values


def _array(inner: Fitting) -> Fitting:
    return {"type": "array", "items": inner[0]}, [inner[1], inner[1]]


#: Schemas, each with a value that fits it.
FITTING: st.SearchStrategy[Fitting] = st.recursive(
    st.just(({"type": "integer"}, 1)),
    lambda inner: st.dictionaries(NAMES, inner, max_size=4).map(_object) | inner.map(_array),
    max_leaves=8,
)
TOOL = Tool(name="find", description="Find.", parameters=SCHEMA, examples=(EXAMPLE,))


def shown(provider: str, place: ExamplePlace) -> dict[str, Any]:
    """Give the only tool as a provider is told of it."""
    [told] = export_tools(provider, [TOOL], examples=place).tools
    return dict(told["function_declarations"][0] if "function_declarations" in told else told)


@pytest.mark.parametrize("strictness", Strictness)
def test_an_api_s_own_examples_name_members_as_its_schema_does(strictness: Strictness) -> None:
    """The API refuses examples that do not fit the schema beside them."""
    tool = Tool(
        name="find",
        parameters={
            "type": "object",
            "properties": {"größe": {"type": "string"}, "max-days": {"type": "integer"}},
        },
        examples=({"größe": "klein", "max-days": 3},),
    )

    [told] = export_tools("anthropic", [tool], strictness).tools

    assert told["input_examples"] == [{"gr_e": "klein", "max-days": 3}]
    assert told["input_schema"]["properties"].keys() == told["input_examples"][0].keys()


def test_members_inside_of_members_are_renamed_too() -> None:
    """In arrays, behind references and in alternatives; where any name may be, it stays."""
    [example] = shown("anthropic", ExamplePlace.NATIVE)["input_examples"]

    assert example == {
        "city": "Oslo",
        "max-days": 3,
        "gr_e": "klein",
        "headers": [{"Content_Type": "text/plain"}, {"X_Trace": {"gr_e": 1}}],
        "where": {"post_code": "0150"},
        "free": {"any name": 1},
    }
    assert restore_members(Tool(name="find", parameters=SCHEMA), example)[0] == EXAMPLE


@pytest.mark.parametrize("provider", ["anthropic", "bedrock-converse", "gemini", "openai-chat"])
def test_examples_in_a_description_name_members_as_the_schema_does(provider: str) -> None:
    """Each as its provider takes them; a provider that takes all names is told them as they are."""
    told = json.dumps(shown(provider, ExamplePlace.DESCRIPTION), ensure_ascii=False)

    renamed = provider != "openai-chat"
    assert ("größe" in told, "gr_e" in told) == (not renamed, renamed)
    assert ('max-days\\":' in told) is (provider != "gemini")
    assert ('max_days\\":' in told) is (provider == "gemini")


def test_values_in_a_schema_name_members_as_it_does() -> None:
    """Examples that were put there, and what the author wrote as a default."""
    schema = shown("anthropic", ExamplePlace.SCHEMA)["input_schema"]
    headers, where = schema["properties"]["headers"], schema["properties"]["where"]

    assert headers["default"] == [{"Content_Type": "a"}]
    assert headers["examples"] == [[{"Content_Type": "text/plain"}, {"X_Trace": {"gr_e": 1}}]]
    assert where["examples"] == [{"post_code": "0150"}]


def test_gemini_shows_one_example_under_its_names() -> None:
    """It takes fewer names than others, and one example a schema."""
    properties = shown("gemini", ExamplePlace.SCHEMA)["parameters"]["properties"]

    assert properties["max_days"]["example"] == 3
    assert properties["headers"]["example"][0] == {"Content_Type": "text/plain"}


@given(st.dictionaries(NAMES, FITTING, min_size=1, max_size=4).map(_object))
def test_examples_fit_the_schema_beside_them_and_come_back_as_they_were(fitting: Fitting) -> None:
    """Whatever the names of the members."""
    schema, example = fitting
    tool = Tool(name="find", parameters=schema, examples=(example,))

    [told] = export_tools("anthropic", [tool]).tools

    [sent] = told["input_examples"]
    assert_named_alike(told["input_schema"], sent)
    assert restore_members(tool, sent)[0] == example


def assert_named_alike(schema: dict[str, Any], value: Any) -> None:
    """Require that a value has the members of its schema, and no others."""
    if isinstance(value, dict):
        assert value.keys() == schema["properties"].keys()
        for name, child in value.items():
            assert_named_alike(schema["properties"][name], child)
    for child in value if isinstance(value, list) else ():
        assert_named_alike(schema["items"], child)


def test_the_examples_of_a_tool_are_never_changed() -> None:
    """What goes over the wire is a copy."""
    before = json.dumps([SCHEMA, EXAMPLE])

    for place in ExamplePlace:
        shown("gemini", place)

    assert json.dumps([SCHEMA, EXAMPLE]) == before
