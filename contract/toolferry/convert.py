"""Conversion: what a handler returned becomes JSON data.

| returned | becomes |
|---|---|
| None, bool, int, str | itself; half characters in a text become U+FFFD |
| float | itself; NaN and infinities become null |
| dict, any Mapping | object; keys are converted like values and must give a text |
| list, tuple, deque | array |
| set, frozenset | array, sorted |
| pydantic model | its own dump in JSON mode, then as above |
| dataclass | object of its fields |
| Enum | its value, converted |
| datetime, date, time, timedelta | ISO 8601 text |
| Decimal, UUID, Path, IP address | text |
| bytes, bytearray, memoryview | `{"type": "base64", "media_type": …, "bytes": …, "data": …}` |

Anything else is a `ConversionFailed` that names the tool, the type and the place: also what holds
itself, goes deeper than 64 levels, or is too large to look at.
"""

from __future__ import annotations

import base64
import dataclasses
import enum
import inspect
import ipaddress
import json
import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from datetime import date, time, timedelta
from decimal import Decimal
from pathlib import PurePath
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from toolferry.codes import ErrorCode
from toolferry.errors import ConversionFailed
from toolferry.limits import MAX_DEPTH, MAX_RETURN_BYTES, MAX_RETURN_VALUES
from toolferry.wording import clean_text, path_text

#: Bits of an integer that Python still writes as digits.
_MAX_BITS: Final = 14_000
#: What is written as its own text.
_AS_TEXT: Final = Decimal | UUID | PurePath | ipaddress.IPv4Address | ipaddress.IPv6Address
#: The keys of the members and elements that lead to a value.
_Key = str | int


class _Unfit(Exception):
    """A value that cannot become JSON data; the path grows on the way up."""

    def __init__(self, what: str, code: ErrorCode = ErrorCode.BAD_RESULT) -> None:
        super().__init__(what, code)
        self.what = what
        self.code = code
        self.path: list[_Key] = []


def to_json_data(tool: str, value: Any) -> Any:
    """Turn what a handler returned into JSON data; see the table above.

    Args:
        tool: The tool's name, for the error.
        value: What its handler returned.

    Returns:
        New data that `json.dumps` writes as valid JSON and UTF-8; nothing of `value` is shared.

    Raises:
        ConversionFailed: It cannot be converted; no other exception leaves this function.

    >>> to_json_data("t", {"when": date(2025, 11, 29), "tags": {"b", "a"}, "rate": float("nan")})
    {'when': '2025-11-29', 'tags': ['a', 'b'], 'rate': None}
    """
    try:
        return _Conversion().convert(value)
    except _Unfit as unfit:
        where = f" at {path_text(reversed(unfit.path))}" if unfit.path else ""
        raise ConversionFailed(tool, f"returned {unfit.what}{where}", unfit.code) from unfit
    except Exception as error:  # a returned object may raise anything when it is looked at
        reason = f"returned {named(value)} that cannot be read ({type(error).__name__})"
        raise ConversionFailed(tool, reason) from error


def named(value: Any) -> str:
    """Name what was returned, without showing it.

    >>> named(dict), named(len)
    ('the class dict', 'a value of type builtin_function_or_method')
    """
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return f"a value of type {type(value).__name__}"


