"""The seam between Toolferry and a model's API: one provider a wire format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Self, TypeGuard

from toolferry import Tool
from toolferry_dispatcher.providers.dialect import Dialect
from toolferry_dispatcher.providers.examples import ExamplePlace
from toolferry_dispatcher.providers.told import Told
from toolferry_dispatcher.reply import Reply


class Assembler(Protocol):
    """Puts one streamed response together, chunk by chunk, into what `read` takes."""

    def add(self, chunk: object) -> None:
        """Take the next chunk: an SDK's object, a dict, JSON text, or a line of server-sent events.

        Blank lines, comments, event names and `[DONE]` are passed over.

        Raises:
            ResponseMalformed: It is no chunk of this format; names the field.
        """

    def body(self) -> dict[str, Any]:
        """Give the response so far in the form of a whole one.

        One whose end has not come has no finish reason that says that it is whole.
        """


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
        no other one has, and that what is wrong with one call leaves its siblings alone. Of a
        response with several answers to choose from it is the first that is read.

        Raises:
            ResponseMalformed: The response as a whole cannot be read; names the field.
        """

    def recognises(self, body: Any) -> bool:
        """Tell whether JSON data looks like a whole response of this format, or a chunk of one."""

    def results(self, message: Mapping[str, Any], told: Sequence[Told]) -> list[dict[str, Any]]:
        """Give the messages that follow the conversation: the model's own, then the results.

        Args:
            message: The `message` of the reply; left out of the messages where it is empty.
            told: What the model is told of each call of the reply, in its order.
        """

    def late(self, text: str) -> dict[str, Any]:
        """Give a message that tells a model, behind its conversation, of a call that ended late.

        Args:
            text: What the model is told; names the call.
        """


class StreamingProvider(Provider, Protocol):
    """A provider whose responses also come in chunks."""

    def assembler(self) -> Assembler:
        """Give what puts one streamed response together."""


class DialectProvider(Provider, Protocol):
    """A provider whose format other servers speak with differences."""

    @property
    def dialect(self) -> Dialect:
        """In what its server differs from the API whose format it is."""

    def speaking(self, name: str, dialect: Dialect) -> Self:
        """Give the same format under another name, as another server speaks it."""


def has_stream(provider: Provider) -> TypeGuard[StreamingProvider]:
    """Tell whether a provider's responses also come in chunks."""
    return hasattr(provider, "assembler")


def has_dialects(provider: Provider) -> TypeGuard[DialectProvider]:
    """Tell whether other servers can be declared to speak a provider's format."""
    return hasattr(provider, "speaking")
