"""What a response of the Responses API is: its status decides, then what it holds.

Source: response_status.py, response.py and response_error.py in types/responses of `openai` 3.57.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolferry_dispatcher.providers.openai_responses_body import Output
from toolferry_dispatcher.reply import ReplyKind

#: What a status says by itself. One that is missing, or that nobody knows, says nothing, as
#: `completed` does: then what the response holds decides.
KIND_OF_STATUS: Final[Mapping[str, ReplyKind]] = {
    "incomplete": ReplyKind.INCOMPLETE,
    "failed": ReplyKind.PROVIDER_ERROR,
    # Not finished: asked for in the background, or the stream ended before its end.
    "in_progress": ReplyKind.INCOMPLETE,
    "queued": ReplyKind.INCOMPLETE,
    "cancelled": ReplyKind.INCOMPLETE,
}
#: Why a response is incomplete, where that is more than being cut off.
KIND_OF_REASON: Final[Mapping[str, ReplyKind]] = {"content_filter": ReplyKind.REFUSED}
#: Why a response failed, where that is a rule about what may be said or shown.
KIND_OF_ERROR: Final[Mapping[str, ReplyKind]] = {
    "bio_policy": ReplyKind.REFUSED,
    "misalignment_policy_violation": ReplyKind.REFUSED,
    "image_content_policy_violation": ReplyKind.REFUSED,
}


def stopped_by(output: Output) -> ReplyKind | None:
    """Say what a response is whatever it holds; None when what it holds decides."""
    if output.error_code or output.error_message:
        return KIND_OF_ERROR.get(output.error_code, ReplyKind.PROVIDER_ERROR)
    kind = KIND_OF_STATUS.get(output.status)
    if kind is ReplyKind.INCOMPLETE:
        return KIND_OF_REASON.get(output.reason, kind)
    return kind


def held_by(*, calls: bool, refusal: bool, says: bool) -> ReplyKind:
    """Say what a response is that came to its end.

    Args:
        calls: Whether it asks for tools.
        refusal: Whether the model says that it declines.
        says: Whether there is a text, or anything else that an application can go on with, such
            as a picture, or a request for an approval.
    """
    if calls:
        return ReplyKind.CALLS
    if refusal:
        return ReplyKind.REFUSED
    return ReplyKind.FINAL if says else ReplyKind.DEGENERATE


def finish_reason(output: Output) -> str | None:
    """Give the provider's word for why it stopped: the closest that it gave."""
    return output.error_code or output.reason or output.status or None
