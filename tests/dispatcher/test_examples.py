"""The places of a tool's examples in a request."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

from tests.providers.wire_types import require_tools
from toolferry import ConfigurationError, Registry, Tool
from toolferry_dispatcher import AsyncDispatcher, Dispatcher
from toolferry_dispatcher.providers import ExamplePlace, OpenAIChat, Plain
from toolferry_ledger import Settings

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "examples": ["Rome"]},
        "days": {"type": "integer"},
        "where": {"$ref": "#/$defs/Where"},
        "any": True,
    },
    "$defs": {"Where": {"type": "string"}},
}
EXAMPLES = (
    {"city": "Oslo", "where": "x", "any": 1},
    {"city": "Rome", "days": 3},
    {"city": "Oslo", "days": 3},
)


def forecast(**arguments: Any) -> dict[str, Any]:
    """Stand for the handler of a tool."""
    return arguments


FORECAST = Tool(
    name="get_forecast",
    description="Tell the forecast.",
    parameters=SCHEMA,
    handler=forecast,
    examples=EXAMPLES,
)


def function(place: ExamplePlace) -> dict[str, Any]:
    """Give the tool as Chat Completions takes it, with its examples in a place."""
    tools = OpenAIChat().tools([FORECAST], place)
    require_tools(tools)
    described: dict[str, Any] = tools[0]["function"]
    return described


@pytest.mark.parametrize("place", [ExamplePlace.NATIVE, ExamplePlace.NOWHERE])
def test_chat_completions_has_no_place_of_its_own_for_examples(place: ExamplePlace) -> None:
    """They are left out rather than sent where they would be refused."""
    told = function(place)

    assert told["description"] == "Tell the forecast."
    assert "Oslo" not in json.dumps(told)


def test_examples_go_behind_the_description_when_asked() -> None:
    """As JSON, one a line; the schema stays as it is."""
    told = function(ExamplePlace.DESCRIPTION)

    first, _, examples = told["description"].partition("\n\n")
    assert first == "Tell the forecast."
    assert [json.loads(line) for line in examples.splitlines()[1:]] == list(EXAMPLES)
    assert told["parameters"]["properties"]["city"]["examples"] == ["Rome"]


def test_examples_go_into_the_schema_when_asked() -> None:
    """Each parameter has its values, once; references and bare `true` stay alone."""
    properties = function(ExamplePlace.SCHEMA)["parameters"]["properties"]

    assert properties["city"]["examples"] == ["Rome", "Oslo"]
    assert properties["days"]["examples"] == [3]
    assert properties["where"] == {"$ref": "#/$defs/Where"}
    assert properties["any"] is True


@pytest.mark.parametrize("place", ExamplePlace)
def test_a_tool_never_changes_for_its_examples(place: ExamplePlace) -> None:
    """Arguments are judged by the schema that its author wrote."""
    before = deepcopy((FORECAST.parameters, FORECAST.description))

    function(place)
    Plain().tools([FORECAST], place)
    assert (FORECAST.parameters, FORECAST.description) == before


def test_plain_tools_have_a_place_of_their_own() -> None:
    """Beside the schema, for those that have some."""
    bare = Tool(name="wait", handler=forecast)
    told, without = Plain().tools([FORECAST, bare])

    assert told["examples"] == list(EXAMPLES)
    assert "examples" not in without
    assert "examples" not in Plain().tools([FORECAST], ExamplePlace.NOWHERE)[0]


def test_examples_without_a_description_are_the_description() -> None:
    """Nothing stands in front of them."""
    bare = Tool(name="wait", handler=forecast, examples=({"seconds": 1},))

    [told] = Plain().tools([bare], ExamplePlace.DESCRIPTION)
    assert told["description"] == 'Examples of arguments:\n{"seconds":1}'


async def test_both_dispatchers_take_the_place_by_its_word(settings: Settings) -> None:
    """An application says it once, where it asks for the schemas."""
    registry = Registry([FORECAST])
    with Dispatcher(registry, settings) as dispatcher:
        [told] = dispatcher.schemas(examples="description")
    async with AsyncDispatcher(registry, settings) as other:
        assert other.schemas(examples="description", names=["get_forecast"]) == [told]

    assert '{"city":"Rome","days":3}' in told["function"]["description"]


def test_a_place_that_is_none_is_refused_with_those_there_are(settings: Settings) -> None:
    """A typing error is found at start, with its remedy."""
    with (
        Dispatcher(Registry(), settings) as dispatcher,
        pytest.raises(ConfigurationError) as refused,
    ):
        dispatcher.schemas(examples="comments")

    assert str(refused.value) == (
        "examples: 'comments' is no place for them;"
        " the places are native, description, schema, nowhere"
    )
