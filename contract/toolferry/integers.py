"""Integers that are written as floats: `7.0` is one, and so is `9007199254740993.0`.

From 2**53 on a float stands for several integers, and reading one rounds it without a word: the
call would act on another record than the one that was meant. Such a number is no integer here, so
that it is refused where one is wanted, and the model can write its digits.
"""

from __future__ import annotations

from typing import Any, Final

#: From here on a float may stand for an integer that it is not.
_ROUNDED: Final = 2.0**53


def is_integer(value: Any) -> bool:
    """Tell whether a value is surely the integer that was written.

    >>> is_integer(7.0), is_integer(9007199254740993), is_integer(9007199254740993.0)
    (True, True, False)
    """
    if isinstance(value, float):
        return value.is_integer() and abs(value) < _ROUNDED
    return isinstance(value, int) and not isinstance(value, bool)


def is_whole(value: Any) -> bool:
    """Tell whether a value is an integer to JSON Schema, also if it may have been rounded.

    >>> is_whole(7.0), is_whole(9007199254740993.0), is_whole(7.5), is_whole(True)
    (True, True, False, False)
    """
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)
