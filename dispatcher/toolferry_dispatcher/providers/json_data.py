"""Plain JSON data out of whatever an application holds a response in."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from enum import Enum
from typing import Any, Protocol, runtime_checkable

from pydantic_core import PydanticSerializationError, from_json, to_json

from toolferry import ResponseMalformed


@runtime_checkable
class _Model(Protocol):
    """An object of an SDK: they are pydantic models, and none of them needs to be installed."""

    def model_dump(
        self, *, mode: str, by_alias: bool, exclude_unset: bool, warnings: bool
    ) -> Any: ...


def as_json(response: object) -> Any:
    """Give a response as JSON data of its own: nothing of the caller's is shared or changed.

    Fields that the provider did not send stay out. Numbers that are not finite and halves of
    surrogate pairs stay as they came: see `sendable`.

    Args:
        response: An SDK's object, JSON text or bytes, or what `json.loads` gives, which may hold
            SDK objects too.

    Raises:
        ResponseMalformed: It is none of these, or its text is not JSON.
    """
    if isinstance(response, str):
        return _read(response)
    if isinstance(response, bytes | bytearray):
        return _read(_decode(bytes(response)))
    # The plain kinds first: asking whether something fits a protocol takes 10 times as long.
    if isinstance(response, dict) and (copy := _copied(response)) is not None:
        return copy
    if isinstance(response, Mapping | list | tuple) or isinstance(response, _Model):  # noqa: SIM101 -- as said
        return _read(_write(response))
    kind = type(response).__name__
    raise ResponseMalformed("body", f"must be an object, a dict or JSON text, not {kind}")


def sendable(data: dict[str, Any]) -> dict[str, Any]:
    r"""Give data that a request can carry: null for what is no number, U+FFFD for half characters.

    >>> sendable({"score": float("-inf"), "text": "caf\u00e9 \ud83d!"})
    {'score': None, 'text': 'café �!'}
    """
    if not _is_sendable(data):
        text = fold(json.dumps(data, ensure_ascii=False))
        mended: dict[str, Any] = json.loads(text, parse_constant=lambda _name: None)
        return mended
    return data


def _is_sendable(data: dict[str, Any]) -> bool:
    """Say whether nothing needs mending; a text that only looks like it does costs a mending."""
    try:
        text = to_json(data, inf_nan_mode="constants")
    except PydanticSerializationError:
        return False
    return b"NaN" not in text and b"Infinity" not in text


def fold(text: str) -> str:
    r"""Replace each half of a surrogate pair that stands alone by U+FFFD.

    >>> fold("caf\u00e9 \ud83d!")
    'café �!'
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def kind_of(value: object) -> str:
    """Name the JSON type of a value, as a reader of the response would.

    >>> kind_of([]), kind_of(None), kind_of(True)
    ('an array', 'null', 'a boolean')
    """
    names = {
        "dict": "an object",
        "list": "an array",
        "str": "a string",
        "bool": "a boolean",
        "NoneType": "null",
    }
    return names.get(type(value).__name__, "a number")


def _decode(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ResponseMalformed("body", f"is not UTF-8 text: byte {error.start}") from error


def _copied(data: dict[Any, Any]) -> Any:
    """Copy what is JSON data already, in a third of the time; None where that cannot be relied on.

    pydantic writes more kinds than JSON has, but what it has made something else of is not equal to
    what it was: an object, a time, what is no number, a key that is no text.
    """
    with suppress(ValueError, RecursionError):
        copy = from_json(to_json(data))
        if copy == data:
            return copy
    return None


def _write(value: object) -> str:
    try:
        return json.dumps(value, default=_dump, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ResponseMalformed("body", f"cannot be written as JSON: {error}") from error


def _dump(value: object) -> Any:
    """Give what an SDK's object holds, as sent; its values are not checked here."""
    if isinstance(value, _Model):
        return value.model_dump(mode="python", by_alias=True, exclude_unset=True, warnings=False)
    if isinstance(value, Mapping):
        return dict(value)
    # What SDKs make of the texts that came: signatures, pictures, times.
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    raise TypeError(f"a {type(value).__name__} is not JSON data")


def _read(text: str) -> Any:
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise ResponseMalformed("body", f"is not JSON: {error}") from error
