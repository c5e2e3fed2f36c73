"""From type hints to a schema, and from arguments to typed values."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, model_validator
from typing_extensions import TypedDict

from tests.contract.samples import context_for_handlers
from toolferry import InvalidArguments, Tool, ToolContext, tool

SECRET = SecretStr("hunter2")
NO_TAGS: Any = Field(default_factory=list)


class Colour(enum.Enum):
    """A closed set."""

    RED = "red"
    BLUE = "blue"


class Leaf(BaseModel):
    """The innermost level."""

    size: int = Field(ge=1, description="In metres.")


class Branch(BaseModel):
    """A level that holds itself."""

    leaves: list[Leaf] = []
    branches: list[Branch] = []


@dataclass
class Tree:
    """The outermost level."""

    trunk: Branch
    colour: Colour = Colour.RED


class Range(TypedDict):
    """A pair."""

    low: int
    high: int


class Strict(BaseModel):
    """A model that takes no strings for dates in Python, but does in JSON."""

    model_config = ConfigDict(strict=True)

    when: datetime


class Interval(BaseModel):
    """A rule that JSON Schema cannot express."""

    low: int
    high: int

    @model_validator(mode="after")
    def ordered(self) -> Interval:
        """Require that the bounds are in order."""
        if self.low > self.high:
            raise ValueError("low must not be above high")
        return self


def bound(made: Tool, **arguments: Any) -> dict[str, Any]:
    """Bind arguments and give the keyword arguments of the handler."""
    args, kwargs = made.bind(arguments, context_for_handlers())
    assert args == ()
    return kwargs


def refused(made: Tool, **arguments: Any) -> InvalidArguments:
    """Bind arguments that a rule refuses."""
    with pytest.raises(InvalidArguments) as caught:
        made.bind(arguments, context_for_handlers())
    return caught.value


@tool
def plant(
    tree: Tree,
    name: Annotated[str, Field(description="Its name.", max_length=20)],
    spot: Range | None = None,
    kind: Literal["oak", "elm"] = "oak",
    *,
    depth: Annotated[float, Field(gt=0, le=5)] = 1.5,
) -> None:
    """Plant a tree.

    Args:
        tree: What to plant.
        name: Not taken: the field says it.
        spot: Where.
        kind: Which sort.
        depth: How deep.
    """


def test_the_schema_is_clean_and_complete() -> None:
    """No titles, nothing unknown at the root, descriptions of field or docstring, defaults."""
    schema = plant.parameters

    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["tree", "name"]
    assert schema["properties"]["tree"] == {
        "$ref": "#/$defs/Tree",
        "description": "What to plant.",
    }
    assert schema["properties"]["name"] == {
        "type": "string",
        "description": "Its name.",
        "maxLength": 20,
    }
    assert schema["properties"]["kind"] == {
        "type": "string",
        "enum": ["oak", "elm"],
        "default": "oak",
        "description": "Which sort.",
    }
    assert schema["properties"]["depth"] == {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 5,
        "default": 1.5,
        "description": "How deep.",
    }
    assert set(schema["$defs"]) == {"Tree", "Branch", "Leaf", "Colour", "Range"}
    assert "title" not in str(schema)


def test_a_parameter_named_title_is_kept() -> None:
    """Only pydantic's own titles are taken away."""

    @tool
    def rename(title: str, description: str) -> None:
        """Rename."""

    assert list(rename.parameters["properties"]) == ["title", "description"]


def test_arguments_become_what_the_hints_say() -> None:
    """Nested models, dataclasses and enums arrive as such, defaults are filled in."""
    given = {"trunk": {"branches": [{"leaves": [{"size": 2}]}]}}

    kwargs = bound(plant, tree=given, name="Ada", kind="elm")
    assert kwargs["tree"] == Tree(Branch(branches=[Branch(leaves=[Leaf(size=2)])]), Colour.RED)
    assert (kwargs["spot"], kwargs["kind"], kwargs["depth"]) == (None, "elm", 1.5)


@pytest.mark.parametrize(
    ("hint", "given", "wanted"),
    [
        (datetime, "2025-11-29T20:00:00Z", datetime(2025, 11, 29, 20, tzinfo=UTC)),
        (date, "2025-11-29", date(2025, 11, 29)),
        (Colour, "blue", Colour.BLUE),
        (Decimal, "1.10", Decimal("1.10")),
        (UUID, "7f6c0a52-9d4f-4d0c-9f05-2f0f5a3b8f11", UUID("7f6c0a529d4f4d0c9f052f0f5a3b8f11")),
        (set[str], ["a", "b"], {"a", "b"}),
        (tuple[int, str], [1, "a"], (1, "a")),
        (int | None, None, None),
        (
            Strict,
            {"when": "2025-11-29T20:00:00Z"},
            Strict(when=datetime(2025, 11, 29, 20, tzinfo=UTC)),
        ),
        (int, 9007199254740993, 9007199254740993),
        (Any, {"a": [1]}, {"a": [1]}),
    ],
)
def test_a_value_becomes_its_type(hint: Any, given: Any, wanted: Any) -> None:
    """Whatever pydantic reads from JSON can be a parameter, and fits its own schema."""

    def take(value: Any) -> None: ...

    take.__annotations__["value"] = hint
    made = tool(take)

    assert made.validator.faults({"value": given}) == ()
    assert bound(made, value=given) == {"value": wanted}


