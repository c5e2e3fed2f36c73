"""Parameters written by hand: each named, with its own `required`; or nested, with a list of them.

Both render to JSON Schema and are read back from it. Keywords that have no field of their own are
kept in `extra`, so that nothing is lost on the way: the schema of any `@tool` comes back equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

#: The keywords that have a field of their own.
_WORDS: Final = (
    "type",
    "description",
    "enum",
    "minimum",
    "maximum",
    "pattern",
    "items",
    "properties",
    "required",
)
#: The fields that a parameter shares with its schema as they are.
_SHARED: Final = (*_WORDS[:7], "extra")

#: A schema inside another one; JSON Schema knows `true` (anything) and `false` (nothing) too.
Subschema: TypeAlias = "ParameterSchema | bool"


@dataclass(frozen=True, kw_only=True)
class ParameterSchema:
    """What a value must be; objects list their properties and which of them are required.

    >>> ParameterSchema(type="integer", minimum=1).to_schema()
    {'type': 'integer', 'minimum': 1}
    """

    #: One of the seven JSON types, or several.
    type: str | tuple[str, ...] | None = None
    description: str | None = None
    #: The only values there are.
    enum: tuple[Any, ...] | None = None
    #: The smallest and the largest number, both included.
    minimum: float | None = None
    maximum: float | None = None
    #: A regular expression that a text must match somewhere.
    pattern: str | None = None
    #: What each element of an array must be.
    items: Subschema | None = None
    properties: Mapping[str, Subschema] | None = None
    #: Names of the properties that must be there.
    required: tuple[str, ...] | None = None
    #: All other keywords of the schema, as they are.
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("type", "enum", "required"):
            if isinstance(getattr(self, name), list):
                object.__setattr__(self, name, tuple(getattr(self, name)))

    @classmethod
    def of(cls, *parameters: Parameter) -> ParameterSchema:
        """Give the schema of a tool that takes these parameters and no others.

        >>> ParameterSchema.of(Parameter(name="id", type="integer", required=True)).to_schema()
        ... # doctest: +NORMALIZE_WHITESPACE
        {'type': 'object', 'properties': {'id': {'type': 'integer'}}, 'required': ['id'],
         'additionalProperties': False}
        """
        members = _members(parameters)
        return cls(type="object", extra={"additionalProperties": False}, **members)

    def parameters(self) -> tuple[Parameter, ...]:
        """Give the properties as named parameters."""
        required = self.required or ()
        return tuple(
            _named(name, child, required=name in required)
            for name, child in (self.properties or {}).items()
        )

    def to_schema(self) -> dict[str, Any]:
        """Write the JSON Schema; what is None is left out."""
        schema = {word: _written(getattr(self, word)) for word in _WORDS}
        return {word: value for word, value in schema.items() if value is not None} | dict(
            self.extra
        )

    @classmethod
    def from_schema(cls, schema: Mapping[str, Any]) -> ParameterSchema:
        """Read a JSON Schema; `to_schema` gives back an equal one."""
        words = {word: _read(word, schema[word]) for word in _WORDS if word in schema}
        extra = {word: value for word, value in schema.items() if word not in _WORDS}
        return cls(**words, extra=extra)


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One named argument of a tool; an object lists its members as parameters again.

    >>> Parameter(name="limit", type="integer", minimum=1, required=True).to_schema()
    {'type': 'integer', 'minimum': 1}
    """

    name: str
    #: Whether every call must give it.
    required: bool = False
    #: The fields of `ParameterSchema`, with the same meaning.
    type: str | tuple[str, ...] | None = None
    description: str | None = None
    enum: tuple[Any, ...] | None = None
    minimum: float | None = None
    maximum: float | None = None
    pattern: str | None = None
    items: Subschema | None = None
    #: The members of an object; None where it is none, or where they are not told.
    properties: tuple[Parameter, ...] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def schema(self) -> ParameterSchema:
        """Give the schema of the value, without the name."""
        shared = {word: getattr(self, word) for word in _SHARED}
        members = _members(self.properties) if self.properties is not None else {}
        return ParameterSchema(**shared, **members)

    def to_schema(self) -> dict[str, Any]:
        """Write the JSON Schema of the value."""
        return self.schema().to_schema()

    @classmethod
    def from_schema(cls, name: str, schema: Mapping[str, Any], *, required: bool) -> Parameter:
        """Read the JSON Schema of the argument with this name."""
        return _named(name, ParameterSchema.from_schema(schema), required=required)


def _named(name: str, given: Subschema, *, required: bool) -> Parameter:
    schema = _ANYTHING if given is True else _NOTHING if given is False else given
    shared = {word: getattr(schema, word) for word in _SHARED}
    properties = None if schema.properties is None else schema.parameters()
    return Parameter(name=name, required=required, properties=properties, **shared)


def _members(parameters: Iterable[Parameter]) -> dict[str, Any]:
    """Give the two keywords in which a schema keeps named parameters."""
    parameters = tuple(parameters)
    required = tuple(one.name for one in parameters if one.required)
    return {
        "properties": {one.name: one.schema() for one in parameters},
        "required": required or None,
    }


def _written(value: Any) -> Any:
    if isinstance(value, ParameterSchema):
        return value.to_schema()
    if isinstance(value, Mapping):
        return {name: _written(child) for name, child in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _read(word: str, value: Any) -> Any:
    if word == "properties":
        return {name: _child(child) for name, child in value.items()}
    return _child(value) if word == "items" else value


def _child(schema: Any) -> Subschema:
    return schema if isinstance(schema, bool) else ParameterSchema.from_schema(schema)


#: What the schemas `true` and `false` stand for.
_ANYTHING: Final = ParameterSchema()
_NOTHING: Final = ParameterSchema(extra={"not": {}})
