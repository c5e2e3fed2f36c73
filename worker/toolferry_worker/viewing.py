"""Views: what people see of a result, made by the tool itself while its attempt still runs.

1. It is made after the content, from what the handler returned: nothing that it does, not even
   changing that value, can reach the result that the model gets.
2. It is part of the attempt: its time counts, and the limit stops it. In the async lane it runs on
   the event loop, so it must be as quick as an adapter.
3. Whatever else it does wrong costs people their view and nothing more. The log tells it once for
   each tool of a process, with the traceback.
"""

from __future__ import annotations

from typing import Any, Final
from weakref import WeakSet

from billiard import common
from celery.exceptions import SoftTimeLimitExceeded

from toolferry import Tool
from toolferry.blanks import leave_out
from toolferry.view import fit_view
from toolferry_ledger import get_log
from toolferry_worker.attempt import Attempt

log = get_log(__name__)

#: The tools whose broken `render_result` was told of.
_told: Final[WeakSet[Tool]] = WeakSet()


def render_view(attempt: Attempt, value: Any) -> str | None:
    """Make the view of what a handler returned; None when its tool makes none, or fails to.

    Raises:
        SoftTimeLimitExceeded: The attempt's limit passed meanwhile.
    """
    if attempt.tool.render_result is None:
        return None
    try:
        rendered = attempt.tool.render_result(value)
        if isinstance(rendered, str):
            # Before it is cut to size, which could leave half of a secret.
            rendered = attempt.hidden.out_of(leave_out(rendered, attempt.tool.redact))
        return fit_view(rendered)
    except SoftTimeLimitExceeded:
        raise
    except BaseException as error:
        # A child that was told to end has to end.
        if common.terminate_handler_fired():  # type: ignore[attr-defined]  # new in billiard 4.3
            raise
        _tell(attempt, error)
        return None


def _tell(attempt: Attempt, error: BaseException) -> None:
    if attempt.tool in _told:
        return
    _told.add(attempt.tool)
    spec = attempt.spec
    keys = {"call_id": spec.call_id, "turn_id": spec.turn_id, "tool": spec.name}
    log.warning("view.failed", **keys, exc_info=error)