def test_defaults_may_stand_in_a_field() -> None:
    """`= Field(3, le=5)` is a default with a constraint."""

    @tool
    def search(limit: int = Field(3, le=5), tags: list[str] = NO_TAGS) -> None:
        """Search."""

    assert bound(search) == {"limit": 3, "tags": []}


def test_a_default_that_json_cannot_hold_still_reaches_the_handler() -> None:
    """The schema says nothing of it."""
    nothing = object()

    @tool
    def search(limit: Any = nothing) -> None:
        """Search."""

    assert search.parameters["properties"] == {"limit": {}}
    assert bound(search)["limit"] is not None


def test_names_that_pydantic_uses_itself_can_be_parameters() -> None:
    """`schema`, `copy`, `model_config` and names with underscores are ordinary words."""

    @tool
    def odd(schema: str, copy: int, model_config: float, _x: int = 1) -> None:
        """Take odd names."""

    assert list(odd.parameters["properties"]) == ["schema", "copy", "model_config", "_x"]
    assert bound(odd, schema="s", copy=1, model_config=1.5)["_x"] == 1


def test_a_parameter_may_have_another_name_for_the_model() -> None:
    """An alias is the name in the schema."""

    @tool
    def search(from_: Annotated[str, Field(alias="from")]) -> None:
        """Search."""

    assert list(search.parameters["properties"]) == ["from"]
    assert bound(search, **{"from": "x"}) == {"from_": "x"}


def test_positional_parameters_and_the_context_arrive_in_their_places() -> None:
    """The context may stand anywhere, be optional or annotated."""

    @tool
    def first(
        a: int,
        ctx: ToolContext | None = None,
        b: int = 2,
        /,
        c: int = 3,
        *,
        other: Annotated[ToolContext, "the same"],
    ) -> tuple[Any, ...]:
        """Give what came."""
        return a, ctx, b, c, other

    ctx = context_for_handlers()
    args, kwargs = first.bind({"a": 1}, ctx)
    assert first(*args, **kwargs) == (1, ctx, 2, 3, ctx)
    assert list(first.parameters["properties"]) == ["a", "b", "c"]


def test_a_rule_beyond_the_schema_refuses_with_its_own_sentence() -> None:
    """What a validator says reaches the model with the path."""

    @tool
    def search(interval: Interval) -> None:
        """Search."""

    error = refused(search, interval={"low": 2, "high": 1})
    assert str(error) == (
        "call c1: The arguments of search do not fit: interval: expected low must not be above"
        ' high, got {"low": 2, "high": 1}.'
    )
    assert error.faults[0].path == "interval"


def test_a_missing_member_is_told_as_missing() -> None:
    """Binding checks for itself, also when nobody validated before."""

    @tool
    def search(interval: Interval) -> None:
        """Search."""

    faults = refused(search, interval={"low": 1}).faults
    assert [(fault.path, fault.expected, fault.got) for fault in faults] == [
        ("interval.high", "a value", "nothing")
    ]


def test_a_refusal_never_repeats_a_secret() -> None:
    """Neither the value nor what a validator says about it."""

    def never(value: SecretStr) -> SecretStr:
        raise ValueError(f"bad key {value.get_secret_value()}")

    @tool
    def login(key: Annotated[SecretStr, AfterValidator(never)]) -> None:
        """Log in."""

    error = refused(login, key="hunter2")
    assert "hunter2" not in str(error) + repr(error) + str(error.__cause__)
    assert error.faults[0].expected == "another value"
    assert error.faults[0].got == "string, not shown"


def test_the_default_of_a_secret_is_not_told() -> None:
    """Its asterisks would come back as a value."""

    @tool
    def login(key: SecretStr = SECRET) -> None:
        """Log in."""

    assert "default" not in login.parameters["properties"]["key"]
    assert bound(login)["key"].get_secret_value() == "hunter2"


def test_unknown_arguments_are_refused_when_binding() -> None:
    """An invented parameter never disappears silently."""
    error = refused(plant, tree={"trunk": {}}, name="Ada", invented=1)

    assert error.faults[0].path == "invented"
