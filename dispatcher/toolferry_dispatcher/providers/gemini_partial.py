"""Arguments that came piece by piece, each with a path: put together into one object.

Source: `PartialArg` in types.py of `google-genai` 3.6; the paths are a part of RFC 9535.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from toolferry import ErrorCode
from toolferry.errors import ArgumentFault
from toolferry.limits import MAX_DEPTH
from toolferry.wording import value_text
from toolferry_dispatcher.providers.gemini_fields import value_of, words

#: One step of a path: `.name`, `[0]`, `['name']` or `["name"]`.
_STEP: Final = re.compile(
    r"""\.(?P<name>[^\s.\[\]'"]+)|\[(?P<index>\d{1,6})\]"""
    r"""|\['(?P<single>(?:[^'\\]|\\.)*)'\]|\["(?P<double>(?:[^"\\]|\\.)*)"\]""",
    re.DOTALL,
)
#: The fields of which one holds the value; texts come in pieces and are treated apart.
_VALUES: Final = ("boolValue", "numberValue", "structValue", "listValue")
#: The largest whole number that a double, as which all numbers come, tells from its neighbours.
_MAX_EXACT: Final = 2**53

_Path = tuple[str | int, ...]


def put_together(partials: Sequence[Any]) -> dict[str, Any]:
    """Give the object that the pieces make.

    Args:
        partials: All pieces of one call, in the order in which they came.

    Raises:
        ArgumentFault: A piece cannot be placed, or the last one of a text is missing.

    >>> put_together([
    ...     {"jsonPath": "$.to[0]", "stringValue": "An", "willContinue": True},
    ...     {"jsonPath": "$.to[0]", "stringValue": "na"},
    ...     {"jsonPath": "$.urgent", "boolValue": True}])
    {'to': ['Anna'], 'urgent': True}
    """
    values: dict[_Path, Any] = {}
    unfinished: set[_Path] = set()
    for partial in partials:
        path = _path_of(partial)
        text, value = value_of(partial, "stringValue"), _value_of(partial)
        if isinstance(text, str) and path in unfinished:
            values[path].append(text)
        elif isinstance(text, str):
            values[path] = _Text([text])
        elif value is not _NOTHING:
            values[path] = value
        _note(path, unfinished, goes_on=isinstance(values.get(path), _Text) and _goes_on(partial))
    if unfinished:
        raise cut_short()
    return _built(values)


def cut_short() -> ArgumentFault:
    """Say of arguments that their last piece has not come."""
    return ArgumentFault(ErrorCode.TRUNCATED, "The arguments end before they are complete.")


class _Text(list[str]):
    """The pieces of one text."""


_NOTHING: Final = object()


def _goes_on(partial: Mapping[str, Any]) -> bool:
    return value_of(partial, "willContinue") is True


def _note(path: _Path, unfinished: set[_Path], *, goes_on: bool) -> None:
    if goes_on:
        unfinished.add(path)
    else:
        unfinished.discard(path)


def _path_of(partial: object) -> _Path:
    """Read where a piece belongs."""
    text = words(value_of(partial, "jsonPath")) if isinstance(partial, Mapping) else ""
    steps = list(_STEP.finditer(text, 1)) if text.startswith("$") else []
    if not steps or sum(len(step[0]) for step in steps) != len(text) - 1:
        raise _invalid(f"a piece has no place that can be read, but {value_text(text)}")
    if len(steps) > MAX_DEPTH:
        raise ArgumentFault(
            ErrorCode.TOO_DEEP, f"The arguments are more than {MAX_DEPTH} levels deep."
        )
    return tuple(map(_step, steps))


def _step(step: re.Match[str]) -> str | int:
    if step["index"]:
        return int(step["index"])
    quoted = step["single"] if step["single"] is not None else step["double"]
    return step["name"] if quoted is None else re.sub(r"\\(.)", r"\1", quoted)


def _value_of(partial: Mapping[str, Any]) -> Any:
    """Give the value of a piece that is no text; nothing for one that only ends a text."""
    if value_of(partial, "nullValue") is not None:
        return None
    value = next((v for name in _VALUES if (v := value_of(partial, name)) is not None), _NOTHING)
    if isinstance(value, float) and value.is_integer() and abs(value) < _MAX_EXACT:
        return int(value)
    return value


def _built(values: Mapping[_Path, Any]) -> dict[str, Any]:
    root: dict[str, Any] = {}
    for path, value in values.items():
        holder: Any = root
        for step, inside in pairwise(path):
            holder = _placed(holder, step, [] if isinstance(inside, int) else {}, keep=True)
        whole = "".join(value) if isinstance(value, _Text) else value
        _placed(holder, path[-1], whole, keep=False)
    return root


def _placed(holder: Any, step: str | int, value: Any, *, keep: bool) -> Any:
    """Put a value where it belongs, unless one is to be kept there; give the one that is there."""
    if isinstance(holder, list) and isinstance(step, int) and step <= len(holder):
        if step == len(holder):
            holder.append(value)
        elif not keep:
            holder[step] = value
        return holder[step]
    if isinstance(holder, dict) and isinstance(step, str):
        return holder.setdefault(step, value) if keep else holder.update({step: value})
    raise _invalid(f"nothing can be placed at {value_text(step)}")


def _invalid(what: str) -> ArgumentFault:
    return ArgumentFault(ErrorCode.INVALID_JSON, f"The arguments cannot be put together: {what}.")
