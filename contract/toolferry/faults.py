"""From what is wrong with arguments to what a model is told: each fault once, in its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import chain, islice
from types import MappingProxyType
from typing import Any, Final, TypeVar

from toolferry.codes import ErrorCode
from toolferry.discretion import Discretion
from toolferry.expectation import MAX_EXPECTED, expectation
from toolferry.judging import Misfit
from toolferry.judging.assertions import one_of
from toolferry.judging.misfit import FALSE
from toolferry.known_members import KnownMembers, known_members
from toolferry.result import CallError, Fault
from toolferry.subschemas import IN_PLACE
from toolferry.wording import path_text, shortened

_Made = TypeVar("_Made")

#: Faults that the message of an error tells; `CallError.faults` holds up to `MAX_FAULTS`.
MAX_TOLD: Final = 20

#: Bytes of them in that message: a model reads it all, and pays for it.
MAX_TOLD_BYTES: Final = 700

#: Faults that are listed at all: neither the ledger nor the time that a refusal takes may grow with
#: what a model invents.
MAX_FAULTS: Final = 50
#: Faults that are written for that; some may be the same as others.
_MOST_WRITTEN: Final = 4 * MAX_FAULTS


def schema_error(tool: str, faults: tuple[Fault, ...]) -> CallError:
    """Build the error of a call whose arguments do not fit; its message tells the first faults.

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
    _written: dict[tuple[str, int], tuple[Any, Any]] = field(default_factory=dict)

    def faults(self, misfits: Iterable[Misfit]) -> tuple[Fault, ...]:
        """Tell each fault once, in the order of their paths."""
        found = sorted(misfits, key=lambda one: one.path)
        told: dict[Fault, None] = {}
        for fault in islice(chain.from_iterable(map(self._tell, found)), _MOST_WRITTEN):
            told[fault] = None
            if len(told) == MAX_FAULTS:
                break
        return tuple(told)

    def _tell(self, misfit: Misfit) -> Iterator[Fault]:
        told = _TELLERS.get(misfit.keyword, _misfit)(self, misfit)
        path = self.discretion.told(misfit.path)
        if path == misfit.path and not self._is_of_a_name_in_a_secret(misfit):
            return told
        if len(path) == len(misfit.path):
            return (replace(fault, path=path_text(path)) for fault in told)
        return (
            replace(fault, path=path_text(path), expected=f"inside of it, {fault.expected}")
            for fault in told
        )

    def _is_of_a_name_in_a_secret(self, misfit: Misfit) -> bool:
        of_a_name = misfit.unknown or misfit.keyword == "propertyNames"
        return bool(of_a_name) and self.discretion.hides(misfit.path)

    def expectation(self, schema: Any) -> str:
        """Write what a part of the schema wants."""
        return expectation(self.schema, schema, self.discretion.schemas)

    def expectation_of_part(self, part: Any) -> str:
        """Write what a part wants that lives as long as the schema; once for each."""
        return self._once("part", part, partial(self.expectation, part))

    def expectation_of_any(self, keyword: str, parts: Any) -> str:
        """Write what alternatives want that live as long as the schema; once for each."""
        return self._once(keyword, parts, partial(self.expectation, {keyword: parts}))

    def expectation_of_rest(self, part: Mapping[str, Any]) -> str:
        """Write what a part wants beside the values that it lists; once for each."""
        rest = {word: wanted for word, wanted in part.items() if word not in _LISTS}
        return self._once("rest", part, partial(self.expectation, rest))

    def known_members(self, misfit: Misfit) -> KnownMembers | None:
        """Give the members that the keyword of a misfit knows, if they are always the same."""
        look = partial(known_members, self.schema, misfit.schema, misfit.keyword)
        return self._once(misfit.keyword, misfit.schema, look)

    def _once(self, what: str, part: Any, make: Callable[[], _Made]) -> _Made:
        known = self._written.get((what, id(part)))
        if known is None or known[0] is not part:
            known = self._written[what, id(part)] = (part, make())
        made: _Made = known[1]
        return made

    def fault(self, misfit: Misfit, expected: str) -> Fault:
        """Tell that a value is not what is expected in its place."""
        return Fault(
            path=path_text(misfit.path),
            expected=expected,
            got=self.discretion.show(misfit.path, misfit.value),
        )


def _misfit(writer: FaultWriter, misfit: Misfit) -> Iterator[Fault]:
    listed = _values_of(misfit.schema)
    if misfit.keyword not in _LISTS and one_of(listed)(misfit.value):
        yield writer.fault(misfit, writer.expectation_of_rest(misfit.schema))
    else:
        yield writer.fault(misfit, writer.expectation_of_part(misfit.schema))


