"""Stored conversations, and what may have happened to them: anything that leaves them JSON data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, Final

from hypothesis import strategies as st

from tests.providers.bodies import Wanted
from tests.providers.test_generated import FORMATS
from toolferry_dispatcher.conversation.joining import joined
from toolferry_dispatcher.providers import Told, provider

#: What stands where something else has to.
JUNK: Final[tuple[Any, ...]] = (
    *(None, True, 0, 1.5, "", "a", "\ud83d", "{", [], {}, [7], {"a": 1}, float("inf")),
    *("tool", "user", "assistant", "model", "tool_use", "tool_result", "function_call"),
)
#: A place in JSON data: what holds it, and its key or index there.
_Place = tuple[Any, Any]
#: What happens at a place; the number chooses among what may.
_Blow = Callable[[Any, Any, int], None]


def stored(name: str, rounds: list[list[tuple[str, str]]]) -> list[dict[str, Any]]:
    """Write a conversation as its adapter does; every text in it is another one."""
    form, adapter = FORMATS[name], provider(name)
    messages: list[dict[str, Any]] = [dict(form.question)]
    for at, calls in enumerate(rounds):
        wanted = [Wanted(call_id, tool, {"city": f"sent-{at}"}) for call_id, tool in calls]
        reply = adapter.read(form.body(f"said-{at}.", wanted, False, at))  # noqa: FBT003 -- as the bodies have it
        told = [
            Told(read.call.call_id, read.call.name, f"told-{at}-{place}.")
            for place, read in enumerate(reply.calls)
        ]
        messages += adapter.results(reply.message, told)
        messages = joined(messages, [adapter.late(f"asked-{at}.")])
    return deepcopy(messages)


def damaged(messages: list[Any], blows: list[tuple[_Blow, int, int]]) -> list[Any]:
    """Hit a conversation; its messages stay objects."""
    for blow, where, number in blows:
        places = list(_places(messages))
        if places:
            holder, key = places[where % len(places)]
            blow(holder, key, number)
    return [message for message in messages if isinstance(message, dict)]


def _places(data: Any) -> Iterator[_Place]:
    inner = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in inner:
        yield data, key
        if isinstance(value, dict | list):
            yield from _places(value)


def _drop(holder: Any, key: Any, _number: int) -> None:
    del holder[key]


def _replace(holder: Any, key: Any, number: int) -> None:
    holder[key] = deepcopy(JUNK[number % len(JUNK)])


def _repeat(holder: Any, key: Any, number: int) -> None:
    if isinstance(holder, list):
        holder.insert(number % (len(holder) + 1), deepcopy(holder[key]))


def _move(holder: Any, key: Any, number: int) -> None:
    if isinstance(holder, list):
        other = number % len(holder)
        holder[key], holder[other] = holder[other], holder[key]


#: Ids come again, within a turn and in later ones.
rounds = st.lists(
    st.lists(
        st.tuples(st.sampled_from(["a", "b", "x" * 70]), st.sampled_from(["look_up", "no.such"])),
        max_size=3,
    ),
    min_size=1,
    max_size=3,
)
blows = st.lists(
    st.tuples(
        st.sampled_from([_drop, _replace, _repeat, _move]),
        st.integers(0, 200),
        st.integers(0, 50),
    ),
    max_size=6,
)
