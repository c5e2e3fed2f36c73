"""The messages of a turn for the next request, in the format of its provider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolferry import ResultFormat, ToolResult, render, render_running
from toolferry_dispatcher.media import may_hold_media, take_media
from toolferry_dispatcher.meta import CallMeta, TurnMeta
from toolferry_dispatcher.providers import Media, Told
from toolferry_dispatcher.providers import provider as provider_named
from toolferry_dispatcher.providers.late_channel import LateChannel


def messages_of(meta: TurnMeta, results: list[ToolResult]) -> list[dict[str, Any]]:
    """Write a turn for the next request: the assistant message, then exactly one result a call."""
    return write_told(meta, [told_of(*pair) for pair in zip(meta.calls, results, strict=True)])


def told_of(call: CallMeta, result: ToolResult) -> Told:
    """Tell a model how a call of its turn ended."""
    form = ResultFormat(call.format)
    text = render(result, form)
    media: tuple[Media, ...] = ()
    if may_hold_media(text) and not result.is_error:
        content, media = take_media(result.content)
        text = render(replace(result, content=content), form)
    code = result.error.code if result.error else ""
    return Told(call.call_id, call.name, text, result.is_error, media, code=code)


def told_running(call: CallMeta, answer: Mapping[str, Any]) -> Told:
    """Tell a model of a call that still runs."""
    text = render_running(answer, ResultFormat(call.format))
    return Told(call.call_id, call.name, text, is_running=True)


def write_told(meta: TurnMeta, told: Sequence[Told]) -> list[dict[str, Any]]:
    """Write what a model is told in the format of its provider, behind its own message."""
    return provider_named(meta.provider).results(meta.message, told)


def late_output(meta: TurnMeta, call: CallMeta, result: ToolResult) -> dict[str, Any] | None:
    """Write the late result of a call that its provider left open; None where it left none."""
    provider = provider_named(meta.provider)
    if not isinstance(provider, LateChannel):
        return None
    return provider.late_output(meta.message, told_of(call, result))
