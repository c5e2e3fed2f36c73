"""The state of a conversation: all that another process needs to go on with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

from toolferry import SCHEMA_VERSION, ConfigurationError
from toolferry_dispatcher.conversation.joining import joined
from toolferry_dispatcher.conversation.limits import Spent


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRound:
    """A response of the model of which the conversation has not been told the results yet."""

    #: The name of its turn, made before anything was sent: under it nothing runs twice.
    turn_id: str
    #: The response as received, JSON data of its provider.
    response: Mapping[str, Any]
    #: When it came, in seconds since the epoch.
    since: float
    #: Whether its calls are known to be in the ledger.
    is_sent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationState:
    """A conversation between two steps. Immutable, and JSON data by `to_json`.

    It holds the conversation in clear, arguments and results included: keep it where
    conversations may be kept.
    """

    #: In the provider's format; every call in them has its answer.
    messages: tuple[dict[str, Any], ...]
    provider: str
    conversation_id: str = ""
    spent: Spent = field(default_factory=Spent)
    #: The response that is being worked on; None between two.
    open_round: OpenRound | None = None
    #: Responses in a row that were of no use.
    useless: int = 0
    #: The handles of late results that are in the messages.
    told_late: tuple[str, ...] = ()

    def adding(self, *messages: Mapping[str, Any]) -> Self:
        """Give the state with messages behind the others, such as what a person says.

        Raises:
            ConfigurationError: A response is being worked on; its results have to come first.
        """
        if self.open_round is not None:
            raise ConfigurationError(
                "messages", "cannot be added while calls are open: resume the conversation first"
            )
        return replace(self, messages=tuple(joined(self.messages, messages)))

    def without_open_round(self) -> Self:
        """Give the state as it was before the response that is being worked on.

        Its calls may have run: whoever drops it has to know that the model may ask for them again.
        """
        return replace(self, open_round=None)

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "schema_version": SCHEMA_VERSION,
            "provider": self.provider,
            "conversation_id": self.conversation_id,
            "messages": list(self.messages),
            "spent": asdict(self.spent),
            "open_round": self.open_round and asdict(self.open_round),
            "useless": self.useless,
            "told_late": list(self.told_late),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read the JSON form.

        Raises:
            ConfigurationError: It is none.
        """
        try:
            opened = data["open_round"]
            return cls(
                messages=tuple(data["messages"]),
                provider=data["provider"],
                conversation_id=data["conversation_id"],
                spent=Spent(**data["spent"]),
                open_round=None if opened is None else OpenRound(**opened),
                useless=data["useless"],
                told_late=tuple(data["told_late"]),
            )
        except (KeyError, TypeError) as error:
            raise ConfigurationError(
                "state", f"is no state of a conversation ({error}): give what was stored, whole"
            ) from error
