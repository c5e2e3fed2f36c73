"""`@tool`: a function becomes a tool."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypedDict, Unpack, overload

from toolferry.approval import Approval
from toolferry.display import Display
from toolferry.docstring import read_docstring
from toolferry.errors import ToolInvalid
from toolferry.parameter import ParameterSchema
from toolferry.placement import Concurrency, Rate
from toolferry.result_schema import FROM_RETURN, FromReturn, derived_result_schema
from toolferry.retry import RetryPolicy
from toolferry.signature import derive
from toolferry.states import EffectClass, Lane, ResultFormat, Risk
from toolferry.tool import Tool
from toolferry.trim import Trim

#: Any function that does the work of a tool, sync or async.
Handler = Callable[..., Any]


class ToolOptions(TypedDict, total=False):
    """What `@tool` may be told; the fields of `Tool`, with the same meanings and defaults."""

    #: Default: the function's name.
    name: str
    #: Default: the first paragraph of the docstring.
    description: str
    #: An explicit schema. Default: derived from the type hints.
    parameters: Mapping[str, Any] | ParameterSchema
    display: Display
    category: str
    tags: Collection[str]
    effect: EffectClass
    idempotent: bool
    timeout: float
    deadline: float
    answer_within: float | None
    retry: RetryPolicy
    lane: Lane
    queue: str
    concurrency: Concurrency
    rate: Rate
    polling: bool
    permissions: Collection[str]
    allowed_roles: Collection[str]
    environments: Collection[str]
    tenants: Collection[str]
    rules: Collection[Callable[[Any], Any]]
    confirm: bool | Callable[[Any], bool]
    approval: Approval
    risk: Risk
    resource: str
    exclusive: bool
    adapter: Callable[[Any], Any]
    #: A schema, or `FROM_RETURN`.
    result_schema: Mapping[str, Any] | FromReturn
    render_result: Callable[[Any], str]
    redact: Collection[str | re.Pattern[str]]
    reveals: bool
    max_result_bytes: int
    trim: Trim
    result_format: ResultFormat
    examples: Collection[Mapping[str, Any]]
    cost: float
    version: str
    non_retryable: tuple[type[BaseException], ...]
    verify: Callable[..., Any]
    undo: str
    lint_accepted: Mapping[str, str]


@overload
def tool(handler: Handler, /) -> Tool: ...


@overload
def tool(handler: None = None, /, **options: Unpack[ToolOptions]) -> Callable[[Handler], Tool]: ...


@overload
def tool(handler: Handler, /, **options: Unpack[ToolOptions]) -> Tool: ...


def tool(
    handler: Handler | None = None, /, **options: Unpack[ToolOptions]
) -> Tool | Callable[[Handler], Tool]:
    """Make a tool of a function, as `@tool`, `@tool(...)` or `tool(function, ...)`.

    The schema comes from the type hints, through pydantic: Annotated and Field constraints,
    Literal and Enum, nested models, Optional, defaults. The docstring's first paragraph is the
    description, and its `Args:` section describes the parameters that no Field describes.

    Args:
        handler: The function that does the work.
        **options: The fields of `Tool`.

    Raises:
        ToolInvalid: The function cannot be told to a model, or an option is out of its range.

    >>> @tool(timeout=5)
    ... def add(a: int, b: int = 1) -> int:
    ...     '''Add two numbers.'''
    ...     return a + b
    >>> add.name, add.description, add.parameters["required"], add(2)
    ('add', 'Add two numbers.', ['a'], 3)
    """
    if handler is None:
        return lambda function: _build(function, options)
    return _build(handler, options)


def _build(handler: Handler, options: ToolOptions) -> Tool:
    fields: dict[str, Any] = {"name": _name_of(handler), **options, "handler": handler}
    if "parameters" in options:
        fields["parameters"] = _schema_of(options["parameters"])
        fields.setdefault("description", read_docstring(handler.__doc__).summary)
    else:
        derived = derive(fields["name"], handler)
        fields |= {"parameters": derived.parameters, "signature": derived.binder}
        fields.setdefault("description", derived.description)
    if fields.get("result_schema") is FROM_RETURN:
        fields["result_schema"] = _returned(fields["name"], handler, options)
    return Tool(**fields)


def _returned(name: str, handler: Handler, options: ToolOptions) -> dict[str, Any]:
    if options.get("adapter") is not None:
        raise ToolInvalid(name, "result_schema: what its adapter gives has no hint: give a schema")
    return derived_result_schema(name, handler)


def _schema_of(parameters: Mapping[str, Any] | ParameterSchema) -> Mapping[str, Any]:
    return parameters.to_schema() if isinstance(parameters, ParameterSchema) else parameters


def _name_of(handler: Handler) -> str:
    if not callable(handler):
        raise ToolInvalid(repr(handler), "only a function can become a tool")
    while hasattr(handler, "func"):
        handler = handler.func
    return str(getattr(handler, "__name__", type(handler).__name__))
