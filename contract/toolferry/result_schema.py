"""The schema of a tool's results: what does not fit it is kept from the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final

from jsonschema import Draft202012Validator
from pydantic import PydanticUserError, TypeAdapter

from toolferry.answer import Answer
from toolferry.errors import ConversionFailed, SchemaInvalid
from toolferry.hints import return_hint_of
from toolferry.judge import Judge
from toolferry.schema import copy_schema, schema_faults
from toolferry.subschemas import pointer

_WHERE: Final = "result_schema"


class FromReturn(Enum):
    """Where else the schema of a tool's results comes from."""

    FROM_RETURN = "return"


#: The schema is that of the type that the handler says it returns, by pydantic.
FROM_RETURN: Final = FromReturn.FROM_RETURN


class ResultValidator:
    """Judges the contents of one tool's results by its schema; safe to share between threads.

    JSON Schema 2020-12 with the formats of `toolferry.formats`. Nothing is ever fetched.

    Raises:
        SchemaInvalid: The schema cannot be enforced; names the path of the fault.
    """

    def __init__(self, tool: str, schema: Mapping[str, Any]) -> None:
        for reason in schema_faults(schema):
            raise SchemaInvalid(tool, f"{_WHERE}: {reason}")
        self._tool = tool
        # A float that a handler returns is what it is: nobody has rounded it on the way here.
        self._judge = Judge(schema, Draft202012Validator)

    def require(self, content: Any) -> None:
        """Require content that fits.

        Raises:
            ConversionFailed: It does not; names the place in the schema. What came, and where in it
                the fault is, is not told: names of members may be as secret as values.
        """
        try:
            fault = self._judge.first(content)
        except RecursionError as error:  # a schema can make many steps of each level
            raise ConversionFailed(self._tool, "returned a result that is too deep") from error
        if fault is not None:
            place = pointer(tuple(fault.absolute_schema_path))
            raise ConversionFailed(
                self._tool, f"returned a result that does not fit its schema at {place}"
            )


def copy_result_schema(tool: str, schema: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Give a deep copy of a schema of results; None of none.

    Raises:
        SchemaInvalid: It is no JSON data, is no object, or goes too deep.
    """
    try:
        return None if schema is None else copy_schema(tool, schema)
    except SchemaInvalid as error:
        raise SchemaInvalid(tool, f"{_WHERE}: {error.reason}") from error


def derived_result_schema(tool: str, handler: Callable[..., Any]) -> dict[str, Any]:
    """Give the schema of what a handler says it returns.

    Raises:
        ToolInvalid: It does not say so, or in a way that cannot be evaluated.
        SchemaInvalid: Its type has no JSON Schema, or is `Answer`.
    """
    hint = return_hint_of(tool, handler)
    if hint is Answer:
        raise SchemaInvalid(tool, f"{_WHERE}: an Answer does not say what its content is")
    try:
        return TypeAdapter(hint).json_schema(mode="serialization")
    except PydanticUserError as error:
        reason = str(error).partition("\n")[0]
        raise SchemaInvalid(tool, f"{_WHERE}: {reason}") from error
