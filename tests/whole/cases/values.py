"""Tools that return and raise what the handlers of the cases do: the odd, the huge, the secret."""

from __future__ import annotations

import decimal
import enum
import socket
import sys
import threading
import uuid
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Annotated, Any, Final, NoReturn

from pydantic import BaseModel, Field

from tests.whole.cases.scenario import load_case
from toolferry import NO_RETRY, ToolError, tool

_HUGE, _ = load_case("27b-unserialisable-and-huge")


class Colour(enum.Enum):
    """A value with a name."""

    RED = "red"


class Order(BaseModel):
    """A model with all that JSON does not know."""

    id: uuid.UUID = uuid.UUID(int=7)
    at: datetime = datetime(2025, 11, 29, 12, 0, tzinfo=UTC)
    price: decimal.Decimal = decimal.Decimal("12.50")
    colour: Colour = Colour.RED
    tags: set[str] = {"b", "a"}


@dataclass
class Point:
    """A place."""

    x: int = 1
    y: int = 2


class NeedsThree(Exception):
    """Cannot be made again from its own `args`."""

    def __init__(self, first: int, second: int, third: int) -> None:
        super().__init__(first)
        self.rest = (second, third)


class Unspeakable(Exception):
    """Has no words, and raises when it is asked for some."""

    def __str__(self) -> str:
        """Raise."""
        raise RuntimeError("no words")

    __repr__ = __str__


class Unpicklable(Exception):
    """Cannot be sent to another process."""

    def __reduce__(self) -> NoReturn:
        """Raise."""
        raise TypeError("not me")


class Endless(Mapping[str, int]):
    """Has no end, and says that it is short."""

    def __getitem__(self, key: str) -> int:
        """Give a number for any key."""
        return 1

    def __len__(self) -> int:
        """Lie."""
        return 1

    def __iter__(self) -> Iterator[str]:
        """Never end."""
        number = 0
        while True:
            number += 1
            yield str(number)


class Liar:
    """Says that it is of another class."""

    @property  # type: ignore[misc]  # that is the lie
    def __class__(self) -> type:
        """Lie."""
        return dict


def _raise_local() -> NoReturn:
    class Local(Exception):
        """Is known inside of this function only."""

    with socket.socket() as opened:
        raise Local(opened)


def _raise(error: BaseException) -> NoReturn:
    raise error


def _recurse() -> Any:
    return _recurse()


def _generate() -> Iterator[int]:
    yield 1


async def _generate_later() -> AsyncIterator[int]:
    yield 1


def _holds_itself() -> list[Any]:
    held: list[Any] = []
    held.append(held)
    return held


#: What the handlers of case 27 do, in the case's words; and their siblings.
BEHAVIOURS: Final[Mapping[str, Callable[[], Any]]] = MappingProxyType(
    {
        "returns object()": object,
        "returns {1, 2}": lambda: {1, 2},
        "raises an exception class defined inside the function with a socket in args": _raise_local,
        "raises an exception whose __init__ needs three arguments": lambda: _raise(
            NeedsThree(1, 2, 3)
        ),
        "returns a generator": _generate,
        "calls sys.exit(3)": lambda: sys.exit(3),
        'returns float("nan")': lambda: float("nan"),
        "returns an async generator": _generate_later,
        "returns what holds itself": _holds_itself,
        "returns an endless mapping": Endless,
        "returns what lies about its class": Liar,
        "returns half a character": lambda: "\ud83d",
        "returns a huge integer": lambda: 10**5000,
        "raises what has no words": lambda: _raise(Unspeakable()),
        "raises what cannot be pickled": lambda: _raise(Unpicklable()),
        "raises KeyboardInterrupt": lambda: _raise(KeyboardInterrupt()),
        "raises GeneratorExit": lambda: _raise(GeneratorExit()),
        "raises StopIteration": lambda: _raise(StopIteration()),
        "raises a group": lambda: _raise(BaseExceptionGroup("all", [KeyboardInterrupt()])),
        "raises a word of half a character": lambda: _raise(ToolError("odd", "\ud83d")),
        "raises words that are no text": lambda: _raise(ToolError("odd", object())),  # type: ignore[arg-type]  # as handlers do
        "recurses without end": _recurse,
    }
)

#: What the handlers of case 33 return, in the case's words.
RETURNS: Final[Mapping[str, Callable[[], Any]]] = MappingProxyType(
    {
        "a pydantic model with UUID, datetime, Decimal, Enum, set": Order,
        "a dataclass": Point,
        'b"\\x89PNG"': lambda: b"\x89PNG",
        "None": lambda: None,
        '[1.5, float("inf")]': lambda: [1.5, float("inf")],
        "dict (the class)": lambda: dict,
        "a lambda": lambda: lambda: 1,
    }
)


@tool(retry=NO_RETRY)
def behave(how: str) -> Any:
    """Do what is said, in a process."""
    return BEHAVIOURS[how]()


@tool(retry=NO_RETRY)
async def behave_on_loop(how: str) -> Any:
    """Do what is said, on the event loop."""
    return BEHAVIOURS[how]()


@tool
async def give_odd(what: str) -> Any:
    """Return what is said."""
    return RETURNS[what]()


@tool(max_result_bytes=_HUGE["max_result_bytes"])
def give_huge() -> str:
    """Return 20 MB."""
    return "x" * 20_000_000


URL: Final = "postgres://app:Hunter2@db.internal:5432/x refused"
KEY: Final = "sk-test-0123456789abcdef"


def _fail_in_a_thread() -> None:
    thread = threading.Thread(target=_raise, args=(ConnectionError(URL),))
    thread.start()
    thread.join()


#: How the handlers of case 34 fail, in the case's words, and siblings.
LEAKS: Final[Mapping[str, Callable[[], Any]]] = MappingProxyType(
    {
        "a URL": lambda: _raise(ConnectionError(URL)),
        "a word to the model": lambda: _raise(ToolError("no_order", "Order 17 does not exist")),
        "a chain": lambda: _chain(),  # noqa: PLW0108 -- defined below
        "a word to the model that quotes an error": lambda: _raise(
            ToolError("db_down", "redis://:Hunter2@cache/0 is down")
        ),
        "settings": lambda: _raise(ValueError({"host": "db", "password": "Hunter2"})),
        "a header": lambda: _raise(OSError(f"Authorization: Bearer {KEY}")),
        "a print": lambda: print(f"PGPASSWORD=Hunter2 psql {URL}"),  # noqa: T201 -- it is about that
        "a thread": _fail_in_a_thread,
        "a group": lambda: _raise(ExceptionGroup("two", [ValueError(KEY), ValueError(URL)])),
    }
)


def _chain() -> NoReturn:
    try:
        _raise(RuntimeError(f"the key {KEY} was refused"))
    except RuntimeError as error:
        raise KeyError("account") from error


@tool(retry=NO_RETRY)
async def leak(how: str) -> None:
    """Fail in words that hold a secret."""
    LEAKS[how]()


@tool(retry=NO_RETRY)
async def log_in(
    pin: Annotated[str, Field(pattern=r"^\d{8}$", json_schema_extra={"writeOnly": True})],
) -> None:
    """Fail, quoting the secret that it was given."""
    raise PermissionError(f"no account for {pin!r}, tried {{'pin': {pin}}}")
