"""Wording for models: where something is, and what came. Short and exact."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

#: Characters of a value that came: enough to recognise it, too few to flood a prompt.
MAX_GOT: Final = 80
#: Characters of a path; nothing real comes near.
MAX_PATH: Final = 240
#: Characters of its beginning that stay when one is cut.
_HEAD: Final = 80

#: Half of a character, which no UTF-8 text can hold.
_HALF: Final = re.compile("[\ud800-\udfff]")
_NAME: Final = re.compile(r"[A-Za-z_][\w-]*")
# `json.dumps` makes a writer for each text, which takes as long as writing a short one.
_WRITE: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_KINDS: Final = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    type(None): "null",
}


def path_text(path: Iterable[str | int], start: str = "") -> str:
    """Write where in the arguments something stands.

    One that is long is cut in its middle: its end tells it from others.

    Args:
        path: The steps that lead there.
        start: What was written of the steps before them.

    >>> path_text(["items", 2, "price"]), path_text(["a b"]), path_text([])
    ('items[2].price', '["a b"]', '')
    >>> path_text(["price"], path_text(["items", 2]))
    'items[2].price'
    """
    text = start
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _NAME.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"[{_WRITE(step)}]"
    # Cut at the same places each time, a path written in two parts is as if written at once.
    return text if len(text) <= MAX_PATH else f"{text[:_HEAD]}…{text[_HEAD + 1 - MAX_PATH :]}"


def shortened(text: str, limit: int) -> str:
    """Cut a text that is longer than `limit` characters; the cut shows.

    >>> shortened("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def value_text(value: Any, limit: int = MAX_GOT) -> str:
    """Write a value as JSON, shortened; looks at no more of it than is shown.

    >>> value_text({"a": [1, None]}), value_text("x" * 100, 10)
    ('{"a": [1, null]}', '"xxxxxxxx…')
    """
    if isinstance(value, str):
        return shortened(_WRITE(value[: limit + 1]), limit)
    text = ""
    try:
        for chunk in json.JSONEncoder(ensure_ascii=False).iterencode(value):
            text += chunk[:limit]
            if len(text) > limit:
                break
    except (TypeError, ValueError):
        return kind_of(value)
    return shortened(text, limit)


def type_name(kind: type[Any]) -> str:
    """Write a type with its module, so that two of one name can be told apart.

    >>> type_name(dict), type_name(re.Pattern)
    ('dict', 're.Pattern')
    """
    own = kind.__module__ in {"builtins", "__main__"}
    return kind.__qualname__ if own else f"{kind.__module__}.{kind.__qualname__}"


def json_text(data: Any) -> str:
    """Write JSON data whole, without blanks.

    >>> json_text({"a": ["é", None]})
    '{"a":["é",null]}'
    """
    return _WRITE(data)


def clean_text(text: str) -> str:
    r"""Give a text that UTF-8 can hold: half characters become U+FFFD.

    >>> clean_text("a\ud83d") == "a\ufffd"
    True
    """
    return text if text.isascii() else _HALF.sub("\N{REPLACEMENT CHARACTER}", text)


def kind_of(value: Any) -> str:
    """Name the kind of a value without showing it.

    >>> kind_of(True), kind_of({"a": 1}), kind_of([1, 2])
    ('boolean', 'object with 1 member', 'array of 2')
    """
    if isinstance(value, Mapping):
        return f"object with {len(value)} member{'' if len(value) == 1 else 's'}"
    if isinstance(value, list):
        return f"array of {len(value)}"
    return _KINDS.get(type(value), type(value).__name__)
