"""How the arguments of a tool with an explicit schema reach its handler."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.contract.samples import context_for_handlers, made
from toolferry import Registry, ToolContext, ToolInvalid

SCHEMA = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "limit": {"type": "integer", "default": 10},
        "mode": {"type": "string"},
    },
    "required": ["path"],
}


def call(handler: Callable[..., Any], arguments: dict[str, Any], schema: Any = SCHEMA) -> Any:
    """Register a tool and call it as a worker does."""
    tool = Registry().register(made(schema, handler))
    args, kwargs = tool.bind(arguments, context_for_handlers())
    return tool(*args, **kwargs)


def test_defaults_of_the_schema_are_filled_in() -> None:
    """The handler need not repeat them."""

    def read(path: str, limit: int, mode: str = "fast") -> tuple[Any, ...]:
        return path, limit, mode

    assert call(read, {"path": "a"}) == ("a", 10, "fast")


def test_a_handler_with_keywords_takes_everything() -> None:
    """Members that it does not name go into its keywords, also unknown ones."""

    def read(path: str, **rest: Any) -> tuple[Any, ...]:
        return path, rest

    given = {"path": "a", "mode": "slow", "more": 1}
    assert call(read, given) == ("a", {"mode": "slow", "limit": 10, "more": 1})


def test_members_that_the_schema_only_allows_are_left_out() -> None:
    """An invented member is no reason to fail where the schema is open."""

    def read(path: str, limit: int, mode: str = "") -> tuple[Any, ...]:
        return path, limit, mode

    assert call(read, {"path": "a", "invented": 1}) == ("a", 10, "")


def test_the_context_is_injected_by_its_type() -> None:
    """A handler with an explicit schema gets it too, and postponed hints are evaluated."""

    def read(here: ToolContext, path: str, **_: Any) -> str:
        return here.call_id + path

    assert call(read, {"path": "a"}) == "c1a"


def test_positional_parameters_are_given_by_position() -> None:
    """One without a value keeps its default."""

    def read(path: str, mode: str = "fast", limit: int = 1, /) -> tuple[Any, ...]:
        return path, mode, limit

    assert call(read, {"path": "a"}) == ("a", "fast", 10)


def test_a_handler_that_needs_more_than_the_schema_gives_is_refused() -> None:
    """The call would fail as soon as a model left the member out."""

    def read(path: str, limit: int, mode: str) -> tuple[Any, ...]:
        return path, limit, mode

    with pytest.raises(ToolInvalid, match="sample: the handler needs mode, which the schema"):
        call(read, {"path": "a"})


def test_a_handler_that_cannot_take_what_the_schema_offers_is_refused() -> None:
    """The model would be promised something that has no effect."""

    def read(path: str) -> str:
        return path

    with pytest.raises(ToolInvalid, match="sample: the handler takes no limit, which the schema"):
        call(read, {"path": "a"})


def test_what_alternatives_require_is_believed() -> None:
    """A member may be required by every alternative and by no list at the root."""
    branches = [
        {"properties": {"op": {"const": "a"}}, "required": ["op"]},
        {"properties": {"op": {"const": "b"}}, "required": ["op"]},
    ]

    def run(op: str) -> str:
        return op

    assert call(run, {"op": "b"}, {"type": "object", "oneOf": branches}) == "b"


def test_arguments_are_copied_before_they_are_filled() -> None:
    """Neither the call nor the schema's defaults can be changed by a handler."""
    schema = {
        "properties": {"tags": {"default": []}, "deep": {"properties": {"a": {"default": 1}}}}
    }

    def spoil(tags: list[int], **_: Any) -> list[int]:
        tags.append(1)
        return tags

    given: dict[str, Any] = {"deep": {}}
    assert call(spoil, given, schema) == [1]
    assert call(spoil, given, schema) == [1]
    assert given == {"deep": {}}
