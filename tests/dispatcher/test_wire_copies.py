"""Wire copies of schemas of every shape: what a provider takes, and what no copy may change."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import assume, given, settings

from tests.dispatcher.generated_schemas import PARAMETERS
from tests.dispatcher.schema_rules import JUDGES
from toolferry import SchemaInvalid, Tool, ToolInvalid
from toolferry.schema import check_schema
from toolferry_dispatcher.providers.schemas import (
    SPELLINGS,
    Loss,
    Strictness,
    wire_tools,
)


def object_of(properties: dict[str, Any], **others: Any) -> dict[str, Any]:
    """Write the schema of an object."""
    return {"type": "object", "properties": properties, **others}


def tool_of(properties: dict[str, Any], **others: Any) -> Tool:
    """Make a tool that takes these members."""
    return Tool(name="any", parameters=object_of(properties, **others))


def details(losses: tuple[Loss, ...], keyword: str) -> list[str]:
    """Give what is said of one keyword."""
    return [loss.detail for loss in losses if loss.keyword == keyword]


@pytest.mark.parametrize("provider", SPELLINGS)
@settings(max_examples=60)
@given(schema=PARAMETERS)
def test_every_schema_becomes_one_that_the_provider_takes(
    provider: str, schema: dict[str, Any]
) -> None:
    """By a judge that shares nothing with the converter; or it is refused with its place."""
    try:
        check_schema("any", schema)
    except SchemaInvalid:
        assume(False)  # noqa: FBT003 -- how hypothesis wants it
    tool = Tool(name="any", parameters=schema)
    before = deepcopy(tool.parameters)
    plain_judge, strict_judge = JUDGES[provider]

    try:
        copy = wire_tools(SPELLINGS[provider], [tool], Strictness.WHERE_POSSIBLE)[0]
    except ToolInvalid as refused:
        assert "same text" in str(refused)
        return

    assert list((strict_judge if copy.strict else plain_judge)(copy.parameters)) == []
    assert tool.parameters == before
