"""Generated conversations: models that make every mistake, calls that end in every way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.providers.bodies import Wanted
from toolferry import Registry, tool
from toolferry_dispatcher.providers import Media

ODD_NAMES = ("calendar.update_event", "files/read", "工具", "2fa", "n" * 90)


@tool
async def look_up(city: str, days: list[int] | None = None) -> str:
    """Tell the weather of a city."""
    return f"{city}: {days}"


def odd_tools() -> Registry:
    """Give tools with names that no wire takes as they are."""
    renamed = [tool(name=name)(look_up_again) for name in ODD_NAMES]
    return Registry([look_up, *renamed])


async def look_up_again(city: str) -> str:
    """Tell the weather of a city once more."""
    return city


@dataclass(frozen=True)
class Fate:
    """How a call ended, as a model is told."""

    text: str
    is_error: bool
    media: tuple[Media, ...]
    is_running: bool


@dataclass(frozen=True)
class Round:
    """One response, and what became of its calls."""

    text: str
    calls: tuple[Wanted, ...]
    fates: tuple[Fate, ...]
    is_cut: bool
    #: What comes late after it; empty for nothing.
    late: str


texts = st.text(max_size=20) | st.sampled_from(["", " ", "caf\u00e9 \ud83d", "你好世界", "\x00"])
ids = st.sampled_from([None, "", " ", "call_0", "call_0", "call_1", "functions.look_up:0"]) | (
    st.text(min_size=1, max_size=90)
)
names = st.sampled_from(["look_up", "look_up", *ODD_NAMES, "", " ", "no_such", "bad name!"])
values: Any = st.none() | st.booleans() | st.integers() | texts
objects = st.dictionaries(st.sampled_from(["city", "days", "x"]) | texts, values, max_size=3)
raw = st.sampled_from(['{"city": "Os', "", "null", "[1]", "{}{}", '{"a": NaN}', "text"])
media = st.sampled_from(
    [
        Media("image/png", "iVBORw0KGgo="),
        Media("application/pdf", "JVBERi0=", "a file.pdf", 2),
        Media("text/plain", "aGVsbG8=", number=3),
        Media("video/mp4", "AAAA", number=4),
    ]
)
fates = st.builds(
    Fate,
    text=texts.filter(str.strip),
    is_error=st.booleans(),
    media=st.lists(media, max_size=2, unique=True).map(tuple),
    is_running=st.just(value=False),
) | st.just(Fate('{"state":"running"}', is_error=False, media=(), is_running=True))
wanted = st.builds(Wanted, call_id=ids, name=names, arguments=objects | raw)


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """Give a round of 0 to 6 calls."""
    calls = tuple(draw(st.lists(wanted, max_size=6)))
    return Round(
        text=draw(texts),
        calls=calls,
        fates=tuple(draw(st.lists(fates, min_size=len(calls), max_size=len(calls)))),
        is_cut=draw(st.sampled_from([False, False, True])),
        late=draw(st.sampled_from(["", "", "It has ended."])),
    )


conversations = st.lists(rounds(), min_size=1, max_size=3)
