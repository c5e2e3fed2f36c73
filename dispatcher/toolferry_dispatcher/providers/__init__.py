"""The wire formats: how each model's API is read and answered. Pure: nothing is sent here."""

from __future__ import annotations

from toolferry_dispatcher.providers.catalog import forget_provider, provider, register_provider
from toolferry_dispatcher.providers.dialect import Dialect, StrictTools
from toolferry_dispatcher.providers.examples import ExamplePlace, example_place
from toolferry_dispatcher.providers.names import find_name
from toolferry_dispatcher.providers.openai_chat import OpenAIChat
from toolferry_dispatcher.providers.plain import Plain
from toolferry_dispatcher.providers.protocol import Assembler, Provider, StreamingProvider
from toolferry_dispatcher.providers.told import Media, MediaKind, Told

__all__ = [
    "Assembler",
    "Dialect",
    "ExamplePlace",
    "Media",
    "MediaKind",
    "OpenAIChat",
    "Plain",
    "Provider",
    "StreamingProvider",
    "StrictTools",
    "Told",
    "example_place",
    "find_name",
    "forget_provider",
    "provider",
    "register_provider",
]

register_provider(OpenAIChat())
register_provider(Plain())
