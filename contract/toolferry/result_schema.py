"""The schema of a tool's results: what does not fit it is kept from the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final

from pydantic import PydanticUserError, TypeAdapter

from toolferry.answer import Answer
from toolferry.errors import ConversionFailed, SchemaInvalid
from toolferry.fresh_stack import deeply
from toolferry.hints import return_hint_of
from toolferry.integers import is_whole
from toolferry.judging import Judge, Misfit
from toolferry.schema import TOO_NESTED, copy_schema, schema_faults
from toolferry.subschemas import pointer, walk

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
        self._schema = schema
        # A float that a handler returns is what it is: nobody has rounded it on the way here.
        try:
            self._judge = deeply(Judge, schema, is_whole)
        except RecursionError as error:
            raise SchemaInvalid(tool, f"{_WHERE}: {TOO_NESTED}") from error

    def require(self, content: Any) -> None:
        """Require content that fits.

        Raises:
            ConversionFailed: It does not; names the place in the schema. What came, and where in it
                the fault is, is not told: names of members may be as secret as values.
        """
        try:
            misfits = deeply(self._judge.misfits, content)
        except RecursionError as error:  # a schema can make many steps of each level
            raise ConversionFailed(self._tool, "returned a result that is too deep") from error
        if misfits:
            place = self._place(misfits[0])
            raise ConversionFailed(
                self._tool, f"returned a result that does not fit its schema at {place}"
            )

    def _place(self, misfit: Misfit) -> str:
        """Give the keyword that is not fitted; the whole schema if it has no place of its own."""
        holders = (place for place, part in walk(self._schema) if part is misfit.schema)
        holder = next(holders, None)
        return "#" if holder is None else pointer((*holder, misfit.keyword))


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
