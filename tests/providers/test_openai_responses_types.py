"""The tables of what goes back, held against the types of the official SDK."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest
from openai.types.responses.response_item import ResponseItem
from openai.types.responses.response_output_item import ResponseOutputItem
from openai.types.responses.response_stream_event import ResponseStreamEvent

from tests.providers.responses_samples import RESPONSES
from tests.providers.responses_types import FORMS
from toolferry_dispatcher.providers.openai_responses_items import echo_item


def members(union: Any) -> tuple[Any, ...]:
    """The models of a union of the SDK."""
    return get_args(get_args(union)[0] if get_origin(union) is Annotated else union)


def fields_of(models: tuple[Any, ...]) -> dict[str, dict[str, Any]]:
    """The fields that items of each type have in responses."""
    found: dict[str, dict[str, Any]] = {}
    for model in models:
        kind = get_args(model.model_fields["type"].annotation)[0]
        known = found.setdefault(kind, {})
        known |= {one.alias or name: one.annotation for name, one in model.model_fields.items()}
    return found


def is_nullable(hint: Any) -> bool:
    """Whether null is one of the values."""
    return type(None) in get_args(hint) or any(is_nullable(one) for one in get_args(hint))


OUTPUT = fields_of((*members(ResponseOutputItem), *members(ResponseItem)))
EVENTS = [get_args(one.model_fields["type"].annotation)[0] for one in members(ResponseStreamEvent)]


@pytest.mark.parametrize("kind", sorted(OUTPUT))
def test_no_field_goes_back_that_a_request_does_not_take(kind: str) -> None:
    """All others do: nothing of what the provider sends is lost."""
    taken = {name for form in FORMS[kind] for name in get_type_hints(form)}
    item = dict.fromkeys(OUTPUT[kind], "x") | {"type": kind}

    assert echo_item(item).keys() == item.keys() & taken


@pytest.mark.parametrize("kind", sorted(OUTPUT))
def test_no_null_goes_back_where_a_request_takes_none(kind: str) -> None:
    """Fields that a response leaves empty are left out then."""
    hints: Mapping[str, Any] = get_type_hints(FORMS[kind][-1])
    empty = {name: None for name, hint in OUTPUT[kind].items() if is_nullable(hint)}

    echo = echo_item({**empty, "type": kind})

    assert [name for name in empty if name in echo and not is_nullable(hints[name])] == []


@pytest.mark.parametrize("kind", EVENTS)
def test_every_event_of_the_api_is_taken(kind: str) -> None:
    """With nothing in it, too: not one can break a stream."""
    assembler = RESPONSES.assembler()

    assembler.add({"type": kind})

    assert assembler.body()["object"] == "response"
