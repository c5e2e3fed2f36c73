"""Reading definitions in the forms in which people have them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolferry import Definition, DefinitionMalformed, EffectClass, lint, read_definition

SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "properties", "items", "anyOf", "$ref", "enum", "default", "description"]
            )
            | st.text(max_size=3),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@pytest.mark.parametrize(
    "data",
    [
        {"name": "orders_get", "description": "Read.", "parameters": SCHEMA},
        {"name": "orders_get", "description": "Read.", "input_schema": SCHEMA},
        {"name": "orders_get", "description": "Read.", "inputSchema": SCHEMA, "annotations": {}},
        {
            "type": "function",
            "function": {"name": "orders_get", "description": "Read.", "parameters": SCHEMA},
        },
    ],
)
def test_a_definition_is_read_in_every_form(data: Any) -> None:
    """Bare, of OpenAI, of Anthropic, of MCP."""
    assert read_definition(data) == Definition(
        name="orders_get", description="Read.", parameters=SCHEMA
    )


def test_what_is_said_of_running_it_is_read_too() -> None:
    """Where somebody says it."""
    data = {"name": "a", "effect": "write", "permissions": ["p"], "examples": [{"id": "A7"}]}

    read = read_definition(data)

    assert (read.effect, read.permissions) == (EffectClass.WRITE, frozenset({"p"}))
    assert read.examples == ({"id": "A7"},)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "tool: is array of 0, not an object"),
        ({}, "name: is missing or empty"),
        ({"name": "  "}, "name: is missing or empty"),
        ({"name": 7}, "name: is integer, not string"),
        ({"name": "a", "description": ["b"]}, "description: is array of 1, not string"),
        ({"name": "a", "parameters": "none"}, "parameters: is string, not object"),
        ({"name": "a", "effect": "wild"}, 'effect: is "wild", not one of read, write'),
        ({"name": "a", "permissions": [1]}, "permissions: holds something else than names"),
        ({"name": "a", "examples": ["b"]}, "examples: holds something else than objects"),
        ({"function": "a"}, "function: is string, not object"),
    ],
)
def test_what_is_no_definition_is_refused_by_the_member(data: Any, said: str) -> None:
    """Bad input: the sentence says which one and what it should be."""
    with pytest.raises(DefinitionMalformed) as refused:
        read_definition(data)

    assert str(refused.value).startswith(said)


def test_a_definition_that_is_nested_too_deeply_is_refused() -> None:
    """Bad input: nothing that a model could read."""
    deep: dict[str, Any] = {}
    for _ in range(300):
        deep = {"items": deep}

    with pytest.raises(DefinitionMalformed, match="more than 200 levels deep"):
        read_definition({"name": "a", "parameters": deep})


def test_half_characters_are_replaced() -> None:
    """No terminal and no file could show them."""
    assert read_definition({"name": "a\ud83d"}).name == "a\ufffd"


@given(schema=JSON, extra=JSON)
def test_any_schema_can_be_linted(schema: Any, extra: Any) -> None:
    """However broken, it is judged and not stumbled over."""
    parameters = {"properties": {"a": schema}, "items": extra, "$defs": {"b": extra}}

    for finding in lint([read_definition({"name": "orders_get", "parameters": parameters})]):
        assert finding.place
        assert finding.to_json()["tool"] == "orders_get"