def _values_of(schema: Mapping[str, Any]) -> Sequence[Any]:
    """Give the values that a schema lists itself."""
    values: Sequence[Any] = [schema["const"]] if "const" in schema else schema.get("enum", ())
    return values


def _missing(writer: FaultWriter, misfit: Misfit) -> Iterator[Fault]:
    properties = misfit.schema.get("properties", {})
    start = path_text(misfit.path)
    for name in misfit.wanted:
        if name not in misfit.value:
            yield _absent(start, name, writer.expectation_of_part(properties.get(name, True)))


@lru_cache(maxsize=1024)
def _absent(start: str, name: str, expected: str) -> Fault:
    # The same for every call of a response that leaves a member out.
    return Fault(path=path_text((name,), start), expected=expected, got="nothing")


def _unknown(writer: FaultWriter, misfit: Misfit) -> Iterator[Fault]:
    known = writer.known_members(misfit)
    listed = "" if known is None else f"; the known ones are: {str(known) or 'none'}"
    expected = shortened(f"no such member{listed}", MAX_EXPECTED)
    start = path_text(misfit.path)
    for name in misfit.unknown:
        path = (*misfit.path, name)
        got = writer.discretion.show(path, misfit.value[name], known=False)
        yield Fault(path=path_text((name,), start), expected=expected, got=got)


def _misnamed(writer: FaultWriter, misfit: Misfit) -> Iterator[Fault]:
    path = path_text((*misfit.path, misfit.value))
    expected = f"a name that is {writer.expectation_of_part(misfit.wanted)}"
    yield Fault(path=path, expected=expected, got="another name")


def _dependent(_writer: FaultWriter, misfit: Misfit) -> Iterator[Fault]:
    start = path_text(misfit.path)
    for cause, names in misfit.wanted.items():
        for name in names if cause in misfit.value else ():
            if name not in misfit.value:
                yield _absent(start, name, f"a value, as {cause} is given")


def _alternatives(writer: FaultWriter, misfit: Misfit) -> Iterator[Fault]:
    """Tell that no alternative fits, or, of those that exclude each other, more than one."""
    expected = writer.expectation_of_any(misfit.keyword, misfit.wanted)
    if misfit.is_ambiguous:
        expected = f"a value that fits only one of {len(misfit.wanted)} alternatives: {expected}"
    yield writer.fault(misfit, expected)


def _excluded(writer: FaultWriter, misfit: Misfit) -> Iterator[Fault]:
    yield writer.fault(misfit, f"anything but {writer.expectation_of_part(misfit.wanted)}")


def _too_many(writer: FaultWriter, misfit: Misfit) -> Iterator[Fault]:
    """Tell that no elements are allowed but the first ones."""
    most = len(misfit.schema.get("prefixItems", ()))
    yield writer.fault(misfit, f"array of at most {most} element{'' if most == 1 else 's'}")


def _further(writer: FaultWriter, misfit: Misfit) -> Iterator[Fault]:
    """Tell of the elements that no other keyword looks at."""
    if misfit.wanted is False and _ELSEWHERE.isdisjoint(misfit.schema):
        yield from _too_many(writer, misfit)
    elif misfit.wanted is False:
        yield writer.fault(misfit, "array without further elements")
    else:
        further = writer.expectation_of_part(misfit.wanted)
        yield writer.fault(misfit, f"array whose further elements are {further}")


def _impossible(writer: FaultWriter, misfit: Misfit) -> Iterator[Fault]:
    """Tell of what may not be there; of arguments as a whole, which members may not."""
    if misfit.path or not isinstance(misfit.value, dict):
        yield writer.fault(misfit, "nothing")
        return
    alone = writer.schema.get("dependentSchemas", {})
    names = [name for name in misfit.value if alone.get(name) is False]
    for name in names:
        got = writer.discretion.show((name,), misfit.value[name])
        yield Fault(path=path_text((name,)), expected="nothing", got=got)
    if not names:
        yield writer.fault(misfit, "other arguments")


#: Keywords that list values.
_LISTS: Final = frozenset({"const", "enum"})
#: Keywords beside `unevaluatedItems` that elements behind the first ones may be known to.
_ELSEWHERE: Final = frozenset({"contains", "$ref", "$dynamicRef", *IN_PLACE} - {"not"})

_TELLERS: Final[Mapping[str, Callable[[FaultWriter, Misfit], Iterator[Fault]]]] = MappingProxyType(
    {
        "required": _missing,
        "additionalProperties": _unknown,
        "unevaluatedProperties": _unknown,
        "propertyNames": _misnamed,
        "dependentRequired": _dependent,
        "items": _too_many,
        "unevaluatedItems": _further,
        "not": _excluded,
        FALSE: _impossible,
        "anyOf": _alternatives,
        "oneOf": _alternatives,
    }
)
