"""Models: whatever an application asks for a response, a function or the client of an SDK.

A client is known by its shape; none of the SDKs has to be there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from toolferry import ConfigurationError
from toolferry_dispatcher.conversation.dialects import spoken
from toolferry_dispatcher.conversation.functions import ModelFunction
from toolferry_dispatcher.conversation.requests import with_tools
from toolferry_dispatcher.providers import Provider, for_boto3


def model_function(model: object, provider: Provider, request: Mapping[str, Any]) -> ModelFunction:
    """Give the function that asks a model.

    Args:
        model: A function of messages and tools, or a client of `openai`, `anthropic`,
            `google-genai` (also its `aio`), `cohere`, or of `boto3` for Bedrock.
        provider: The format that it is spoken to in.
        request: What goes into every request of a client besides.

    Raises:
        ConfigurationError: It is neither, a client of another format, a function that was given a
            request, or asked for a stream that its server does not give.
    """
    if callable(model):
        if request:
            reason = "is for clients of SDKs: let the function put it into the request itself"
            raise ConfigurationError("request", reason)
        return _function(model, provider.name)
    base = getattr(provider, "base", provider.name)
    path, make = _CLIENTS.get(base, _CLIENTS["openai-chat"])
    method = _find(model, path)
    if method is not None:
        return spoken(make(method, request), provider, request)
    kind = type(model).__name__
    raise ConfigurationError(
        "model",
        "must be a function of messages and tools, or a client that speaks"
        f" {provider.name!r}; a {kind} is neither",
    )


def _function(model: Callable[..., Any], provider: str) -> ModelFunction:
    def ask(
        messages: list[dict[str, Any]], tools: list[dict[str, Any]], beside: Mapping[str, Any]
    ) -> Any:
        if beside:
            # Sent without it, the tools would be strict in name only.
            raise ConfigurationError(
                "strictness",
                f"of {provider!r} needs {dict(beside)} in the request, and a function gets"
                " messages and tools alone: give a client, or ask `Dispatcher.export` in it",
            )
        return model(messages, tools)

    return ask


def _find(model: object, path: str) -> Any:
    """Follow a path of attributes; None when one is missing."""
    found: Any = model
    for name in filter(None, path.split(".")):
        found = getattr(found, name, None)
    return found


def _chat(create: Callable[..., Any], request: Mapping[str, Any]) -> ModelFunction:
    return lambda messages, tools, beside: create(
        **with_tools(request, tools, beside), messages=messages
    )


def _responses(create: Callable[..., Any], request: Mapping[str, Any]) -> ModelFunction:
    return lambda messages, tools, beside: create(
        **with_tools(request, tools, beside), input=messages
    )


def _converse(client: Any, request: Mapping[str, Any]) -> ModelFunction:
    rest = {key: value for key, value in request.items() if key not in {"stream", "toolConfig"}}

    def ask(
        messages: list[dict[str, Any]], tools: list[dict[str, Any]], beside: Mapping[str, Any]
    ) -> Any:
        config = with_tools(request.get("toolConfig", {}), tools, beside)
        whole = {**rest, "messages": for_boto3(messages)} | (
            {"toolConfig": config} if config else {}
        )
        if request.get("stream"):
            return client.converse_stream(**whole)["stream"]
        return client.converse(**whole)

    return ask


def _cohere(client: Any, request: Mapping[str, Any]) -> ModelFunction:
    rest = {key: value for key, value in request.items() if key != "stream"}
    return _chat(client.chat_stream if request.get("stream") else client.chat, rest)


def _generate(models: Any, request: Mapping[str, Any]) -> ModelFunction:
    rest = {key: value for key, value in request.items() if key not in {"stream", "config"}}
    send = models.generate_content_stream if request.get("stream") else models.generate_content

    def ask(
        messages: list[dict[str, Any]], tools: list[dict[str, Any]], beside: Mapping[str, Any]
    ) -> Any:
        config = with_tools(request.get("config", {}), tools, beside)
        return send(**rest, contents=messages, config=config)

    return ask


#: For each format, what a client of it has, and how that is given a request. Formats that are not
#: here are nearly Chat Completions, and so are their clients.
_CLIENTS: Final[Mapping[str, tuple[str, Callable[[Any, Mapping[str, Any]], ModelFunction]]]] = {
    "openai-responses": ("responses.create", _responses),
    "openai-chat": ("chat.completions.create", _chat),
    "anthropic": ("messages.create", _chat),
    "gemini": ("models", _generate),
    "bedrock-converse": ("", _converse),
    "cohere-v2": ("", _cohere),
}
