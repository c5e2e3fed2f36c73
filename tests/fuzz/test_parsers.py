"""No input to any parser raises anything but the project's own errors, and none takes long."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.inputs import JSON_BYTES, TEXTS
from tests.fuzz.parsers import PARSERS, parse
from tests.fuzz.schemas import CASES
from tests.fuzz.skeletons import SKELETONS, places, with_part
from toolferry import Registry, Tool
from toolferry_dispatcher.looking import look
from toolferry_dispatcher.providers import provider

NAMES = sorted(PARSERS)
#: What stands where something else is wanted.
ODD: list[Any] = [
    None,
    True,
    7,
    2**70,
    "",
    "\ud83d",
    [],
    {},
    [None],
    [[]],
    [{}],
    {"": None},
    *TEXTS,
]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=12, deadline=None)
@given(data=JSON_BYTES | st.binary(max_size=40))
def test_no_input_raises_a_foreign_error(name: str, data: bytes) -> None:
    """JSON of the words of all formats, and bytes of none."""
    parse(PARSERS[name], data)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=1_500, deadline=None)
@given(data=JSON_BYTES | st.binary(max_size=200))
def test_no_input_raises_a_foreign_error_at_length(name: str, data: bytes) -> None:
    """The same for longer."""
    parse(PARSERS[name], data)


@pytest.mark.parametrize("name", sorted(SKELETONS))
def test_nothing_odd_in_a_good_response_raises_a_foreign_error(name: str) -> None:
    """Every part of it replaced by everything that could stand there instead."""
    for path in places(SKELETONS[name]):
        for part in ODD:
            data = json.dumps(with_part(SKELETONS[name], path, part)).encode()
            parse(PARSERS[name], data)
            parse(PARSERS["detect"], data)


#: Texts that cost the square of their length where a reader is careless.
TRAPS: dict[str, Callable[[int], str]] = {
    "brackets": lambda size: "[" * size,
    "braces": lambda size: '{"a":' * (size // 5),
    "quotes": lambda size: '"' * size,
    "backslashes": lambda size: '"' + "\\" * size,
    "fences": lambda size: "```" * (size // 3),
    "fence and blanks": lambda size: "```" + " " * size + "```",
    "objects": lambda size: "{}" * (size // 2),
    "object and brackets": lambda size: "{} a" + "[" * size,
    "object and words": lambda size: "{} a" + "[a] " * (size // 4),
    "digits": lambda size: '{"id": "' + "1" * size + '"}',
    "members": lambda size: json.dumps({f"m{n}": n for n in range(size // 12)}),
    "misfits": lambda size: json.dumps({"list": ["1"] * (size // 5)}),
    "events": lambda size: "data: {}\n\n" * (size // 10),
    "lines": lambda size: "\n" * size,
    "halves": lambda size: '{"a": "' + "\\ud83d" * (size // 6) + '"}',
    "twice": lambda size: json.dumps(json.dumps("x" * size)),
}


def seconds(parser: Callable[[bytes], object], data: bytes) -> float:
    """Give the time of the quickest of three readings."""
    taken = []
    for _ in range(3):
        began = time.process_time()
        parse(parser, data)
        taken.append(time.process_time() - began)
    return min(taken)


@pytest.mark.slow
@pytest.mark.parametrize("trap", sorted(TRAPS))
@pytest.mark.parametrize("name", NAMES)
def test_the_time_of_reading_grows_with_the_length_and_no_faster(name: str, trap: str) -> None:
    """Sixteen times the input takes far less than 256 times as long."""
    short, long = (TRAPS[trap](size).encode() for size in (4_000, 64_000))

    once = max(seconds(PARSERS[name], short), 0.0005)

    assert seconds(PARSERS[name], long) / once < 100


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SKELETONS))
def test_ten_kilobytes_are_read_within_fifty_milliseconds(name: str) -> None:
    """Whatever stands wherever in a good response; what is longer may take as much longer."""
    for path in places(SKELETONS[name]):
        for trap in TRAPS.values():
            data = json.dumps(with_part(SKELETONS[name], path, trap(10_000))).encode()

            assert seconds(PARSERS[name], data) <= 0.05 * max(len(data) / 10_000, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CASES))
def test_ten_kilobytes_are_judged_within_fifty_milliseconds(name: str) -> None:
    """Whatever schema the arguments break, and how often."""
    schema, arguments = CASES[name]
    registry = Registry()
    registry.declare(Tool(name="sample", parameters=schema))
    calls = [
        {"id": f"c{at}", "function": {"name": "sample", "arguments": json.dumps(one)}}
        for at, one in enumerate(arguments)
    ]
    body = {"choices": [{"message": {"role": "assistant", "tool_calls": calls}}]}
    data = json.dumps(body, separators=(",", ":")).encode()

    def read(data: bytes) -> object:
        return look(data, provider("openai-chat"), registry).to_json()

    assert seconds(read, data) <= 0.05 * len(data) / 10_000
