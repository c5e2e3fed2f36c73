"""The validator of a tool's arguments: compiled once, and it finds every fault."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from jsonschema.exceptions import ValidationError

from toolferry.depth import is_deeper
from toolferry.discretion import discretion_of
from toolferry.faults import FaultWriter
from toolferry.findings import Findings
from toolferry.judge import Judge
from toolferry.limits import MAX_DEPTH
from toolferry.restoring import renames
from toolferry.result import Fault
from toolferry.schema import check_schema
from toolferry.shortcut import shortcut

_TOO_DEEP: Final = Fault(
    path="", expected=f"at most {MAX_DEPTH} levels of objects and arrays", got="more"
)


class ArgumentValidator:
    """Judges the arguments of one tool by its schema; safe to share between threads.

    JSON Schema 2020-12 with the formats of `toolferry.formats`, and with integers that nothing has
    rounded, see `toolferry.integers`. Nothing is ever fetched. Values of members that the schema
    marks as secret (`writeOnly`, format `password`) are never shown.

    Raises:
        SchemaInvalid: The schema cannot be enforced; names the path of the fault.
    """

    def __init__(self, tool: str, schema: Mapping[str, Any]) -> None:
        check_schema(tool, schema)
        #: What may be shown of the arguments.
        self.discretion = discretion_of(schema)
        #: Whether a member goes by another name on a wire, see `toolferry.restoring`.
        self.renames = renames(schema)
        self._writer = FaultWriter(schema, self.discretion)
        self._surely_fits = shortcut(schema)
        self._judge = Judge(schema)

    def findings(self, arguments: Mapping[str, Any]) -> Findings:
        """Give what is wrong with the arguments, to be asked for more than once."""
        return Findings(self, arguments)

    def faults(self, arguments: Mapping[str, Any]) -> tuple[Fault, ...]:
        """List everything that is wrong with the arguments; empty when they fit."""
        return self.told(self.errors(arguments))

    def errors(self, arguments: Mapping[str, Any]) -> tuple[ValidationError, ...] | None:
        """Give all that jsonschema finds wrong; None of arguments that are too deep for it."""
        instance = arguments if isinstance(arguments, dict) else dict(arguments)
        if is_deeper(instance, MAX_DEPTH):
            return None
        try:
            return () if self._surely_fits(instance) else self._judge.errors(instance)
        except RecursionError:  # a schema can make many steps of each level
            return None

    def told(self, errors: tuple[ValidationError, ...] | None) -> tuple[Fault, ...]:
        """Tell a model of errors that were found; None stands for arguments that are too deep."""
        if errors is None:
            return (_TOO_DEEP,)
        return self._writer.faults(errors) if errors else ()
