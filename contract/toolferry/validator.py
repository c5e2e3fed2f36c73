"""The validator of a tool's arguments: compiled once, and it finds every fault."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from jsonschema.exceptions import ValidationError
from referencing import Registry

from toolferry.depth import is_deeper
from toolferry.discretion import discretion_of
from toolferry.faults import FaultWriter
from toolferry.formats import FORMAT_CHECKER
from toolferry.integers import ExactValidator
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
        self._judge = ExactValidator(schema, registry=Registry(), format_checker=FORMAT_CHECKER)

    def faults(self, arguments: Mapping[str, Any]) -> tuple[Fault, ...]:
        """List everything that is wrong with the arguments; empty when they fit."""
        instance = arguments if isinstance(arguments, dict) else dict(arguments)
        if is_deeper(instance, MAX_DEPTH):
            return (_TOO_DEEP,)
        try:
            if self._surely_fits(instance):
                return ()
            return self._writer.faults(self._judge.iter_errors(instance))
        except RecursionError:  # a schema can make many steps of each level
            return (_TOO_DEEP,)

    def surely_fit(self, arguments: Mapping[str, Any]) -> bool:
        """Tell quickly that arguments fit; of some that do it says no, see `toolferry.shortcut`."""
        instance = arguments if isinstance(arguments, dict) else dict(arguments)
        try:
            return self._surely_fits(instance)
        except RecursionError:
            return False

    def errors(self, arguments: Mapping[str, Any]) -> Iterator[ValidationError]:
        """Give what jsonschema finds wrong; nothing of arguments that are too deep.

        Raises:
            RecursionError: While it is read: the schema makes many steps of each level.
        """
        instance = arguments if isinstance(arguments, dict) else dict(arguments)
        return iter(()) if is_deeper(instance, MAX_DEPTH) else self._judge.iter_errors(instance)
