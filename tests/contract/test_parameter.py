"""Parameters written by hand, and their way to JSON Schema and back."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, create_model

from toolferry import Parameter, ParameterSchema, tool
from toolferry.references import resolve

NAMES = st.text("abcdefgh_", min_size=1, max_size=6).map(lambda name: f"n{name}")
WORDS = st.text("abc ", min_size=1, max_size=12)


def leaves() -> st.SearchStrategy[dict[str, Any]]:
    """Draw the fields of a parameter that holds no other."""
    return st.one_of(
        st.fixed_dictionaries(
            {"type": st.just("integer")},
            optional={"minimum": st.integers(-9, 0), "maximum": st.integers(1, 9)},
        ),
        st.fixed_dictionaries(
            {"type": st.just("string")}, optional={"pattern": st.just("^a"), "description": WORDS}
        ),
        st.fixed_dictionaries(
            {
                "type": st.just("string"),
                "enum": st.lists(NAMES, min_size=2, max_size=3, unique=True).map(tuple),
            }
        ),
        st.just({"type": "boolean"}),
        st.just({"type": "array", "items": ParameterSchema(type="number")}),
    )


def trees(depth: int) -> st.SearchStrategy[Parameter]:
    """Draw parameters that hold each other, `depth` levels deep at least along one way."""
    if depth == 0:
        return st.builds(
            lambda name, required, fields: Parameter(name=name, required=required, **fields),
            NAMES,
            st.booleans(),
            leaves(),
        )
    members = st.lists(
        st.one_of(trees(depth - 1), trees(0)), min_size=1, max_size=3, unique_by=lambda p: p.name
    )
    return st.builds(
        lambda name, required, description, inner: Parameter(
            name=name,
            required=required,
            type="object",
            description=description,
            properties=tuple(inner),
        ),
        NAMES,
        st.booleans(),
        st.none() | WORDS,
        st.tuples(trees(depth - 1), members).map(
            lambda pair: [pair[0], *(one for one in pair[1] if one.name != pair[0].name)]
        ),
    )


def hint_of(schema: ParameterSchema, name: str) -> Any:
    """Write a parameter as the type hint that a developer would write."""
    if schema.properties is not None:
        return model_of(schema, name)
    if schema.enum:
        return Literal[schema.enum]
    plain = {"integer": int, "string": str, "boolean": bool, "array": list[float]}
    limits = {"ge": schema.minimum, "le": schema.maximum, "pattern": schema.pattern}
    told: dict[str, Any] = {word: value for word, value in limits.items() if value is not None}
    return Annotated[plain[str(schema.type)], Field(**told)] if told else plain[str(schema.type)]


def model_of(schema: ParameterSchema, name: str) -> type[BaseModel]:
    """Write an object as a model."""
    fields: dict[str, Any] = {}
    for parameter in schema.parameters():
        inner = parameter.schema()
        hint = hint_of(inner, f"{name}_{parameter.name}")
        default = ... if parameter.required else None
        fields[parameter.name] = (hint, Field(default, description=inner.description))
    return create_model(name, **fields)


def inlined(root: Any, schema: Any) -> Any:
    """Put what references point to in their places, and drop the defaults of optional members."""
    if isinstance(schema, list):
        return [inlined(root, one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    target = resolve(root, schema["$ref"]) if "$ref" in schema else {}
    left_out = ("$ref", "$defs", "default")
    whole = {**target, **{key: value for key, value in schema.items() if key not in left_out}}
    return {key: inlined(root, value) for key, value in whole.items() if key != "$defs"}


@settings(max_examples=40, deadline=None)
@given(trees(3))
def test_a_parameter_comes_back_from_its_schema_equal(parameter: Parameter) -> None:
    """Nothing is lost, at least three levels deep."""
    schema = parameter.to_schema()

    back = Parameter.from_schema(parameter.name, schema, required=parameter.required)
    assert back == parameter
    assert back.to_schema() == schema


@settings(max_examples=40, deadline=None)
@given(trees(3))
def test_parameters_by_hand_and_type_hints_give_one_schema(parameter: Parameter) -> None:
    """Two ways to say the same thing; only where nested definitions stand differs."""

    def handler(root: Any) -> None: ...

    handler.__annotations__["root"] = model_of(parameter.schema(), "Root")
    derived = tool(handler).parameters

    by_hand = parameter.to_schema()
    by_hand.pop("description", None)
    assert inlined(derived, derived["properties"]["root"]) == by_hand


@settings(max_examples=40, deadline=None)
@given(st.lists(trees(2), min_size=1, max_size=3, unique_by=lambda parameter: parameter.name))
def test_a_tool_takes_its_parameters_and_no_others(parameters: list[Parameter]) -> None:
    """The schema of a whole tool is closed, and its parameters come back from it."""
    schema = ParameterSchema.of(*parameters)

    assert schema.to_schema()["additionalProperties"] is False
    assert ParameterSchema.from_schema(schema.to_schema()) == schema
    assert schema.parameters() == tuple(parameters)


class Page(BaseModel):
    """A model that holds itself."""

    number: int = Field(ge=1)
    pages: list[Page] | None = None


def browse(page: Page, title: Annotated[str, Field(max_length=9)] = "x") -> None:
    """Browse."""


def test_the_schema_of_any_tool_comes_back_equal() -> None:
    """References, definitions and other keywords are kept as they are."""
    schema = tool(browse).parameters

    read = ParameterSchema.from_schema(schema)
    assert read.to_schema() == schema
    assert [(one.name, one.required) for one in read.parameters()] == [
        ("page", True),
        ("title", False),
    ]


def test_boolean_schemas_are_kept() -> None:
    """`true` and `false` are schemas too; as parameters they are spelled out."""
    schema = {"properties": {"any": True, "none": False}, "items": True}

    read = ParameterSchema.from_schema(schema)
    assert read.to_schema() == schema
    assert [one.to_schema() for one in read.parameters()] == [{}, {"not": {}}]


def test_lists_may_be_given_where_json_has_lists() -> None:
    """They are kept as tuples, so that nobody changes them."""
    schema = ParameterSchema(type=["string", "null"], enum=["a", None], required=[])  # type: ignore[arg-type]  # lists are taken

    assert (schema.type, schema.enum, schema.required) == (("string", "null"), ("a", None), ())


def test_a_schema_without_properties_has_no_parameters() -> None:
    """There is nothing to name."""
    assert ParameterSchema(type="object").parameters() == ()
    assert ParameterSchema.of().to_schema() == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }
