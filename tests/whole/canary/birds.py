"""The canaries: secrets that are planted, and the forms in which they are looked for."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

#: With what JSON, URLs and Python write in another way.
CONTEXT: Final = 'bird"one\\of ä/context=4711'
ARGUMENT: Final = "bird'two\tof ö+argument?8822"
NESTED: Final = "bird three & nested 3399"
#: A number.
PIN: Final = 60708090
#: One that the results of a tool are meant to carry; nothing else is called so.
REVEALED: Final = "bird-five-revealed-5511"

ALL: Final = {"context": CONTEXT, "argument": ARGUMENT, "nested": NESTED, "pin": str(PIN)}


def forms(bird: str) -> Iterator[str]:
    """Give every way in which a secret may be written."""
    yield bird
    for encode in (json.dumps, lambda text: json.dumps(text, ensure_ascii=False), repr):
        yield encode(bird)[1:-1]
        yield json.dumps(encode(bird))[2:-2]
    yield quote(bird, safe="")
    yield quote(bird)
    for before in range(3):
        code = b64encode(b"-" * before + bird.encode()).decode()
        yield code[4 * bool(before) : -4]


def found_in(text: str, bird: str) -> set[str]:
    """Give the forms of a secret that stand in a text."""
    return {form for form in forms(bird) if form in text}
