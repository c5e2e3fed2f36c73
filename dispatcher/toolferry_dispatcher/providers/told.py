"""What a model is told of one call, before it is written in a provider's format."""

from __future__ import annotations

from toolferry.record import record


@record(frozen=True, slots=True)
class Media:
    """A picture, a sound or a file that goes to the model beside the text of a result."""

    #: Such as `image/png`.
    media_type: str
    #: The bytes in base64, with padding, without blanks.
    data: str
    #: What the file is called; empty when it has no name.
    name: str = ""


@record(frozen=True, slots=True)
class Told:
    """The answer to one call of a reply."""

    #: The id that the reply gave the call.
    call_id: str
    #: The name that the model wrote.
    name: str
    #: For the model; never empty.
    text: str
    #: Whether the call failed, for providers that want to know beside the text.
    is_error: bool = False
    #: What goes along with the text; a provider that cannot take it says so in the text instead.
    media: tuple[Media, ...] = ()
