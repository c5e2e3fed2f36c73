"""Tools on the wire: legal names, schemas that providers take, the originals left alone."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.providers.wire_types import require_tools
from toolferry import Tool, ToolInvalid
from toolferry.subschemas import walk
from toolferry_dispatcher.providers import OpenAIChat, find_name
from toolferry_dispatcher.providers.names import wire_name
from toolferry_dispatcher.providers.schemas import SPELLINGS, wire_copy

CHAT = OpenAIChat()
#: What is written of a schema where nothing strict is asked.
PLAIN = SPELLINGS["openai-chat"].plain
#: Parts of schemas that leave out what providers want.
SCHEMAS = st.recursive(
    st.fixed_dictionaries({}, optional={"type": st.sampled_from(["string", "array", "object"])}),
    lambda inner: st.fixed_dictionaries(
        {"type": st.sampled_from(["array", "object", ["array", "null"]])},
        optional={
            "items": inner | st.booleans(),
            "prefixItems": st.lists(inner, min_size=1, max_size=2),
            "properties": st.dictionaries(st.sampled_from(["items", "type", "a"]), inner),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "$defs": st.dictionaries(st.sampled_from(["properties", "A"]), inner),
            "additionalProperties": inner | st.booleans(),
        },
    ),
    max_leaves=10,
)


def test_tools_are_described_as_the_api_wants_them() -> None:
    """Name, description and parameters, as functions."""
    tool = Tool(
        name="read_file",
        description="Read a file.",
        parameters={"type": "object", "properties": {"path": {"type": "string"}}},
    )

    tools = CHAT.tools([tool])

    require_tools(tools)
    assert tools == [
        {
            "type": "function",
            "function": {
                "name": "read_file",
                "description": "Read a file.",
                "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
            },
        }
    ]


@given(SCHEMAS)
def test_arrays_have_items_and_objects_have_properties_at_every_depth(
    schema: dict[str, Any],
) -> None:
    """One that has not makes providers refuse the whole list of tools."""
    for _, part in walk(wire_copy("any", schema, PLAIN).parameters):
        kinds = part.get("type", ())
        if "array" in kinds:
            assert isinstance(part["items"], dict)
        if "object" in kinds:
            assert "properties" in part


@given(SCHEMAS)
def test_the_original_schema_is_never_changed(schema: dict[str, Any]) -> None:
    """Arguments are judged by the original, which means what its author wrote."""
    before = deepcopy(schema)

    wire_copy("any", schema, PLAIN)

    assert schema == before


def test_values_that_look_like_schemas_are_left_alone() -> None:
    """A default or an enum is data, whatever keys it has."""
    schema = {"type": "object", "properties": {"q": {"default": {"type": "array"}}}}

    assert wire_copy("any", schema, PLAIN).parameters == schema


@given(st.text())
def test_wire_names_are_legal(name: str) -> None:
    """ASCII letters, digits, `_` and `-`, 1 to 64 of them."""
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", wire_name(name))


@given(st.lists(st.text("a./ß_", max_size=4) | st.text(min_size=60), unique=True))
def test_two_names_do_not_become_one(names: list[str]) -> None:
    """What became alike by cutting and replacing is told apart by a hash."""
    assert len({wire_name(name) for name in names}) == len(names)


@pytest.mark.parametrize("name", ["read_file", "mcp__git__log", "a" * 64, "-"])
def test_a_legal_name_stays_as_it_is(name: str) -> None:
    """The model sees the author's word."""
    assert wire_name(name) == name


@given(st.text(), st.lists(st.text()))
def test_a_tool_is_found_by_its_wire_name_and_by_its_own(name: str, others: list[str]) -> None:
    """A model may write either."""
    known = {name, *others}

    assert find_name(wire_name(name), known) == name or wire_name(name) in known
    assert find_name(name, known) == name


def test_a_name_that_nobody_has_finds_nothing() -> None:
    """Nothing is guessed."""
    assert find_name("read-file", ["read_file", "read.file"]) is None


def test_two_tools_with_one_wire_name_are_refused() -> None:
    """A tool cannot take the calls of another by being called like its wire name."""
    tools = [Tool(name="calendar.add"), Tool(name=wire_name("calendar.add"))]

    with pytest.raises(ToolInvalid, match=r"the same name on the wire as 'calendar\.add'"):
        CHAT.tools(tools)


def test_a_tool_that_is_there_twice_is_refused() -> None:
    """No API takes two of one name, and nobody could say which was called."""
    with pytest.raises(ToolInvalid, match="the same name on the wire as 'add'"):
        CHAT.tools([Tool(name="add"), Tool(name="add", description="Another.")])
