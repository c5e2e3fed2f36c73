"""How often a model is asked again whose response was of no use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from toolferry import ConfigurationError
from toolferry_dispatcher.conversation.reasons import EndReason
from toolferry_dispatcher.reply import Reply, ReplyKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Tries:
    """How many responses of no use are taken in a row, for each kind, before it ends; 1 or more.

    A response of no use is dropped: it never gets into the messages, and nothing of it runs.

    Raises:
        ConfigurationError: A number is less than 1.
    """

    #: Neither calls nor text.
    degenerate: int = 3
    #: Cut off or broken off.
    incomplete: int = 1
    #: Declined.
    refused: int = 1
    #: The provider could not answer.
    provider_error: int = 1

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if getattr(self, name) < 1:
                raise ConfigurationError(f"tries.{name}", "must be 1 or more: the first one counts")

    def allow_another(self, kind: ReplyKind, useless: int) -> bool:
        """Tell whether the model is asked again.

        Args:
            kind: Of the response that was of no use.
            useless: How many of them came in a row, this one included.
        """
        return useless < int(getattr(self, kind.value))


_WHAT: Final = {
    ReplyKind.DEGENERATE: "neither asked for tools nor said anything",
    ReplyKind.INCOMPLETE: "broke off",
    ReplyKind.REFUSED: "declined to answer",
    ReplyKind.PROVIDER_ERROR: "could not answer",
}


def useless_end(reply: Reply, useless: int) -> tuple[EndReason, str]:
    """Give the reason and the sentence that end a conversation after responses of no use."""
    why = f" ({reply.finish_reason})" if reply.finish_reason else ""
    times = f", {useless} times in a row" if useless > 1 else ""
    return EndReason(reply.kind.value), f"The model {_WHAT[reply.kind]}{why}{times}."
