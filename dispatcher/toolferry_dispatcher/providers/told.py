"""What a model is told of one call, before it is written in a provider's format."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum

from toolferry.record import record


class MediaKind(StrEnum):
    """What a model may be shown besides text."""

    IMAGE = "image"
    AUDIO = "audio"
    VIDEO = "video"
    #: A document, such as a PDF.
    FILE = "file"


@record(frozen=True, slots=True)
class Media:
    """A picture, a sound or a file that goes to the model beside the text of a result."""

    #: Such as `image/png`.
    media_type: str
    #: The bytes in base64, with padding, without blanks.
    data: str
    #: What the file is called; empty when it has no name.
    name: str = ""
    #: The number by which the text of its result speaks of it, from 1.
    number: int = 1


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
    #: Whether it only says that the call still runs.
    is_running: bool = False
    #: The code of its error; empty when it has none.
    code: str = ""


def kind_of_media(medium: Media) -> MediaKind:
    """Say what a medium is, by its type.

    >>> kind_of_media(Media("image/png", "AAAA")), kind_of_media(Media("text/csv", "AAAA"))
    (<MediaKind.IMAGE: 'image'>, <MediaKind.FILE: 'file'>)
    """
    family = medium.media_type.partition("/")[0]
    return MediaKind(family) if family in {"image", "audio", "video"} else MediaKind.FILE


def words_of(medium: Media) -> str:
    """Give the text of a file that is one; empty when it is none.

    >>> words_of(Media("text/csv", "YSxi")), words_of(Media("image/png", "AAAA"))
    ('a,b', '')
    """
    if not medium.media_type.startswith("text/"):
        return ""
    try:
        return base64.b64decode(medium.data).decode()
    except ValueError:
        return ""


def without_media(one: Told, is_left_out: Callable[[Media], bool]) -> Told:
    r"""Leave out the media that a provider cannot take, and say so in the text.

    Args:
        one: What the model is told of a call.
        is_left_out: Tells of a medium whether it cannot be taken.

    >>> without_media(Told("c", "draw", "Done.", media=(Media("image/png", "AAAA"),)),
    ...               lambda medium: True).text
    'Done.\n[medium 1 (image/png) cannot be shown to you here]'
    """
    left_out = [medium for medium in one.media if is_left_out(medium)]
    if not left_out:
        return one
    lines = [
        f"[medium {medium.number} ({medium.media_type}) cannot be shown to you here]"
        for medium in left_out
    ]
    kept = tuple(medium for medium in one.media if medium not in left_out)
    return replace(one, text="\n".join((one.text, *lines)), media=kept)
