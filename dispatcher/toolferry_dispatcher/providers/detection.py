"""Telling the format of a response by what it holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.catalog import base_providers
from toolferry_dispatcher.providers.json_data import as_json
from toolferry_dispatcher.providers.protocol import Provider
from toolferry_dispatcher.providers.sse import chunks_in


def detect(response: object) -> Provider:
    """Tell whose format a response is in; dialects of one format are not told apart.

    Args:
        response: A whole response, or its chunks in a list: SDK objects, dicts, JSON text, or the
            text of server-sent events.

    Raises:
        ResponseMalformed: It fits no format or several ones, which are named, or it is no JSON.
    """
    providers = base_providers()
    for sample in _samples(response):
        fitting = [one for one in providers if one.recognises(sample)]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            names = " and ".join(one.name for one in fitting)
            raise ResponseMalformed("body", f"could be of {names}: name its provider")
    names = ", ".join(one.name for one in providers)
    raise ResponseMalformed("body", f"is in none of the known formats, {names}: name its provider")


def _samples(response: object) -> Iterable[Any]:
    """Give what the format may be told by: the whole, then the chunks in it, one by one."""
    if isinstance(response, str | bytes | bytearray):
        chunks = list(chunks_in(response))
        response = chunks[0] if len(chunks) == 1 else chunks
    data = as_json(response)
    yield data
    if isinstance(response, list | tuple):
        for chunk, plain in zip(response, data, strict=True):
            is_text = isinstance(chunk, str | bytes | bytearray)
            yield from chunks_in(chunk) if is_text else (plain,)
