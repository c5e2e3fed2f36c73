"""Reading arguments as they came: strictly first, and only what that refuses is put right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolferry.arguments import parse_arguments
from toolferry.codes import ErrorCode
from toolferry.errors import ArgumentFault
from toolferry.record import record
from toolferry.repairing.repair import Repair
from toolferry.repairing.texts import OF_TEXTS
from toolferry.result import CallError

_NOTHING: Final = frozenset({"", "null"})
#: Faults that a text within another one has to itself, and that say more than the outer one's.
_INNER: Final = frozenset({ErrorCode.TRUNCATED, ErrorCode.MULTIPLE_OBJECTS, ErrorCode.TOO_DEEP})


@record(frozen=True, slots=True)
class Reading:
    """The arguments of a call as they were read."""

    #: Empty when there is a fault.
    arguments: dict[str, Any]
    #: Why they cannot be read, whatever is put right; None when they were.
    fault: CallError | None = None
    #: What was put right to read them, in order.
    repairs: tuple[str, ...] = ()
    #: Why they cannot be read when nothing is put right; None when nothing was.
    strictly: CallError | None = None


def read_text(raw: object) -> Reading:
    """Read arguments that have to come as JSON text.

    Args:
        raw: What came, whatever it is; None also where nothing came.

    >>> read_text('{"city": "Oslo"}').arguments
    {'city': 'Oslo'}
    >>> read_text("").repairs, read_text({"city": "Oslo"}).repairs
    (('empty',), ('object_for_text',))
    """
    if _is_nothing(raw):
        return Reading({}, None, (Repair.EMPTY.value,), _refused("nothing came"))
    if isinstance(raw, Mapping):
        strictly = _refused("an object came, and its text is wanted")
        return _mended(_parsed(raw), strictly, Repair.OBJECT_FOR_TEXT)
    return _read_words(raw)


def read_object(raw: object) -> Reading:
    """Read arguments that have to come as an object.

    Args:
        raw: What came, whatever it is; None also where nothing came.

    >>> read_object({"city": "Oslo"}).repairs, read_object('{"city": "Oslo"}').repairs
    ((), ('encoded_twice',))
    """
    if isinstance(raw, Mapping):
        return _parsed(raw)
    if _is_nothing(raw):
        return Reading({}, None, (Repair.EMPTY.value,), _refused("nothing came"))
    strictly = _refused("a text came, and an object is wanted")
    return _mended(_read_words(raw), strictly, Repair.ENCODED_TWICE)


def _is_nothing(raw: object) -> bool:
    if isinstance(raw, bytes):
        return raw.strip() in {b"", b"null"}
    return raw is None or (isinstance(raw, str) and raw.strip(" \t\r\n") in _NOTHING)


def _read_words(raw: object) -> Reading:
    """Read a text strictly, and else what each repair finds in it."""
    read = _parsed(raw)
    if read.fault is None or read.fault.code != ErrorCode.INVALID_JSON:
        return read
    text = raw.decode(errors="replace") if isinstance(raw, bytes) else raw
    return _repaired(text, read.fault) if isinstance(text, str) else read


def _repaired(text: str, strictly: CallError) -> Reading:
    fault = strictly
    for repair, unwrap in OF_TEXTS.items():
        inner = unwrap(text)
        if inner is None:
            continue
        read = _mended(_parsed(inner), strictly, repair)
        if read.fault is None:
            return read
        fault = read.fault if read.fault.code in _INNER else fault
    return Reading({}, fault)


def _parsed(raw: Any) -> Reading:
    try:
        return Reading(parse_arguments(raw))
    except ArgumentFault as fault:
        return Reading({}, fault.error())


def _mended(read: Reading, strictly: CallError, repair: Repair) -> Reading:
    """Say that a reading took a repair; one with a fault took none."""
    if read.fault is not None:
        return read
    return Reading(read.arguments, None, (repair.value, *read.repairs), strictly)


def _refused(what: str) -> CallError:
    return ArgumentFault(
        ErrorCode.INVALID_JSON, f"The arguments are no valid JSON object: {what}."
    ).error()
