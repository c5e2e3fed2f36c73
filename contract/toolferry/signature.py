"""`@tool`: a function's type hints and docstring become a tool."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypedDict, Unpack, overload

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.errors import PydanticUserError
from pydantic.json_schema import GenerateJsonSchema

from toolferry.binding import (
    Bound,
    Slot,
    deliver,
    hints_of,
    parameters_of,
    slot_of,
)
from toolferry.context import ToolContext
from toolferry.discretion import Discretion, discretion_of
from toolferry.docstring import read_docstring
from toolferry.errors import InvalidArguments, ToolInvalid
from toolferry.faults import schema_error
from toolferry.parameter import ParameterSchema
from toolferry.result import Fault
from toolferry.retry import RetryPolicy
from toolferry.states import EffectClass, Lane, ResultFormat, Risk
from toolferry.subschemas import without_titles
from toolferry.tool import Tool
from toolferry.wording import path_text
