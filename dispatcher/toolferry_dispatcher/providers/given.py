"""The id and the arguments of a call as given: what serves is taken, the rest is made or refused.

Shared by all providers, so that one rule holds for every wire.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeGuard

from toolferry import CallError, ErrorCode, ResponseMalformed, ToolCall
from toolferry.arguments import parse_arguments
from toolferry.errors import ArgumentFault
from toolferry.repairing import Reading, read_object, read_text
from toolferry_dispatcher.providers.json_data import fold, kind_of
from toolferry_dispatcher.reply import ReadCall


@dataclass(frozen=True, slots=True)
class IdForm:
    """Which ids of calls a provider takes back, and how those look that are made for it."""

    #: A regular expression that a whole id matches; empty when any text will do.
    pattern: str = ""
    prefix: str = "call_"
    #: Hex digits of a made id, 1 to 64.
    digits: int = 16

    def takes(self, given_id: str) -> bool:
        """Tell whether an id has this form."""
        return not self.pattern or re.fullmatch(self.pattern, given_id) is not None

    def made_of(self, text: str) -> str:
        """Make an id: the same of the same text, and of no other one."""
        digest = hashlib.sha256(text.encode(errors="replace")).hexdigest()
        return self.prefix + digest[: self.digits]


#: Any text with ink will do.
ANY_ID: Final = IdForm()


#: Calls that one response may ask for: models ask for a few, and each costs time to judge.
MAX_CALLS: Final = 1000


def settle_ids(
    given: Sequence[object],
    seed: Callable[[], str],
    form: IdForm = ANY_ID,
    most: float = MAX_CALLS,
) -> tuple[str, ...]:
    """Give every call of one response an id of its own.

    The first call with an id keeps it. A later call with the same id, and a call with none, get
    a made one: the same whenever the same response is read again, and unlike every given one.

    Args:
        given: The ids as received, in order; anything that is no text with ink counts as none.
        seed: Gives what tells this response from others, such as its id; asked only when needed.
        form: Which ids will do, and how those look that are made.
        most: Calls that are taken.

    Raises:
        ResponseMalformed: There are more.

    >>> settle_ids(["a", "b"], lambda: "r1")
    ('a', 'b')
    >>> settle_ids(["a", "a", None], lambda: "r1")
    ('a', 'call_a9227743040663cd', 'call_06ea13e19311a34d')
    """
    if len(given) > most:
        reason = f"asks for {len(given)} calls at once; {most} are taken at the most"
        raise ResponseMalformed("calls", reason)
    digests = cache(lambda: _digests(seed()))
    taken = {given_id for given_id in given if isinstance(given_id, str)}
    kept: set[str] = set()
    ids = []
    for position, given_id in enumerate(given):
        if _serves(given_id) and form.takes(given_id) and given_id not in kept:
            ids.append(given_id)
        else:
            ids.append(_make_id(digests(), position, taken, form))
        kept.add(ids[-1])
    return tuple(ids)


def _serves(given_id: object) -> TypeGuard[str]:
    """Tell whether an id can be given back as it came."""
    return isinstance(given_id, str) and bool(given_id.strip()) and fold(given_id) == given_id


def _digests(seed: str) -> Callable[[str], str]:
    """Give what hashes a text behind a seed; one that is long is hashed once for all."""
    start = hashlib.sha256(f"{seed}\n".encode(errors="replace"))

    def digest(text: str) -> str:
        one = start.copy()
        one.update(text.encode())
        return one.hexdigest()

    return digest


def _make_id(digest: Callable[[str], str], position: int, taken: set[str], form: IdForm) -> str:
    """Make an id that is short and plain enough for every provider."""
    text = str(position)
    while True:
        call_id = form.prefix + digest(text)[: form.digits]
        if call_id not in taken:
            return call_id
        text += "+"


def read_arguments(raw: object) -> tuple[dict[str, Any], CallError | None]:
    """Read the arguments of one call; empty ones and the error when they cannot be read.

    >>> read_arguments('{"city": "Oslo"}')
    ({'city': 'Oslo'}, None)
    >>> read_arguments([1])[1].message
    'The arguments must be a JSON object, not an array.'
    """
    if raw is not None and not isinstance(raw, str | bytes | Mapping):
        message = f"The arguments must be a JSON object, not {kind_of(raw)}."
        return {}, CallError.of(ErrorCode.INVALID_JSON, message)
    try:
        return parse_arguments(raw), None
    except ArgumentFault as fault:
        return {}, fault.error()


def call_of_text(call_id: str, name: str, raw: object) -> ReadCall:
    """Read a call whose arguments have to come as JSON text.

    >>> call_of_text("c1", "weather", "").repairs
    ('empty',)
    """
    return _read_call(call_id, name, read_text(raw))


def call_of_object(call_id: str, name: str, raw: object) -> ReadCall:
    """Read a call whose arguments have to come as an object.

    >>> call_of_object("c1", "weather", {"city": "Oslo"}).repairs
    ()
    """
    return _read_call(call_id, name, read_object(raw))


def nameless_call(call_id: str) -> ReadCall:
    """Give a call that names no tool: it is answered, and does not run."""
    fault = CallError.of(ErrorCode.UNKNOWN_TOOL, "The call names no tool.")
    return ReadCall(ToolCall(call_id, "", {}), fault)


def _read_call(call_id: str, name: str, read: Reading) -> ReadCall:
    call = ToolCall(call_id, name, read.arguments)
    return ReadCall(call, read.fault, read.repairs, read.strictly)
