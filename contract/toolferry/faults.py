"""From what jsonschema finds to what a model is told: every fault, each once, in its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from jsonschema.exceptions import ValidationError

from toolferry.codes import ErrorCode
from toolferry.discretion import Discretion
from toolferry.expectation import MAX_EXPECTED, expectation
from toolferry.result import CallError, Fault
from toolferry.subschemas import BY_NAME
from toolferry.wording import path_text, shortened

#: Faults that the message of an error tells; `CallError.faults` holds up to a thousand.
MAX_TOLD: Final = 20

#: Bytes of them in that message: a model reads it all, and pays for it.
MAX_TOLD_BYTES: Final = 700

#: Faults that are listed at all; a record of the ledger must not grow with what a model invents.
MAX_FAULTS: Final = 1_000

Path = tuple[str | int, ...]


def schema_error(tool: str, faults: tuple[Fault, ...]) -> CallError:
    """Build the error of a call whose arguments do not fit, with every fault in its message.

    >>> fault = Fault(path="limit", expected="integer", got='"ten"')
    >>> schema_error("search", (fault,)).message
    'The arguments of search do not fit: limit: expected integer, got "ten".'
    """
    told = _told(faults)
    more = f"; and {len(faults) - len(told)} more" if len(faults) > len(told) else ""
    return CallError.of(
        ErrorCode.SCHEMA,
        f"The arguments of {tool} do not fit: {'; '.join(told)}{more}.",
        faults=faults,
    )


def _told(faults: tuple[Fault, ...]) -> list[str]:
    """Write as many faults as there is room for, and the first one in any case."""
    told: list[str] = []
    room = MAX_TOLD_BYTES
    for fault in faults[:MAX_TOLD]:
        text = fault_text(fault)
        room -= len(text.encode(errors="replace"))
        if told and room < 0:
            break
        told.append(text)
    return told


def fault_text(fault: Fault) -> str:
    """Write a fault as one phrase.

    >>> fault_text(Fault(path="", expected="object with title", got="{}"))
    'the arguments: expected object with title, got {}'
    """
    return f"{fault.path or 'the arguments'}: expected {fault.expected}, got {fault.got}"


@dataclass(frozen=True, slots=True)
class _Finding:
    """What jsonschema found at one place."""

    path: Path
    #: The keyword that the value does not fit; "None" for the schema `false`, which has none.
    keyword: str
    #: The keyword's value.
    wanted: Any
    #: The schema that holds the keyword.
    schema: Any
    value: Any
    message: str
    #: Whether it came about because alternatives did not fit.
    of_alternatives: bool


def _finding(error: ValidationError) -> _Finding:
    return _Finding(
        path=tuple(error.absolute_path),
        keyword="propertyNames" if _is_of_a_name(error) else str(error.validator),
        wanted=error.validator_value,
        schema=error.schema,
        value=error.instance,
        message=error.message,
        of_alternatives=bool(error.context),
    )


def _is_of_a_name(error: ValidationError) -> bool:
    """Say whether the value that does not fit is the name of a member."""
    *before, keyword, _ = (None, None, *error.absolute_schema_path)
    return keyword == "propertyNames" and before[-1] not in BY_NAME


@dataclass(frozen=True, slots=True)
class FaultWriter:
    """Tells the faults of one tool's arguments."""

    #: The tool's schema.
    schema: Mapping[str, Any]
    discretion: Discretion
    #: What was written of parts of it, each with its part, by which it is known: a model may break
    #: one a thousand times.
    _written: dict[int, tuple[Any, str]] = field(default_factory=dict)

    def faults(self, errors: Iterable[ValidationError]) -> tuple[Fault, ...]:
        """Tell every fault once, by path: jsonschema's order is not the same in every process."""
        found = [_finding(one) for error in errors for one in meant(error)]
        found.sort(key=lambda one: one.path)
        told = dict.fromkeys(fault for one in found for fault in self._tell(one))
        return tuple(told)[:MAX_FAULTS]

    def _tell(self, finding: _Finding) -> Iterator[Fault]:
        tell = _TELLERS.get(finding.keyword, _misfit)
        return tell(self, finding)

    def expectation(self, schema: Any) -> str:
        """Write what a part of the schema wants."""
        return expectation(self.schema, schema)

    def expectation_of_part(self, part: Any) -> str:
        """Write what a part wants that lives as long as the schema; once for each."""
        return self._once(part, part)

    def expectation_of_any(self, keyword: str, parts: Any) -> str:
        """Write what alternatives want that live as long as the schema; once for each."""
        return self._once(parts, {keyword: parts})

    def _once(self, part: Any, schema: Any) -> str:
        known = self._written.get(id(part))
        if known is None or known[0] is not part:
            known = self._written[id(part)] = (part, self.expectation(schema))
        return known[1]

    def fault(self, finding: _Finding, expected: str) -> Fault:
        """Tell that the value at a finding's place is not what is expected."""
        return Fault(
            path=path_text(finding.path),
            expected=expected,
            got=self.discretion.show(finding.path, finding.value),
        )


def _misfit(writer: FaultWriter, finding: _Finding) -> Iterator[Fault]:
    yield writer.fault(finding, writer.expectation_of_part(finding.schema))


def _missing(writer: FaultWriter, finding: _Finding) -> Iterator[Fault]:
    """Tell all missing members: there is one error of them, and it names none."""
    properties = finding.schema.get("properties", {})
    for name in finding.wanted:
        if name not in finding.value:
            expected = writer.expectation_of_part(properties.get(name, True))
            yield Fault(path=path_text((*finding.path, name)), expected=expected, got="nothing")


def _unknown(writer: FaultWriter, finding: _Finding) -> Iterator[Fault]:
    """Tell all unknown members: jsonschema makes one error of them, and names them in its text."""
    known = finding.schema.get("properties", {})
    listed = ", ".join(known) or "none"
    expected = shortened(f"no such member; the known ones are: {listed}", MAX_EXPECTED)
    for name, value in finding.value.items():
        if name not in known and repr(name) in finding.message:
            path = (*finding.path, name)
            got = writer.discretion.show(path, value, known=False)
            yield Fault(path=path_text(path), expected=expected, got=got)


def _misnamed(writer: FaultWriter, finding: _Finding) -> Iterator[Fault]:
    path = path_text((*finding.path, finding.value))
    expected = f"a name that is {writer.expectation_of_part(finding.schema)}"
    yield Fault(path=path, expected=expected, got="another name")


def _dependent(_writer: FaultWriter, finding: _Finding) -> Iterator[Fault]:
    for cause, names in finding.wanted.items():
        for name in names if cause in finding.value else ():
            if name not in finding.value:
                path = path_text((*finding.path, name))
                yield Fault(path=path, expected=f"a value, as {cause} is given", got="nothing")


def _alternatives(writer: FaultWriter, finding: _Finding) -> Iterator[Fault]:
    """Tell that no alternative fits, or, of those that exclude each other, more than one."""
    expected = writer.expectation_of_any(finding.keyword, finding.wanted)
    yield writer.fault(finding, expected if finding.of_alternatives else f"only one of: {expected}")


_TELLERS: Final[Mapping[str, Callable[[FaultWriter, _Finding], Iterator[Fault]]]] = (
    MappingProxyType(
        {
            "required": _missing,
            "additionalProperties": _unknown,
            "unevaluatedProperties": _unknown,
            "propertyNames": _misnamed,
            "dependentRequired": _dependent,
            "anyOf": _alternatives,
            "oneOf": _alternatives,
        }
    )
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
