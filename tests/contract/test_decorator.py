"""`@tool`: what it takes from a function, and what it refuses."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel

from tests.contract.samples import context_for_handlers
from toolferry import (
    EffectClass,
    Lane,
    Parameter,
    ParameterSchema,
    Tool,
    ToolContext,
    ToolInvalid,
    tool,
)


def add(a: int, b: int = 1) -> int:
    """Add two numbers.

    Never overflows.
    """
    return a + b


class Greeter:
    """A handler that is an object."""

    async def __call__(self, name: str) -> str:
        """Say hello."""
        return f"Hello {name}"

    def greet(self, name: str) -> str:
        """Greet politely."""
        return f"Good day {name}"


def test_a_bare_decorator_takes_name_and_description_from_the_function() -> None:
    """The docstring's first paragraph is what the model reads."""
    made = tool(add)

    assert isinstance(made, Tool)
    assert (made.name, made.description) == ("add", "Add two numbers.")
    assert made(1) == 2


def test_a_decorator_with_options_sets_them() -> None:
    """Options are the fields of a tool; lists become sets."""
    made = tool(
        name="plus",
        description="Sum.",
        effect=EffectClass.WRITE,
        tags=["maths"],
        examples=[{"a": 1}],
        timeout=5,
    )(add)

    assert (made.name, made.description) == ("plus", "Sum.")
    assert (made.effect, made.timeout) == (EffectClass.WRITE, 5)
    assert made.tags == {"maths"}
    assert made.examples == ({"a": 1},)


def test_a_function_and_its_options_may_be_given_together() -> None:
    """Tools can be made from functions that someone else wrote."""
    assert tool(add, name="plus").name == "plus"


def test_an_explicit_schema_is_taken_as_it_is() -> None:
    """Type hints are not looked at; the docstring still describes the tool."""
    schema = {"type": "object", "properties": {"x": {"type": "string"}}}

    def search(**arguments: Any) -> dict[str, Any]:
        """Search."""
        return arguments

    made = tool(search, parameters=schema)
    assert made.parameters == schema
    assert made.description == "Search."
    assert made.bind({"x": "1"}, context_for_handlers()) == ((), {"x": "1"})


def test_a_schema_may_be_given_as_parameters() -> None:
    """Parameters written by hand serve as well as JSON."""
    schema = ParameterSchema.of(Parameter(name="x", type="string", required=True))

    made = tool(parameters=schema)(lambda x: x)
    assert made.parameters == schema.to_schema()


@pytest.mark.parametrize(
    ("handler", "name", "lane"),
    [
        (functools.partial(add, b=2), "add", Lane.PROCESS),
        (Greeter(), "Greeter", Lane.ASYNC),
        (Greeter().greet, "greet", Lane.PROCESS),
        (functools.partial(Greeter(), name="x"), "Greeter", Lane.ASYNC),
    ],
)
def test_any_callable_can_become_a_tool(handler: Callable[..., Any], name: str, lane: Lane) -> None:
    """Partials, objects and bound methods have hints too."""
    made = tool(handler)

    assert (made.name, made.lane) == (name, lane)
    assert set(made.parameters["properties"]) <= {"a", "b", "name"}


def test_a_wrapped_function_keeps_its_signature() -> None:
    """`functools.wraps` tells what is inside."""

    @functools.wraps(add)
    def logged(*args: Any, **kwargs: Any) -> Any:
        return add(*args, **kwargs)

    assert list(tool(logged).parameters["properties"]) == ["a", "b"]


def test_what_cannot_be_called_is_refused() -> None:
    """Only a function can do work."""
    with pytest.raises(ToolInvalid, match="'add': only a function can become a tool"):
        tool("add")  # type: ignore[call-overload]  # the fault


def test_a_parameter_without_a_type_hint_is_refused() -> None:
    """The model must be told what to send."""

    def search(query) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001 -- the fault
        """Search."""

    with pytest.raises(ToolInvalid, match="search: parameter query has no type hint"):
        tool(search)


@pytest.mark.parametrize("star", ["*args", "**kwargs"])
def test_a_parameter_for_any_number_of_arguments_is_refused(star: str) -> None:
    """No schema can tell a model what to send there."""
    names: dict[str, Any] = {}
    exec(f"def search({star}: int) -> None: ...", names)  # noqa: S102 -- two signatures, one test

    with pytest.raises(ToolInvalid) as refused:
        tool(names["search"])
    assert f"search: parameter {star.lstrip(chr(42))} takes any number" in str(refused.value)


def test_a_type_without_a_json_schema_is_refused_by_the_name_of_its_parameter() -> None:
    """An object of Python's cannot come from a model."""

    def run(first: int, task: Greeter, last: int) -> None:
        """Run."""

    with pytest.raises(ToolInvalid, match="run: parameter task is of a type that has no JSON Sch"):
        tool(run)


def test_a_type_that_pydantic_takes_but_no_schema_tells_is_refused() -> None:
    """A function cannot come from a model either."""

    def run(first: int, task: Callable[[], int]) -> None:
        """Run."""

    with pytest.raises(ToolInvalid, match="run: parameter task is of a type that has no JSON Sch"):
        tool(run)


def test_a_type_hint_that_cannot_be_evaluated_is_refused() -> None:
    """Types must be defined where pydantic can find them."""

    def run(task: Missing) -> None:  # type: ignore[name-defined]  # noqa: F821 -- the fault
        """Run."""

    with pytest.raises(ToolInvalid, match="name 'Missing' is not defined"):
        tool(run)


def test_the_hint_of_what_is_returned_may_be_unknown() -> None:
    """It may name what exists for type checkers only."""

    def run(task: str) -> Missing:  # type: ignore[name-defined]  # noqa: F821 -- left alone
        """Run."""

    assert list(tool(run).parameters["properties"]) == ["task"]


def test_a_callable_whose_signature_python_does_not_know_is_refused() -> None:
    """Some built-in functions have none."""
    with pytest.raises(ToolInvalid, match="the handler's parameters cannot be read"):
        tool(type, name="kind")


def test_the_context_is_injected_and_no_part_of_the_schema() -> None:
    """A model can neither see nor set it."""

    def who(query: str, ctx: ToolContext) -> str:
        """Say who asks."""
        return ctx.identity.principal + query

    made = tool(who)
    args, kwargs = made.bind({"query": "?"}, context_for_handlers(principal="ada"))
    assert list(made.parameters["properties"]) == ["query"]
    assert made(*args, **kwargs) == "ada?"


def test_a_type_of_the_enclosing_function_is_found() -> None:
    """Tools may be made in functions, with types that live there."""

    class Local(BaseModel):
        size: int

    def measure(thing: Local) -> int:
        """Measure."""
        return thing.size

    assert list(tool(measure).parameters["$defs"]) == ["Local"]
