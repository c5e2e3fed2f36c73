"""When a model is told of a call that it still runs: the rule. Pure."""

from __future__ import annotations

import math

from toolferry import ConfigurationError
from toolferry_dispatcher.admission import Admitted
from toolferry_ledger import CALL_TOOL_NAMES


def check_answer_within(seconds: object) -> None:
    """Require a time that a model can wait, or none.

    Raises:
        ConfigurationError: It is no number of 0 or more.
    """
    if seconds is None:
        return
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not seconds >= 0:
        raise ConfigurationError(
            "answer_within", f"must be a number of seconds, 0 or more, not {seconds!r:.40}"
        )


def answer_within(admitted: Admitted, wanted: float | None) -> float | None:
    """Give the seconds after which the model is told of a call that it still runs; None for never.

    A model that waits for a call with `call.wait` said itself for how long.

    Args:
        admitted: The call with what was decided about it.
        wanted: What the application said of all calls of the turn; None when nothing.
    """
    tool = admitted.tool
    if tool is None or admitted.refused is not None or tool.name in CALL_TOOL_NAMES:
        return None
    seconds = tool.answer_within if wanted is None else wanted
    return seconds if seconds is not None and math.isfinite(seconds) else None
