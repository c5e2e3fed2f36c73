"""From a function's type hints and docstring to a JSON Schema, and from arguments back to it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import ErrorDetails, SchemaError, to_json

from toolferry.binding import Bound, Slot, deliver, slot_of
from toolferry.context import ToolContext
from toolferry.discretion import Discretion, discretion_of
from toolferry.docstring import Docstring, read_docstring
from toolferry.errors import InvalidArguments, ToolInvalid
from toolferry.faults import schema_error
from toolferry.hints import hints_of, parameters_of
from toolferry.result import Fault
from toolferry.subschemas import walk, without
from toolferry.wording import path_text

#: Unknown arguments are refused. A refusal never repeats a value: it may be a secret.
_CONFIG: Final = ConfigDict(extra="forbid", hide_input_in_errors=True, protected_namespaces=())
#: What pydantic puts before its own or an author's words.
_PREFIXES: Final = ("Input should be ", "Value error, ", "Assertion failed, ")


@dataclass(frozen=True, slots=True)
class Signature:
    """What a handler's own words say about the tool."""

    #: The JSON Schema of the arguments.
    parameters: dict[str, Any]
    #: The first paragraph of the docstring, as one line.
    description: str
    binder: ModelBinder


@dataclass(frozen=True, slots=True)
class ModelBinder:
    """Binds the arguments of a derived tool: they become what the type hints say."""

    tool: str
    model: type[BaseModel]
    slots: tuple[Slot, ...]
    discretion: Discretion

    def bind(self, arguments: Mapping[str, Any], ctx: ToolContext) -> Bound:
        """Turn JSON data into typed values, with the defaults of the signature."""
        try:
            # As JSON text: in strict models JSON texts may become dates, Python's may not.
            read = self.model.model_validate_json(to_json(dict(arguments)))
        except ValidationError as error:
            raise self._refused(error, ctx) from None
        values = {
            slot.name: getattr(read, _field(slot.name)) for slot in self.slots if not slot.context
        }
        return deliver(self.slots, values, ctx)

    def deliver_to(self, slots: tuple[Slot, ...]) -> Self:
        """Fill other parameters."""
        return replace(self, slots=slots)

    def _refused(self, error: ValidationError, ctx: ToolContext) -> InvalidArguments:
        faults = tuple(map(self._fault, error.errors(include_url=False)))
        return InvalidArguments(ctx.call_id, schema_error(self.tool, faults).message, faults)

    def _fault(self, error: ErrorDetails) -> Fault:
        path = error["loc"]
        where = path_text(self.discretion.told(path))
        if error["type"] == "missing":
            return Fault(path=where, expected="a value", got="nothing")
        expected = "another value" if self.discretion.hides(path) else _plain(error["msg"])
        got = self.discretion.show(path, error["input"])
        return Fault(path=where, expected=expected, got=got)


def derive(tool: str, handler: Callable[..., Any]) -> Signature:
    """Read a handler's signature and docstring.

    Args:
        tool: The tool's name, for the errors.
        handler: Its parameters have type hints that pydantic understands. One of the type
            `ToolContext` is injected and is no part of the schema.

    Raises:
        ToolInvalid: A parameter has no type hint, takes any number of arguments, or is of a type
            that has no JSON Schema; names the parameter.
    """
    doc = read_docstring(inspect.getdoc(handler))
    hints = hints_of(tool, handler)
    parameters = parameters_of(tool, handler)
    slots = tuple(_slot(tool, parameter, hints) for parameter in parameters)
    model = _model(
        tool,
        {
            slot.name: (_described(hints[slot.name], slot.name, doc), _default(slot))
            for slot in slots
            if not slot.context
        },
    )
    schema = _schema(tool, model)
    return Signature(schema, doc.summary, ModelBinder(tool, model, slots, discretion_of(schema)))


def _slot(tool: str, parameter: inspect.Parameter, hints: Mapping[str, Any]) -> Slot:
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        raise ToolInvalid(
            tool,
            f"parameter {parameter.name} takes any number of arguments, which no schema can tell a"
            " model: name each one, or give the schema as `parameters`",
        )
    if parameter.name not in hints:
        raise ToolInvalid(
            tool, f"parameter {parameter.name} has no type hint: a model must be told what to send"
        )
    return slot_of(parameter, hints[parameter.name])


def _field(name: str) -> str:
    """Name a field of the model so that it hides no attribute of pydantic's, whatever the name."""
    return f"arg_{name}"


def _described(hint: Any, name: str, doc: Docstring) -> Any:
    """Add the parameter's own name and the docstring's words; what the hint says itself wins."""
    own = FieldInfo.from_annotation(hint)
    description = own.description or doc.parameters.get(name)
    return Annotated[hint, Field(alias=own.alias or name, description=description)]


def _default(slot: Slot) -> Any:
    return ... if slot.default is inspect.Parameter.empty else slot.default


def _model(tool: str, fields: Mapping[str, tuple[Any, Any]]) -> type[BaseModel]:
    try:
        return _created({_field(name): field for name, field in fields.items()})
    except (PydanticUserError, SchemaError, TypeError) as error:
        raise ToolInvalid(tool, _blame(fields, error)) from error


def _created(fields: Mapping[str, tuple[Any, Any]]) -> type[BaseModel]:
    members: dict[str, Any] = dict(fields)
    return create_model("Arguments", __config__=_CONFIG, **members)


def _blame(fields: Mapping[str, tuple[Any, Any]], error: Exception) -> str:
    """Find the parameter that pydantic cannot deal with, by trying each alone."""
    for name, field in fields.items():
        try:
            _created({_field(name): field}).model_json_schema(schema_generator=_Generator)
        except (PydanticUserError, SchemaError, TypeError):
            return f"parameter {name} is of a type that has no JSON Schema: {_first_line(error)}"
    return f"its parameters have no JSON Schema: {_first_line(error)}"


def _schema(tool: str, model: type[BaseModel]) -> dict[str, Any]:
    try:
        schema = model.model_json_schema(schema_generator=_Generator)
    except (PydanticUserError, TypeError) as error:
        fields = {
            str(field.alias): (field.annotation, field) for field in model.model_fields.values()
        }
        raise ToolInvalid(tool, _blame(fields, error)) from error
    cleaned: dict[str, Any] = without(schema, {"title"})
    for _, part in walk(cleaned):
        if part.get("writeOnly"):
            part.pop("default", None)  # asterisks, which a model would send back as a value
    return cleaned


class _Generator(GenerateJsonSchema):
    """Leaves out a default that JSON cannot hold: the handler still gets it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ignored_warning_kinds = {"non-serializable-default", "skipped-choice"}


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".")


def _plain(message: str) -> str:
    for prefix in _PREFIXES:
        message = message.removeprefix(prefix)
    return message
