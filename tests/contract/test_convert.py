"""What handlers return, and what becomes of it."""

from __future__ import annotations

import enum
import ipaddress
import json
from collections import OrderedDict, UserDict, deque, namedtuple
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from toolferry import ConversionFailed, ErrorCode, to_json_data

IDENTITY = UUID("7f6c0a52-9d4f-4d0c-9f05-2f0f5a3b8f11")


class Colour(enum.Enum):
    """Values of several types."""

    RED = "red"
    PAIR = (1, 2)


class Level(enum.IntEnum):
    """A number with a name."""

    HIGH = 3


@dataclass
class Point:
    """A dataclass."""

    x: int
    when: date | None = None
    inner: Any = field(default=None)


class Order(BaseModel):
    """A model with what JSON does not know."""

    number: UUID = IDENTITY
    at: datetime = datetime(2025, 11, 29, 20, tzinfo=UTC)
    price: Decimal = Decimal("1.10")
    colour: Colour = Colour.RED
    tags: set[str] = {"a"}
    ratio: float = float("nan")


class Blob(BaseModel):
    """A model whose own JSON mode fails."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    data: bytes = b"\x89PNG"
    anything: Any = None


class Endless(dict[str, Any]):
    """A mapping that fails half way."""

    def items(self) -> Any:
        """Raise instead of ending."""
        raise RuntimeError("secret: hunter2")


Pair = namedtuple("Pair", "left right")  # noqa: PYI024 -- the untyped kind is met in the wild


def generate() -> Iterator[int]:
    """Give a generator."""
    yield 1


async def unawaited() -> int:
    """Give a coroutine."""
    return 1


def refused(value: Any) -> ConversionFailed:
    """Convert what cannot be converted."""
    with pytest.raises(ConversionFailed) as caught:
        to_json_data("sample", value)
    return caught.value


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (None, None),
        (True, True),
        (2**70, 2**70),
        (1.5, 1.5),
        (float("nan"), None),
        ([1.5, float("inf"), float("-inf")], [1.5, None, None]),
        ("größer", "größer"),
        ("half \ud83d", "half \ufffd"),
        ({"a": {"b": [1]}}, {"a": {"b": [1]}}),
        (
            {2: "a", 1.5: "b", True: "c", None: "d"},
            {"2": "a", "1.5": "b", "true": "c", "null": "d"},
        ),
        ({Colour.RED: 1, date(2025, 1, 1): 3}, {"red": 1, "2025-01-01": 3}),
        ((1, ("a",)), [1, ["a"]]),
        (Pair(1, 2), [1, 2]),
        (deque([1]), [1]),
        ({"b", "a"}, ["a", "b"]),
        (frozenset({10, 9, 1.5}), [1.5, 9, 10]),
        ({"a", 2, None, (1,), 1}, [1, 2, "a", [1], None]),
        ({"k": 1}.keys(), ["k"]),
        (OrderedDict(a=1), {"a": 1}),
        (UserDict(a=1), {"a": 1}),
        (MappingProxyType({"a": 1}), {"a": 1}),
        (Colour.RED, "red"),
        (Colour.PAIR, [1, 2]),
        (Level.HIGH, 3),
        (datetime(2025, 11, 29, 20, tzinfo=UTC), "2025-11-29T20:00:00+00:00"),
        (date(2025, 11, 29), "2025-11-29"),
        (time(20, 0), "20:00:00"),
        (timedelta(hours=1, seconds=30), "PT1H30S"),
        (Decimal("1.10"), "1.10"),
        (IDENTITY, str(IDENTITY)),
        (PurePosixPath("a/b"), "a/b"),
        (ipaddress.ip_address("::1"), "::1"),
        (
            Point(1, date(2025, 1, 1), Point(2)),
            {"x": 1, "when": "2025-01-01", "inner": {"x": 2, "when": None, "inner": None}},
        ),
        (
            Order(),
            {
                "number": str(IDENTITY),
                "at": "2025-11-29T20:00:00Z",
                "price": "1.10",
                "colour": "red",
                "tags": ["a"],
                "ratio": None,
            },
        ),
    ],
)
def test_a_value_becomes_json_data(value: Any, data: Any) -> None:
    """By the table of the module, and always as valid JSON in UTF-8."""
    converted = to_json_data("sample", value)

    assert converted == data
    assert json.loads(json.dumps(converted, allow_nan=False).encode()) == converted


@pytest.mark.parametrize("value", [b"\x89PNG", bytearray(b"\x89PNG"), memoryview(b"\x89PNG")])
def test_bytes_become_labelled_base64(value: Any) -> None:
    """A model sees that it is no text, and how much there is."""
    assert to_json_data("sample", value) == {
        "type": "base64",
        "media_type": "application/octet-stream",
        "bytes": 4,
        "data": "iVBORw==",
    }


def test_a_model_whose_json_mode_fails_is_converted_member_by_member() -> None:
    """Bytes that are no text are no reason to lose a result."""
    assert to_json_data("sample", Blob())["data"]["data"] == "iVBORw=="
    assert refused(Blob(anything=generate)).reason.endswith("at anything")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (object(), "returned a value of type object, which JSON cannot hold,"),
        (dict, "returned the class dict, which JSON cannot hold,"),
        (Point, "returned the class Point, which JSON cannot hold,"),
        (Order, "returned the class Order, which JSON cannot hold,"),
        (lambda: 1, "returned a value of type function, which JSON cannot hold,"),
        (1j, "returned a value of type complex, which JSON cannot hold,"),
        (
            [{"a": generate()}],
            "returned a value of type generator, which JSON cannot hold, at [0].a",
        ),
        (
            {"a": [1, {2, generate}]},
            "returned a value of type function, which JSON cannot hold, at a[1]",
        ),
        ({(1, 2): 3}, "returned a member named by a value of type tuple"),
        ({"a": {(1, 2): 3}}, "returned a member named by a value of type tuple at a"),
        ({"1": "a", 1: "b"}, "returned two members of one name"),
        ([10**5000], "returned an integer of thousands of digits at [0]"),
        ({"a": Endless()}, "returned a value of type dict that cannot be read (RuntimeError)"),
        (ValueError("hunter2"), "returned a value of type ValueError, which JSON cannot hold,"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_converted_is_told_with_its_type_and_place(value: Any, reason: str) -> None:
    """Never the value itself: it may be a secret."""
    error = refused(value)

    assert (error.tool, error.reason, error.code) == ("sample", reason, ErrorCode.BAD_RESULT)
    assert "hunter2" not in str(error)
    assert error.error().message.startswith(f"The tool sample {reason}")


def test_a_coroutine_is_told_and_closed() -> None:
    """Python would warn that nobody awaited it."""
    assert "a value of type coroutine" in refused([unawaited()]).reason


@pytest.mark.parametrize("kind", ["dict", "list", "dataclass"])
def test_what_holds_itself_is_refused(kind: str) -> None:
    """It has no end."""
    holders: dict[str, Any] = {"dict": {}, "list": [], "dataclass": Point(1)}
    value = holders[kind]
    if kind == "dict":
        value["self"] = value
    elif kind == "list":
        value.append([value])
    else:
        value.inner = {"point": value}

    assert "that holds itself" in refused(value).reason


def test_a_model_that_holds_itself_is_refused() -> None:
    """Pydantic notices it, and no exception of its own gets out."""
    blob = Blob(data=b"x")
    blob.anything = [blob]

    assert refused(blob).code is ErrorCode.BAD_RESULT


def test_what_stands_twice_beside_itself_is_no_circle() -> None:
    """Shared parts are written twice."""
    shared = [1]

    assert to_json_data("sample", [shared, shared]) == [[1], [1]]


def test_a_value_may_be_sixty_four_levels_deep_and_no_deeper() -> None:
    """Never a RecursionError."""
    value: Any = 1
    for _ in range(64):
        value = [value]
    assert to_json_data("sample", value) == value

    assert "more than 64 levels" in refused([value]).reason
    for _ in range(100_000):
        value = [value]
    assert "more than 64 levels" in refused(value).reason
    while isinstance(value, list):
        value = value.pop()  # else Python's own clean-up recurses


@pytest.mark.parametrize(
    "value",
    [
        ["x" * 1_000_000] * 40,
        [b"x" * 1_000_000] * 40,
        "x" * 40_000_000,
        [0] * 600_000,
        {str(n): {} for n in range(300_000)},
    ],
    ids=["texts", "bytes", "text", "numbers", "members"],
)
def test_what_is_too_large_to_look_at_is_refused(value: Any) -> None:
    """The walk stops where it is too much, not at the end."""
    assert refused(value).code is ErrorCode.RESULT_TOO_LARGE


def test_sets_give_the_same_text_in_every_process() -> None:
    """The order of hashes is random, that of the result is not."""
    words = [f"word{n}" for n in range(50)]

    assert to_json_data("sample", set(words)) == sorted(words)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.binary(max_size=5)
    | st.datetimes()
    | st.decimals()
    | st.uuids()
    | st.just(generate),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=2) | st.integers(0, 3), inner, max_size=3)
        | st.builds(Point, st.integers(), inner=inner)
    ),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(VALUES)
def test_whatever_is_returned_becomes_json_or_a_failed_conversion(value: Any) -> None:
    """No other exception, and never a result that cannot be stored."""
    try:
        converted = to_json_data("sample", value)
    except ConversionFailed:
        return

    assert json.loads(json.dumps(converted, allow_nan=False).encode()) == converted
