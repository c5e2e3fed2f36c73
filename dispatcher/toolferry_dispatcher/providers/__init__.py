"""The wire formats: how each model's API is read and answered. Pure: nothing is sent here."""

from __future__ import annotations

from toolferry_dispatcher.providers.aliases import ALIASES
from toolferry_dispatcher.providers.anthropic import Anthropic
from toolferry_dispatcher.providers.bedrock import BedrockConverse
from toolferry_dispatcher.providers.bedrock_blobs import for_boto3
from toolferry_dispatcher.providers.catalog import (
    AUTO,
    alias,
    base_providers,
    forget_provider,
    provider,
    register_provider,
    register_variant,
)
from toolferry_dispatcher.providers.cohere import Cohere
from toolferry_dispatcher.providers.detection import detect
from toolferry_dispatcher.providers.dialect import Dialect, StrictTools
from toolferry_dispatcher.providers.examples import ExamplePlace, example_place
from toolferry_dispatcher.providers.exporting import Export, ExportingProvider, export_tools
from toolferry_dispatcher.providers.free_text import free_form
from toolferry_dispatcher.providers.gemini import GEMINI_2, Gemini
from toolferry_dispatcher.providers.given import IdForm
from toolferry_dispatcher.providers.names import find_name
from toolferry_dispatcher.providers.openai_chat import OpenAIChat
from toolferry_dispatcher.providers.openai_responses import OpenAIResponses
from toolferry_dispatcher.providers.plain import Plain
from toolferry_dispatcher.providers.protocol import (
    Assembler,
    DialectProvider,
    Provider,
    StreamingProvider,
)
from toolferry_dispatcher.providers.schemas import Change, Loss, Strictness, strictness_of
from toolferry_dispatcher.providers.streams import assemble, is_stream
from toolferry_dispatcher.providers.told import Media, MediaKind, Told

__all__ = [
    "AUTO",
    "Anthropic",
    "Assembler",
    "BedrockConverse",
    "Change",
    "Cohere",
    "Dialect",
    "DialectProvider",
    "ExamplePlace",
    "Export",
    "ExportingProvider",
    "Gemini",
    "IdForm",
    "Loss",
    "Media",
    "MediaKind",
    "OpenAIChat",
    "OpenAIResponses",
    "Plain",
    "Provider",
    "StreamingProvider",
    "StrictTools",
    "Strictness",
    "Told",
    "alias",
    "assemble",
    "base_providers",
    "detect",
    "example_place",
    "export_tools",
    "find_name",
    "for_boto3",
    "forget_provider",
    "free_form",
    "is_stream",
    "provider",
    "register_provider",
    "strictness_of",
]

register_provider(OpenAIChat())
register_provider(OpenAIResponses())
register_provider(Anthropic())
register_provider(BedrockConverse())
register_provider(Gemini())
register_variant(Gemini("gemini-json-schema"))
register_variant(Gemini("gemini-2", GEMINI_2))
register_provider(Cohere())
register_provider(Plain())
for _name, _dialect in ALIASES.items():
    alias(_name, "openai-chat", _dialect)
