"""From what is wrong with arguments to what a model is told: each fault once, in its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from typing import Any, Final

from toolferry.codes import ErrorCode
from toolferry.discretion import Discretion
from toolferry.expectation import MAX_EXPECTED, expectation
from toolferry.judging import Misfit
from toolferry.result import CallError, Fault
from toolferry.wording import path_text, shortened

#: Faults that the message of an error tells; `CallError.faults` holds up to `MAX_FAULTS`.
MAX_TOLD: Final = 20

#: Bytes of them in that message: a model reads it all, and pays for it.
MAX_TOLD_BYTES: Final = 700

#: Faults that are listed at all: neither the ledger nor the time that a refusal takes may grow with
#: what a model invents.
MAX_FAULTS: Final = 100


def schema_error(tool: str, faults: tuple[Fault, ...]) -> CallError:
    """Build the error of a call whose arguments do not fit, with every fault in its message.

    >>> fault = Fault(path="limit", expected="integer", got='"ten"')
    >>> schema_error("search", (fault,)).message
    'The arguments of search do not fit: limit: expected integer, got "ten".'
    """
    told = _told(faults)
    count = len(faults) - len(told)
    at_least = "at least " if len(faults) >= MAX_FAULTS else ""
    more = f"; and {at_least}{count} more" if count else ""
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
class FaultWriter:
    """Tells the faults of one tool's arguments."""

    #: The tool's schema.
    schema: Mapping[str, Any]
    discretion: Discretion
    #: What was written of parts of it, each with its part, by which it is known: a model may break
    #: one a thousand times.
    _written: dict[int, tuple[Any, str]] = field(default_factory=dict)

    def faults(self, misfits: Iterable[Misfit]) -> tuple[Fault, ...]:
        """Tell each fault once, in the order of their paths."""
        found = sorted(misfits, key=lambda one: one.path)
        told: dict[Fault, None] = {}
        for fault in chain.from_iterable(map(self._tell, found)):
            told[fault] = None
            if len(told) == MAX_FAULTS:
                break
        return tuple(told)

    def _tell(self, misfit: Misfit) -> Iterator[Fault]:
        tell = _TELLERS.get(misfit.keyword, _misfit)
        return tell(self, misfit)

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

    def fault(self, misfit: Misfit, expected: str) -> Fault:
        """Tell that a value is not what is expected in its place."""
        return Fault(
            path=path_text(misfit.path),
            expected=expected,
            got=self.discretion.show(misfit.path, misfit.value),
        )


def _misfit(writer: FaultWriter, misfit: Misfit) -> Iterator[Fault]:
    yield writer.fault(misfit, writer.expectation_of_part(misfit.schema))


def _missing(writer: FaultWriter, misfit: Misfit) -> Iterator[Fault]:
    properties = misfit.schema.get("properties", {})
    for name in misfit.wanted:
        if name not in misfit.value:
            expected = writer.expectation_of_part(properties.get(name, True))
            yield Fault(path=path_text((*misfit.path, name)), expected=expected, got="nothing")


def _unknown(writer: FaultWriter, misfit: Misfit) -> Iterator[Fault]:
    known = misfit.schema.get("properties", {})
    listed = ", ".join(known) or "none"
    expected = shortened(f"no such member; the known ones are: {listed}", MAX_EXPECTED)
    for name in misfit.unknown:
        path = (*misfit.path, name)
        got = writer.discretion.show(path, misfit.value[name], known=False)
        yield Fault(path=path_text(path), expected=expected, got=got)


def _misnamed(writer: FaultWriter, misfit: Misfit) -> Iterator[Fault]:
    path = path_text((*misfit.path, misfit.value))
    expected = f"a name that is {writer.expectation_of_part(misfit.wanted)}"
    yield Fault(path=path, expected=expected, got="another name")


def _dependent(_writer: FaultWriter, misfit: Misfit) -> Iterator[Fault]:
    for cause, names in misfit.wanted.items():
        for name in names if cause in misfit.value else ():
            if name not in misfit.value:
                path = path_text((*misfit.path, name))
                yield Fault(path=path, expected=f"a value, as {cause} is given", got="nothing")


def _alternatives(writer: FaultWriter, misfit: Misfit) -> Iterator[Fault]:
    """Tell that no alternative fits, or, of those that exclude each other, more than one."""
    expected = writer.expectation_of_any(misfit.keyword, misfit.wanted)
    yield writer.fault(misfit, f"only one of: {expected}" if misfit.is_ambiguous else expected)


def _too_many(writer: FaultWriter, misfit: Misfit) -> Iterator[Fault]:
    """Tell that no elements are allowed but the first ones."""
    most = len(misfit.schema.get("prefixItems", ()))
    yield writer.fault(misfit, f"array of at most {most} element{'' if most == 1 else 's'}")


_TELLERS: Final[Mapping[str, Callable[[FaultWriter, Misfit], Iterator[Fault]]]] = MappingProxyType(
    {
        "required": _missing,
        "additionalProperties": _unknown,
        "unevaluatedProperties": _unknown,
        "propertyNames": _misnamed,
        "dependentRequired": _dependent,
        "items": _too_many,
        "anyOf": _alternatives,
        "oneOf": _alternatives,
    }
)
