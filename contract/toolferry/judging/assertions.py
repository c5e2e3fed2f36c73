"""The assertions of JSON Schema: keywords that look at one value and at no schema inside of theirs.

Each is compiled to a function that says whether a value fits.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Hashable, Mapping, Sequence, Sized
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from toolferry.formats import CHECKED_FORMATS
from toolferry.judging.patterns import searching

#: Says whether a value fits.
Fits = Callable[[Any], bool]
#: Compiles a keyword from its value.
_Compile = Callable[[Any], Fits]


def always(_value: Any) -> bool:
    """Say yes."""
    return True


def never(_value: Any) -> bool:
    """Say no."""
    return False


def is_number(value: Any) -> bool:
    """Tell whether a value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def key_of(value: Any) -> Hashable:
    """Give what is the same for values that JSON Schema takes for equal: 1 is 1.0, but not true.

    Raises:
        TypeError: It holds what is no JSON, and cannot be hashed.
    """
    if isinstance(value, dict):
        return dict, frozenset((name, key_of(child)) for name, child in value.items())
    if isinstance(value, list):
        return list, tuple(map(key_of, value))
    return (bool, value) if isinstance(value, bool) else value


def one_of(values: Sequence[Any]) -> Fits:
    """Compile `enum`."""
    known = frozenset(map(key_of, values))
    sizes = {len(one) for one in values if isinstance(one, dict | list)}

    def fits(value: Any) -> bool:
        if isinstance(value, dict | list) and len(value) not in sizes:
            return False  # else much that came would be hashed for each of many alternatives
        try:
            return key_of(value) in known
        except TypeError:  # no JSON: no member of any enumeration
            return False

    return fits


def _number(holds: Callable[[Any, Any], bool]) -> _Compile:
    def compile_(bound: Any) -> Fits:
        return lambda value: not is_number(value) or holds(value, bound)

    return compile_


def _length(kind: type[Sized], holds: Callable[[int, Any], bool]) -> _Compile:
    def compile_(bound: Any) -> Fits:
        return lambda value: not isinstance(value, kind) or holds(len(value), bound)

    return compile_


def _pattern(pattern: str) -> Fits:
    is_found = searching(pattern)
    return lambda value: not isinstance(value, str) or is_found(value)


def _format(name: str) -> Fits:
    conforms: Fits = CHECKED_FORMATS.get(name, always)
    return lambda value: not isinstance(value, str) or conforms(value)


def _multiple_of(divisor: Any) -> Fits:
    unit = _exact(divisor)

    def fits(value: Any) -> bool:
        if not is_number(value):
            return True
        if isinstance(value, int) and isinstance(divisor, int):
            return value % divisor == 0
        if isinstance(value, float) and not math.isfinite(value):
            return False
        return (_exact(value) / unit).denominator == 1

    return fits


def _exact(number: Any) -> Fraction:
    """Give a number as it is written: 4.35 is a multiple of 0.01, which floats would deny."""
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def _unlike(wanted: bool) -> Fits:  # noqa: FBT001 -- the keyword's value
    def fits(value: Any) -> bool:
        if not isinstance(value, list):
            return True
        try:
            return len(set(map(key_of, value))) == len(value)
        except TypeError:  # it holds what is no JSON, and cannot be compared
            return False

    return fits if wanted else always


def _required(names: Sequence[str]) -> Fits:
    wanted = frozenset(names)
    return lambda value: not isinstance(value, dict) or value.keys() >= wanted


def _dependent(wanted: Mapping[str, Sequence[str]]) -> Fits:
    names = {cause: frozenset(others) for cause, others in wanted.items()}

    def fits(value: Any) -> bool:
        if not isinstance(value, dict):
            return True
        return all(value.keys() >= names[cause] for cause in names.keys() & value.keys())

    return fits


_TYPES: Final[Mapping[str, Fits]] = MappingProxyType(
    {
        "array": lambda value: isinstance(value, list),
        "boolean": lambda value: isinstance(value, bool),
        "null": lambda value: value is None,
        "number": is_number,
        "object": lambda value: isinstance(value, dict),
        "string": lambda value: isinstance(value, str),
    }
)


def of_types(names: str | Sequence[str], is_integer: Fits) -> Fits:
    """Compile `type`.

    Args:
        names: One name or several.
        is_integer: What counts as an integer.
    """
    if isinstance(names, str):
        return is_integer if names == "integer" else _TYPES[names]
    checks = [of_types(name, is_integer) for name in names]
    return lambda value: any(check(value) for check in checks)


#: By keyword; each is compiled from its value. For `type` see `of_types`.
ASSERTIONS: Final[Mapping[str, _Compile]] = MappingProxyType(
    {
        "const": lambda value: one_of([value]),
        "dependentRequired": _dependent,
        "enum": one_of,
        "exclusiveMaximum": _number(operator.lt),
        "exclusiveMinimum": _number(operator.gt),
        "format": _format,
        "maxItems": _length(list, operator.le),
        "maxLength": _length(str, operator.le),
        "maxProperties": _length(dict, operator.le),
        "maximum": _number(operator.le),
        "minItems": _length(list, operator.ge),
        "minLength": _length(str, operator.ge),
        "minProperties": _length(dict, operator.ge),
        "minimum": _number(operator.ge),
        "multipleOf": _multiple_of,
        "pattern": _pattern,
        "required": _required,
        "uniqueItems": _unlike,
    }
)
