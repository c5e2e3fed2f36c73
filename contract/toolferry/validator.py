"""The validator of a tool's arguments: compiled once, and it finds what is wrong with each call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolferry.depth import is_deeper
from toolferry.discretion import discretion_of
from toolferry.errors import SchemaInvalid
from toolferry.faults import FaultWriter
from toolferry.findings import Findings
from toolferry.fresh_stack import deeply
from toolferry.judging import Judge, Misfit
from toolferry.limits import MAX_DEPTH
from toolferry.restoring import renames
from toolferry.result import Fault
from toolferry.schema import TOO_NESTED, check_schema

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
        try:
            self._judge = deeply(Judge, schema)
        except RecursionError as error:
            raise SchemaInvalid(tool, TOO_NESTED) from error

    def findings(self, arguments: Mapping[str, Any]) -> Findings:
        """Give what is wrong with the arguments, to be asked for more than once."""
        return Findings(self, arguments)

    def faults(self, arguments: Mapping[str, Any]) -> tuple[Fault, ...]:
        """List what is wrong with the arguments, up to `MAX_FAULTS`; empty when they fit."""
        return self.told(self.misfits(arguments))

    def misfits(self, arguments: Mapping[str, Any]) -> tuple[Misfit, ...] | None:
        """Give what is wrong with the arguments; None of those that are too deep to be judged.

        Where alternatives are allowed, it is what is wrong by the one that was meant, if that is
        clear. Of very much that is wrong it is a part, see `toolferry.judging`.
        """
        instance = arguments if isinstance(arguments, dict) else dict(arguments)
        if is_deeper(instance, MAX_DEPTH):
            return None
        try:
            return deeply(self._judge.misfits, instance)
        except RecursionError:  # a schema can make many steps of each level
            return None

    def known_names(self, misfit: Misfit) -> tuple[str, ...]:
        """Give the names that an unknown member could have had, as far as the schema lists them."""
        known = self._writer.known_members(misfit)
        return known.names if known else ()

    def told(self, misfits: tuple[Misfit, ...] | None) -> tuple[Fault, ...]:
        """Tell a model what is wrong; None stands for arguments that are too deep."""
        if misfits is None:
            return (_TOO_DEEP,)
        return self._writer.faults(misfits) if misfits else ()
