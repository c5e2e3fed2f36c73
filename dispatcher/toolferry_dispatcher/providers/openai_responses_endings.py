"""How a response of the Responses API came to its end, in closed tables.

Source: response_status.py, response.py and response_error.py in types/responses of `openai` 3.57.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolferry_dispatcher.providers.openai_responses_body import Output
from toolferry_dispatcher.reply import Ending

#: What a status means. One that is missing, or that nobody knows, means what `completed` does:
#: then what the response holds decides.
ENDING_OF_STATUS: Final[Mapping[str, Ending]] = {
    "completed": Ending.WHOLE,
    "incomplete": Ending.BROKEN,
    "failed": Ending.FAILED,
    "cancelled": Ending.BROKEN,
    # Asked for in the background and not there yet, or a stream that just ended.
    "in_progress": Ending.UNKNOWN,
    "queued": Ending.UNKNOWN,
}
#: Why a response is incomplete, where that says more than that it was broken off.
ENDING_OF_REASON: Final[Mapping[str, Ending]] = {
    "max_output_tokens": Ending.LENGTH,
    "max_messages": Ending.LENGTH,
    "content_filter": Ending.REFUSED,
    # A person told the model something else while it was at it.
    "steered": Ending.BROKEN,
}
#: Why a response failed, where that is a rule about what may be said or shown.
ENDING_OF_ERROR: Final[Mapping[str, Ending]] = {
    "bio_policy": Ending.REFUSED,
    "misalignment_policy_violation": Ending.REFUSED,
    "image_content_policy_violation": Ending.REFUSED,
}


def ending_of(output: Output) -> Ending:
    """Say how a response ended: by its error, else by its status and the reason of that."""
    if output.has_failed:
        return ENDING_OF_ERROR.get(output.error_code, Ending.FAILED)
    ending = ENDING_OF_STATUS.get(output.status, Ending.WHOLE)
    return ENDING_OF_REASON.get(output.reason, ending) if ending is Ending.BROKEN else ending


def finish_reason(output: Output) -> str | None:
    """Give the provider's word for why it stopped: the closest that it gave; None without one."""
    if ending_of(output) is Ending.UNKNOWN:
        return None
    return output.error_code or output.reason or output.status or None
