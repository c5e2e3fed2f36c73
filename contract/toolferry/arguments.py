"""Reading the arguments of a call: one JSON object, strictly, or a fault that says what and where.

1. Nothing means no arguments: None, blank text and `null` are an empty object, as some providers
   send them. Whether the tool can do without is its schema's business.
2. An object that comes as an object is taken as it is; its members are checked like read ones.
3. Text is read as RFC 8259 has it, and stricter: no member twice, no NaN or Infinity, no number
   beyond what a float holds, no half surrogate pairs. Integers stay exact.
4. What cannot be read is refused, and nothing is guessed: text that ends inside a value is
   `truncated`, a second value after the object is `multiple_objects`, the rest `invalid_json`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

from toolferry.codes import ErrorCode
from toolferry.depth import is_deeper
from toolferry.errors import ArgumentFault
from toolferry.limits import MAX_DEPTH
from toolferry.wording import kind_of, shortened, value_text

_BLANK: Final = " \t\r\n"
#: Strings and brackets: brackets inside of strings do not count.
_TOKENS: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL)
#: The start of an escape that may be half of a surrogate pair, or such a half itself.
_HALF: Final = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
#: What may be left when a text ends inside a token, by what the decoder says of the place.
_CUT: Final[Mapping[str, re.Pattern[str]]] = {
    "Expecting value": re.compile(r"(t(ru?)?|f(a(ls?)?)?|n(ul?)?|-)?\Z"),
    "Expecting ',' delimiter": re.compile(r"(\.|[eE][+-]?)?\Z"),
    "Expecting property name enclosed in double quotes": re.compile(r"\Z"),
    "Expecting ':' delimiter": re.compile(r"\Z"),
    "Unterminated string starting at": re.compile(""),
    "Invalid \\uXXXX escape": re.compile(r"[\\u]*[0-9a-fA-F]{0,4}\Z"),
}


def parse_arguments(text: str | bytes | Mapping[str, Any] | None) -> dict[str, Any]:
    """Read the arguments of a call.

    Args:
        text: What the provider sent: JSON text (bytes as UTF-8), an object, or nothing.

    Returns:
        The decoded object; a new one, also when an object came.

    Raises:
        ArgumentFault: It cannot be read as one object; says what is wrong, and where.

    >>> parse_arguments('{"id": 9007199254740993}')
    {'id': 9007199254740993}
    >>> parse_arguments(" null ")
    {}
    """
    if text is None:
        return {}
    if isinstance(text, Mapping):
        return _copied(text)
    if isinstance(text, bytes):
        return _read(_decoded(text))
    return _read(text)


def parse_value(text: str) -> Any:
    """Read one JSON value of any kind, as strictly as arguments are.

    Raises:
        ArgumentFault: It cannot be read; says what is wrong, and where.

    >>> parse_value(" [1, null] ")
    [1, None]
    """
    value, end = _bounded_value(text)
    _refuse_rest(text, value, end)
    _refuse_half_characters(text, value)
    return value


def _copied(given: Mapping[str, Any]) -> dict[str, Any]:
    data = dict(given)
    if is_deeper(data, MAX_DEPTH):
        raise _too_deep()
    try:
        written = json.dumps(data, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError as error:
        raise _half_character() from error
    except (TypeError, ValueError) as error:
        raise _invalid(f"the object holds what JSON cannot: {error}") from error
    return dict(_DECODER.decode(written.decode()))


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise _invalid(f"byte {error.start + 1} is no UTF-8") from error


def _read(text: object) -> dict[str, Any]:
    if not isinstance(text, str):  # a body of the wild may hold anything
        raise _no_object(text)
    if text.strip(_BLANK) in ("", "null"):
        return {}
    value, end = _bounded_value(text)
    _refuse_rest(text, value, end)
    if not isinstance(value, dict):
        raise _no_object(value)
    _refuse_half_characters(text, value)
    return value


def _bounded_value(text: str) -> tuple[Any, int]:
    if _levels(text) > MAX_DEPTH:
        raise _too_deep()
    return _first_value(text, len(text) - len(text.lstrip(_BLANK)))


def _levels(text: str) -> int:
    """Count the levels of a JSON text before it is decoded: the decoder recurses."""
    if text.count("{") + text.count("[") <= MAX_DEPTH:
        return 0
    deepest = level = 0
    for token in _TOKENS.finditer(text):
        bracket = token[0]
        level += (bracket in "[{") - (bracket in "]}") if len(bracket) == 1 else 0
        deepest = max(deepest, level)
    return deepest


def _first_value(text: str, start: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise _unreadable(text, error) from error
    except ValueError as error:  # Python refuses to read integers of thousands of digits
        raise _invalid("a number has too many digits") from error


def _unreadable(text: str, error: json.JSONDecodeError) -> ArgumentFault:
    what = f"{error.msg[0].lower()}{error.msg[1:]} at character {error.pos + 1}"
    cut = _CUT.get(error.msg)
    if cut and cut.match(text.rstrip(_BLANK), error.pos):
        return ArgumentFault(
            ErrorCode.TRUNCATED, f"The arguments end before they are complete: {what}."
        )
    return _invalid(what)


def _refuse_rest(text: str, value: Any, end: int) -> None:
    rest = text[end:].lstrip(_BLANK)
    if not rest:
        return
    if isinstance(value, dict) and _begins_with_object(rest.lstrip(_BLANK + ",")):
        raise ArgumentFault(
            ErrorCode.MULTIPLE_OBJECTS,
            f"The arguments are several objects; the first ends at character {end}.",
        )
    where = len(text) - len(rest) + 1
    raise _invalid(f"there is more text after the value, at character {where}")


def _begins_with_object(text: str) -> bool:
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except ValueError:
        return False
    return isinstance(value, dict)


def _refuse_half_characters(text: str, value: Any) -> None:
    if not _HALF.search(text):
        return
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise _half_character() from error


def _members(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _invalid(f"the member {value_text(twice)} is there twice")
    return members


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise _invalid(f"the number {shortened(digits, 40)} is too large")
    return number


def _no_constant(word: str) -> NoReturn:
    raise _invalid(f"{word} is no JSON number")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_members, parse_float=_finite, parse_constant=_no_constant
)


def _invalid(what: str) -> ArgumentFault:
    return ArgumentFault(ErrorCode.INVALID_JSON, f"The arguments are no valid JSON object: {what}.")


def _no_object(value: object) -> ArgumentFault:
    return _invalid(f"one object is wanted, and this came: {kind_of(value)}")


def _half_character() -> ArgumentFault:
    return _invalid("a text holds half a character (an unpaired surrogate)")


def _too_deep() -> ArgumentFault:
    return ArgumentFault(
        ErrorCode.TOO_DEEP, f"The arguments are more than {MAX_DEPTH} levels deep."
    )
