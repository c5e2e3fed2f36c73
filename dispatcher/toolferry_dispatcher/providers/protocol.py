"""The seam between Toolferry and a model's API: one provider a wire format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from toolferry import Tool
from toolferry_dispatcher.providers.examples import ExamplePlace
from toolferry_dispatcher.reply import Reply


class Provider(Protocol):
    """How one API is spoken to. Pure: it sends nothing and remembers nothing."""

    @property
    def name(self) -> str:
        """What an application asks for it by, such as `openai-chat`."""

    def wire_name(self, name: str) -> str:
        """Give the name by which a tool goes on this wire; depends on the name alone."""

    def tools(
        self, tools: Sequence[Tool], examples: ExamplePlace = ExamplePlace.NATIVE
    ) -> list[dict[str, Any]]:
        """Give what goes under `tools` into a request.

        Args:
            tools: What the model may call.
            examples: Where their examples go.

        Raises:
            ToolInvalid: Two of the tools would go by one name on the wire.
        """

    def read(self, response: object) -> Reply:
        """Read a model's response; the same response is read alike every time.

        Guarantees that every call in the response is in the reply, in order and under an id that
        no other one has, and that what is wrong with one call leaves its siblings alone.

        Raises:
            ResponseMalformed: The response as a whole cannot be read; names the field.
        """

    def results(
        self, message: Mapping[str, Any], outcomes: Sequence[tuple[str, str]]
    ) -> list[dict[str, Any]]:
        """Give the messages that follow the conversation: the model's own, then the results.

        Args:
            message: The `message` of the reply; left out of the messages where it is empty.
            outcomes: For every call of the reply, in its order: its id, and the text for the
                model.
        """

    def late(self, text: str) -> dict[str, Any]:
        """Give a message that tells a model, behind its conversation, of a call that ended late.

        Args:
            text: What the model is told; names the call.
        """