class _Conversion:
    """One walk over a returned value, with an eye on its size."""

    def __init__(self) -> None:
        self._bytes = 0
        self._values = 0
        self._above: set[int] = set()

    def convert(self, value: Any) -> Any:
        """Convert a value and all in it."""
        self._values += 1
        if self._values > MAX_RETURN_VALUES:
            raise _Unfit(f"more than {MAX_RETURN_VALUES:,} values", ErrorCode.RESULT_TOO_LARGE)
        convert = _BY_TYPE.get(type(value)) or _find(value)
        return convert(self, value)

    def spend(self, size: int) -> None:
        """Stop at what is too large before all of it was looked at."""
        self._bytes += size
        if self._bytes > MAX_RETURN_BYTES:
            raise _Unfit(f"more than {MAX_RETURN_BYTES >> 20} MiB", ErrorCode.RESULT_TOO_LARGE)

    def text(self, value: str) -> str:
        self.spend(len(value))
        return clean_text(str(value))

    def same(self, value: Any) -> Any:
        return value

    def integer(self, value: int) -> int:
        if value.bit_length() > _MAX_BITS:
            raise _Unfit("an integer of thousands of digits")
        return int(value)

    def real(self, value: float) -> float | None:
        return float(value) if math.isfinite(value) else None

    def binary(self, value: bytes | bytearray | memoryview) -> dict[str, Any]:
        self.spend(memoryview(value).nbytes)
        data = bytes(value)
        return {
            "type": "base64",
            "media_type": "application/octet-stream",
            "bytes": len(data),
            "data": base64.b64encode(data).decode(),
        }

    def members(self, value: Mapping[Any, Any]) -> dict[str, Any]:
        return self._object(value, value.items())

    def elements(self, value: Iterable[Any]) -> list[Any]:
        self._enter(value)
        converted: list[Any] = []
        try:
            for child in value:
                converted.append(self.convert(child))  # noqa: PERF401 -- its length is the place
        except _Unfit as unfit:
            unfit.path.append(len(converted))
            raise
        self._leave(value)
        return converted

    def unordered(self, value: AbstractSet[Any]) -> list[Any]:
        """Sort, so that the same set gives the same text in every process."""
        self._enter(value)
        converted = [self.convert(child) for child in value]
        self._leave(value)
        return sorted(converted, key=_order)

    def model(self, value: BaseModel) -> Any:
        try:
            dumped = value.model_dump(mode="json", warnings="none")
        except ValueError:  # bytes that are no text, or a type that pydantic does not know
            dumped = value.model_dump(warnings="none")
        return self.convert(dumped)

    def record(self, value: Any) -> dict[str, Any]:
        names = (field.name for field in dataclasses.fields(value))
        return self._object(value, ((name, getattr(value, name)) for name in names))

    def _object(self, value: object, members: Iterable[tuple[Any, Any]]) -> dict[str, Any]:
        self._enter(value)
        converted: dict[str, Any] = {}
        name: str | None = None
        try:
            for key, child in members:
                name = self._name(key, converted)
                converted[name] = self.convert(child)
                name = None
        except _Unfit as unfit:
            unfit.path += [] if name is None else [name]
            raise
        self._leave(value)
        return converted

    def _name(self, key: Any, taken: Mapping[str, Any]) -> str:
        """Write the name of a member; two that JSON cannot tell apart would lose one."""
        name = self.convert(key)
        if isinstance(name, list | dict):
            raise _Unfit(f"a member named by {named(key)}")
        name = name if isinstance(name, str) else json.dumps(name)
        if name in taken:
            raise _Unfit("two members of one name")
        return name

    def _enter(self, value: object) -> None:
        if id(value) in self._above:
            raise _Unfit(f"{named(value)} that holds itself")
        if len(self._above) >= MAX_DEPTH:
            raise _Unfit(f"more than {MAX_DEPTH} levels of objects and arrays")
        self._above.add(id(value))

    def _leave(self, value: object) -> None:
        self._above.discard(id(value))


def _order(converted: Any) -> tuple[bool, float, str]:
    """Sort numbers by size, before everything else by its text."""
    number = isinstance(converted, int | float)
    return not number, converted if number else 0, json.dumps(converted, sort_keys=True)


def _find(value: Any) -> _Convert:
    """Find the conversion of a value whose very type is not listed."""
    for kinds, convert in _BY_KIND:
        if isinstance(value, kinds):
            return convert
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _Conversion.record
    if inspect.iscoroutine(value):
        value.close()  # else Python warns that nobody awaited it
    raise _Unfit(f"{named(value)}, which JSON cannot hold,")


_Convert = Callable[[_Conversion, Any], Any]

_BY_TYPE: Final[Mapping[type, _Convert]] = MappingProxyType(
    {
        type(None): _Conversion.same,
        bool: _Conversion.same,
        str: _Conversion.text,
        int: _Conversion.integer,
        float: _Conversion.real,
        dict: _Conversion.members,
        list: _Conversion.elements,
        tuple: _Conversion.elements,
    }
)

#: In this order: an Enum may be a text or a number too, a model or a datetime something else.
_BY_KIND: Final[tuple[tuple[Any, _Convert], ...]] = (
    (enum.Enum, lambda self, value: self.convert(value.value)),
    (BaseModel, _Conversion.model),
    (str, _Conversion.text),
    (int, _Conversion.integer),
    (float, _Conversion.real),
    (date | time, lambda _, value: value.isoformat()),
    (timedelta, lambda _, value: to_jsonable_python(value)),
    (_AS_TEXT, lambda _, value: clean_text(str(value))),
    (bytes | bytearray | memoryview, _Conversion.binary),
    (Mapping, _Conversion.members),
    (list | tuple | deque, _Conversion.elements),
    (AbstractSet, _Conversion.unordered),
)
