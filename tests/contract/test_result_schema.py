"""The schema of results: checked whole, before anything is taken out or cut."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pydantic import BaseModel

from tests.contract.samples import made
from toolferry import (
    FROM_RETURN,
    Answer,
    ConversionFailed,
    ErrorCode,
    Registry,
    SchemaInvalid,
    ToolInvalid,
    shape,
    tool,
    tool_from_json,
    tool_to_json,
)

ORDERS = {
    "type": "array",
    "items": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}},
}


class Order(BaseModel):
    """What a handler returns."""

    id: int
    note: str = ""


def refused(schema: dict[str, Any], value: Any, **fields: Any) -> ConversionFailed:
    """Shape what does not fit."""
    with pytest.raises(ConversionFailed) as caught:
        shape(made(result_schema=schema, **fields), value)
    return caught.value


def test_what_fits_is_taken_as_it_is() -> None:
    """The schema changes nothing."""
    assert shape(made(result_schema=ORDERS), [{"id": 7, "more": 1}]).content == [
        {"id": 7, "more": 1}
    ]


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"id": 7}, "#/type"),
        ([{"id": "hunter2"}], "#/items/properties/id/type"),
        ([{"hunter2": 7}], "#/items/required"),
    ],
)
def test_what_does_not_fit_is_a_bad_result_that_tells_nothing_of_it(value: Any, place: str) -> None:
    """The model reads the place in the schema: nothing that came, names of members included."""
    fault = refused(ORDERS, value).error()

    assert fault.code == ErrorCode.BAD_RESULT
    assert fault.message == (
        f"The tool sample returned a result that does not fit its schema at {place}."
    )


def test_the_content_is_checked_as_its_adapter_gave_it_and_before_anything_is_taken_out() -> None:
    """What is redacted or cut later has to fit, whole."""
    schema = {"type": "object", "properties": {"iban": {"type": "string", "pattern": "^DE[0-9]+$"}}}
    fields: dict[str, Any] = {
        "adapter": lambda text: {"iban": text},
        "redact": ("iban",),
        "max_result_bytes": 40,
    }
    fits = made(result_schema=schema, **fields)

    assert shape(fits, "DE" + "1" * 99).content == {"iban": "[redacted]"}
    assert refused(schema, "x" * 99, **fields).code == ErrorCode.BAD_RESULT
    assert shape(made(result_schema={"minLength": 90}, max_result_bytes=40), "x" * 99).truncated
    assert refused({"maxLength": 90}, "x" * 99, max_result_bytes=40).code == ErrorCode.BAD_RESULT


def test_a_schema_that_leads_to_itself_ends() -> None:
    """As deep as results go."""
    value: Any = []
    for _ in range(60):
        value = [value]

    assert shape(made(result_schema={"type": "array", "items": {"$ref": "#"}}), value).content


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ({"type": "texts"}, "result_schema: the schema at #/type"),
        ({"properties": {"a": {"$ref": "#/nowhere"}}}, "result_schema: the reference at #/prop"),
        ({"$ref": "https://example.com/s"}, "nothing is ever fetched"),
    ],
)
def test_a_schema_that_cannot_be_enforced_is_refused_with_its_tool(
    schema: dict[str, Any], place: str
) -> None:
    """When it is registered, or declared, with the path of the fault."""
    for take in (Registry().register, Registry().declare):
        with pytest.raises(SchemaInvalid, match=re.escape(place)):
            take(made(result_schema=schema))


def test_a_schema_that_is_no_data_is_refused_at_once() -> None:
    """Where it stands is said."""
    with pytest.raises(SchemaInvalid, match="result_schema: the schema is no JSON data"):
        made(result_schema={"const": object()})


def test_a_schema_is_taken_from_the_hint_where_that_is_asked_for() -> None:
    """And only there."""

    @tool(result_schema=FROM_RETURN)
    def list_orders() -> list[Order]:
        """List orders."""
        return [Order(id=7)]

    assert shape(list_orders, [Order(id=7)]).content == [{"id": 7, "note": ""}]
    with pytest.raises(ConversionFailed, match=re.escape("#/$defs/Order/properties/id/type")):
        shape(list_orders, [{"id": "seven", "note": ""}])
    assert made(handler=list_orders).result_schema is None


def test_a_hint_that_is_not_there_or_has_no_schema_is_refused() -> None:
    """In one sentence."""

    def silent():  # type: ignore[no-untyped-def] # noqa: ANN202 -- what is tested
        """Say nothing."""

    def odd() -> type[re.Pattern[str]]:
        """Say something odd."""
        return re.Pattern

    def told() -> Answer:
        """Say only that there is more to say."""
        return Answer()

    with pytest.raises(ToolInvalid, match="does not say what it returns"):
        tool(silent, result_schema=FROM_RETURN)
    with pytest.raises(SchemaInvalid, match="result_schema: "):
        tool(odd, result_schema=FROM_RETURN)
    with pytest.raises(SchemaInvalid, match="an Answer does not say what its content is"):
        tool(told, result_schema=FROM_RETURN)
    with pytest.raises(ToolInvalid, match="what its adapter gives has no hint"):
        tool(odd, result_schema=FROM_RETURN, adapter=str)


def test_it_is_part_of_the_definition_where_there_is_one() -> None:
    """Definitions without one are what they always were."""
    back = tool_from_json(tool_to_json(made(result_schema=ORDERS)))

    assert back.result_schema == ORDERS
    assert "result_schema" not in tool_to_json(made())
