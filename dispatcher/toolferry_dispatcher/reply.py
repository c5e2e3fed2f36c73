"""The reply: what a model's response says, whichever provider it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from toolferry import CallError, ToolCall
from toolferry.record import record


class ReplyKind(StrEnum):
    """What a response is. Decided by what it holds; its finish reason only says if it is whole."""

    #: It asks for tools.
    CALLS = "calls"
    #: It is the model's answer.
    FINAL = "final"
    #: It was cut off before a call was whole, or ended without a word: it may be asked for again.
    INCOMPLETE = "incomplete"
    #: It neither asks for tools nor says anything: a failure of the model, never a success.
    DEGENERATE = "degenerate"
    #: The model, or a filter of its provider, declined to answer.
    REFUSED = "refused"
    #: It is the provider's word that it could not answer.
    PROVIDER_ERROR = "provider_error"


class Ending(StrEnum):
    """How a response came to its end: what its finish reason means, in the words of no provider."""

    #: The model stopped where it wanted to, as far as is known.
    WHOLE = "whole"
    #: It ran into its length limit: all calls before the last one are whole.
    LENGTH = "length"
    #: It was broken off for another reason.
    BROKEN = "broken"
    #: The model, or a filter, did not want to go on.
    REFUSED = "refused"
    #: The provider failed.
    FAILED = "failed"
    #: Nothing was said: a stream that just ended.
    UNKNOWN = "unknown"


@record(frozen=True, slots=True)
class ReadCall:
    """One call as it was read; its siblings are read whatever is wrong with it."""

    #: Its id is unique in the response; its name is the one that the model wrote, and empty when
    #: it wrote none; its arguments are empty when they could not be read.
    call: ToolCall
    #: Why it cannot be run; None when it was read well. Says nothing of schemas and policies.
    fault: CallError | None = None
    #: The names of what was mended to read it, in the order in which it was done.
    repairs: tuple[str, ...] = ()
    #: Why it could not be read if nothing were mended; None when nothing was.
    strictly: CallError | None = None
    #: Which calls of the response it is planned together with, see `chains`; empty for none.
    chain: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One response of a model, read."""

    kind: ReplyKind
    #: In the model's order; none of a stream that just ended, and none beside an error.
    calls: tuple[ReadCall, ...] = ()
    #: What the model said besides its calls, or the provider about its error; empty when nothing.
    text: str = ""
    #: The assistant message as received, JSON data of its provider, mended only where the
    #: provider would refuse it in the next request. Empty for plain calls.
    message: Mapping[str, Any]
    #: The provider's word for why the model stopped; None when it gave none.
    finish_reason: str | None = None
    #: What that means. Calls of a response that is not whole are answered, and run only where
    #: `run_complete_calls` says so.
    ending: Ending = Ending.WHOLE
