"""What an application may say about a turn when it dispatches it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypedDict

from toolferry import Context, Priority


class DispatchOptions(TypedDict, total=False):
    """The options of `dispatch`; each has the default of `Request`."""

    #: On whose behalf, where and with which rights the calls are judged and run.
    context: Context
    #: The format of the response, or `auto` to tell it by the response; plain calls need none.
    provider: str
    #: The turn's name; the same name with the same calls is the same turn.
    turn_id: str | None
    conversation_id: str
    #: Free words of the application, kept with the turn.
    labels: Mapping[str, str]
    #: The names of the tools that were on offer; None when all were.
    visible: Collection[str] | None
    #: How urgent the calls are; the most urgent get free slots first.
    priority: Priority
    #: Seconds after which the model is told of a call that it still runs, 0 or more; wins over what
    #: the tools say. None leaves it to them; `math.inf` waits for every result.
    answer_within: float | None
    #: Whether a response that was cut off runs the calls before its last one.
    run_complete_calls: bool
    #: Whether calls that have not ended run again when the server has lost its data, those that may
    #: always be repeated; without it, and all others, they end as `lost`.
    resubmit: bool
