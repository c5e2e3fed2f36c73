"""From what jsonschema finds to what a model is told: every fault, each once, in its words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from jsonschema.exceptions import ValidationError

from toolferry.codes import ErrorCode
from toolferry.discretion import Discretion
from toolferry.expectation import MAX_EXPECTED, expectation
from toolferry.result import CallError, Fault
from toolferry.wording import path_text, shortened

#: Faults that the message of an error tells; `CallError.faults` holds all of them.
MAX_TOLD: Final = 20

Path = tuple[str | int, ...]


def schema_error(tool: str, faults: tuple[Fault, ...]) -> CallError:
    """Build the error of a call whose arguments do not fit, with every fault in its message.

    >>> fault = Fault(path="limit", expected="integer", got='"ten"')
    >>> schema_error("search", (fault,)).message
    'The arguments of search do not fit: limit: expected integer, got "ten".'
    """
    told = "; ".join(map(fault_text, faults[:MAX_TOLD]))
    more = f"; and {len(faults) - MAX_TOLD} more" if len(faults) > MAX_TOLD else ""
    return CallError.of(
        ErrorCode.SCHEMA, f"The arguments of {tool} do not fit: {told}{more}.", faults=faults
    )


def fault_text(fault: Fault) -> str:
    """Write a fault as one phrase.

    >>> fault_text(Fault(path="", expected="object with title", got="{}"))
    'the arguments: expected object with title, got {}'
    """
    return f"{fault.path or 'the arguments'}: expected {fault.expected}, got {fault.got}"


@dataclass(frozen=True, slots=True)
class FaultWriter:
    """Tells the faults of one tool's arguments."""

    #: The tool's schema.
    schema: Mapping[str, Any]
    discretion: Discretion

    def faults(self, errors: Iterator[ValidationError]) -> tuple[Fault, ...]:
        """Tell every error once, in the order in which they were found."""
        told = (fault for error in errors for one in meant(error) for fault in self._tell(one))
        return tuple(dict.fromkeys(told))

    def _tell(self, error: ValidationError) -> Iterator[Fault]:
        tell = _TELLERS.get(str(error.validator), FaultWriter._misfit)
        return tell(self, tuple(error.absolute_path), error)

    def _misfit(self, path: Path, error: ValidationError) -> Iterator[Fault]:
        wanted = expectation(self.schema, error.schema)
        yield self._fault(path, wanted, error.instance)

    def _missing(self, path: Path, error: ValidationError) -> Iterator[Fault]:
        """Tell all missing members at once: jsonschema makes one error of each, without its name."""
        properties = error.schema.get("properties", {})
        for name in error.validator_value:
            if name not in error.instance:
                wanted = expectation(self.schema, properties.get(name, True))
                yield Fault(path=path_text((*path, name)), expected=wanted, got="nothing")

    def _unknown(self, path: Path, error: ValidationError) -> Iterator[Fault]:
        """Tell all unknown members: jsonschema makes one error of them, without their names."""
        known = error.schema.get("properties", {})
        names = ", ".join(known) or "none"
        wanted = shortened(f"no such member; the known ones are: {names}", MAX_EXPECTED)
        for name in error.instance:
            if name not in known and f"{name!r}" in error.message:
                got = self.discretion.show((*path, name), error.instance[name], known=False)
                yield Fault(path=path_text((*path, name)), expected=wanted, got=got)

    def _misnamed(self, path: Path, error: ValidationError) -> Iterator[Fault]:
        wanted = expectation(self.schema, error.validator_value)
        yield self._fault(path, f"members whose names are {wanted}", error.instance)

    def _dependent(self, path: Path, error: ValidationError) -> Iterator[Fault]:
        for cause, names in error.validator_value.items():
            for name in names if cause in error.instance else ():
                if name not in error.instance:
                    wanted = f"a value, because {cause} is given"
                    yield Fault(path=path_text((*path, name)), expected=wanted, got="nothing")

    def _ambiguous(self, path: Path, error: ValidationError) -> Iterator[Fault]:
        wanted = expectation(self.schema, {error.validator: error.validator_value})
        yield self._fault(path, f"{'' if error.context else 'only one of: '}{wanted}", error.instance)

    def _fault(self, path: Path, expected: str, value: Any) -> Fault:
        return Fault(
            path=path_text(path), expected=expected, got=self.discretion.show(path, value)
        )


_Teller = Callable[[FaultWriter, Path, ValidationError], Iterator[Fault]]

_TELLERS: Final[Mapping[str, _Teller]] = MappingProxyType(
    {
        "required": FaultWriter._missing,
        "additionalProperties": FaultWriter._unknown,
        "unevaluatedProperties": FaultWriter._unknown,
        "propertyNames": FaultWriter._misnamed,
        "dependentRequired": FaultWriter._dependent,
        "anyOf": FaultWriter._ambiguous,
        "oneOf": FaultWriter._ambiguous,
    }
)


def meant(error: ValidationError) -> Iterator[ValidationError]:
    """Give the errors of the one alternative that the value was meant for, or the error itself.

    An alternative is ruled out when the value is of another type, or differs in a constant.
    """
    branches: dict[object, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.relative_schema_path[0], []).append(inner)
    likely = [errors for errors in branches.values() if not any(map(_rules_out, errors))]
    if len(likely) != 1:
        yield error
        return
    for inner in likely[0]:
        yield from meant(inner)


def _rules_out(error: ValidationError) -> bool:
    at_the_top = not error.relative_path
    return error.validator == "const" or (at_the_top and error.validator in ("type", "enum"))
