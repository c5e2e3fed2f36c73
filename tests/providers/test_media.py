"""Media of results: out of the text, behind the results, or told in words."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from openai.types.chat import ChatCompletionUserMessageParam
from pydantic import TypeAdapter

from tests.providers.wire_types import require_messages
from toolferry import CallError, Effect, ErrorCode, Outcome, ResultFormat, ToolResult
from toolferry.convert import to_json_data
from toolferry_dispatcher.media import take_media
from toolferry_dispatcher.messages import told_of
from toolferry_dispatcher.meta import CallMeta
from toolferry_dispatcher.providers import Dialect, Media, MediaKind, OpenAIChat, Told
from toolferry_ledger import Pool

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
PICTURE = Media("image/png", base64.b64encode(PNG).decode())
USER: TypeAdapter[Any] = TypeAdapter(ChatCompletionUserMessageParam)


def as_data(value: object) -> Any:
    """What a handler's return value becomes."""
    return to_json_data("draw", value)


def told(content: object, form: ResultFormat = ResultFormat.ENVELOPE) -> Told:
    """What a model is told of a call with this content."""
    meta = CallMeta("c", "draw", form, Pool.of(None), 1.0)
    result = ToolResult(
        call_id="c", name="draw", outcome=Outcome.SUCCEEDED, effect=Effect.NONE, content=content
    )
    return told_of(meta, result)


@pytest.mark.parametrize(
    ("start", "media_type"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"),
        (b"RIFF\x00\x00\x00\x00WAVEfmt ", "audio/wav"),
        (b"%PDF-1.7", "application/pdf"),
    ],
)
def test_bytes_that_a_handler_returned_are_known_by_their_beginning(
    start: bytes, media_type: str
) -> None:
    """A handler need not say what it returns."""
    content, media = take_media(as_data({"chart": start}))

    assert content == {"chart": f"[medium 1: {media_type}, {len(start)} bytes]"}
    assert [(one.media_type, base64.b64decode(one.data)) for one in media] == [(media_type, start)]


def test_a_type_that_a_handler_says_is_believed() -> None:
    """With a name, and in lower case."""
    data = {"type": "base64", "media_type": "Text/CSV", "data": "YSxi", "name": "a.csv"}

    content, media = take_media([data, data])

    assert media == (Media("text/csv", "YSxi", "a.csv", 1), Media("text/csv", "YSxi", "a.csv", 2))
    assert content[1] == "[medium 2 'a.csv': text/csv, 3 bytes]"


@pytest.mark.parametrize(
    "content",
    [
        b"any bytes",
        {"type": "base64"},
        {"type": "base64", "media_type": "image/png", "data": "no base64!"},
        {"type": "base64", "media_type": "image/png", "data": ""},
        {"type": "base64", "media_type": 7, "data": "AAAA"},
        "the word base64",
    ],
)
def test_what_is_no_medium_stays_where_it_is(content: object) -> None:
    """Bytes of no known kind too: a model can still read short ones."""
    data = as_data(content)

    assert take_media(data) == (data, ())


@pytest.mark.parametrize("form", list(ResultFormat))
def test_a_medium_is_not_in_the_text_of_its_result(form: ResultFormat) -> None:
    """In base64 it would cost thousands of tokens and say nothing."""
    one = told(as_data({"chart": PNG}), form)

    assert one.media == (PICTURE,)
    assert "[medium 1: image/png, 28 bytes]" in one.text
    assert PICTURE.data not in one.text


def test_an_error_has_no_media() -> None:
    """Its text is told as it is."""
    error = CallError.of(ErrorCode.EXECUTION_FAILED, 'No "base64" today.')
    failed = ToolResult(
        call_id="c", name="draw", outcome=Outcome.FAILED, effect=Effect.NONE, error=error
    )

    one = told_of(CallMeta("c", "draw", "text", Pool.of(None), 1.0), failed)

    assert one.is_error
    assert one.media == ()


def test_pictures_stand_in_one_message_behind_all_results() -> None:
    """Nothing may stand between the results; each picture says of which call it is."""
    results = [
        Told("a", "draw", "Done.", media=(PICTURE,)),
        Told("b", "add", "3"),
        Told("c", "draw", "Done.", media=(PICTURE,)),
    ]

    *answers, shown = OpenAIChat().results({}, results)

    require_messages([{"role": "assistant"}, *answers])
    USER.validate_python(shown)
    assert [one["role"] for one in answers] == ["tool"] * 3
    assert [part.get("text") or part["image_url"]["url"][:22] for part in shown["content"]] == [
        "[What the tool results above show, not written by the user]",
        "Medium 1 of call a:",
        "data:image/png;base64,",
        "Medium 1 of call c:",
        "data:image/png;base64,",
    ]


@pytest.mark.parametrize(
    ("medium", "part"),
    [
        (
            Media("application/pdf", "AAAA", "a.pdf"),
            {
                "type": "file",
                "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,AAAA"},
            },
        ),
        (Media("text/csv", "YSxi", "a.csv"), {"type": "text", "text": "a,b"}),
        (
            Media("audio/mpeg", "AAAA"),
            {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "mp3"}},
        ),
    ],
)
def test_sound_and_documents_have_parts_of_their_own(medium: Media, part: dict[str, Any]) -> None:
    """As the API has them, for a server that is declared to take them."""
    chat = OpenAIChat("all", Dialect(media=frozenset(MediaKind)))

    shown = chat.results({}, [Told("a", "draw", "Done.", media=(medium,))])[-1]

    for one in shown["content"]:
        TypeAdapter(dict[str, Any]).validate_python(one)
    USER.validate_python(shown)
    assert shown["content"][-1] == part


@pytest.mark.parametrize(
    "media_type",
    ["audio/ogg", "video/mp4", "image/svg+xml", "image/tiff", "application/zip", "text/csv", ""],
)
def test_what_the_api_cannot_show_is_told_in_words(media_type: str) -> None:
    """The model knows what it does not see."""
    chat = OpenAIChat("some", Dialect(media=frozenset(MediaKind) - {MediaKind.VIDEO}))

    [result] = chat.results({}, [Told("a", "film", "Done.", media=(Media(media_type, "/w=="),))])

    assert result["content"] == f"Done.\n[medium 1 ({media_type}) cannot be shown to you here]"


def test_what_is_shown_is_the_same_for_text_alone() -> None:
    """Results without media are followed by nothing."""
    assert len(OpenAIChat().results({}, [Told("a", "add", "3")])) == 1
