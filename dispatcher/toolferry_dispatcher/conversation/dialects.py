"""What a server's dialect says of the requests that a conversation makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolferry import ConfigurationError
from toolferry_dispatcher.conversation.functions import ModelFunction
from toolferry_dispatcher.providers import Dialect, Provider

#: How Chat Completions asks for one call at a time. Source: types/chat/completion_create_params.py
#: of the `openai` package 3.57.
_ONE_AT_A_TIME: Final[Mapping[str, Any]] = {"parallel_tool_calls": False}


def spoken(ask: ModelFunction, provider: Provider, request: Mapping[str, Any]) -> ModelFunction:
    """Give a model's function as its server's dialect has it.

    Args:
        ask: Makes the requests.
        provider: The server's format.
        request: What goes into every request besides.

    Raises:
        ConfigurationError: The request asks for a stream that the server does not give.
    """
    dialect: Dialect | None = getattr(provider, "dialect", None)
    if dialect is None:
        return ask
    if request.get("stream") and not dialect.streams:
        reason = f"{provider.name!r} streams no responses with calls: leave it out"
        raise ConfigurationError("request.stream", reason)
    return ask if dialect.parallel_calls else _one_at_a_time(ask)


def _one_at_a_time(ask: ModelFunction) -> ModelFunction:
    def ask_for_one(
        messages: list[dict[str, Any]], tools: list[dict[str, Any]], beside: Mapping[str, Any]
    ) -> Any:
        # Without tools the API refuses the field.
        return ask(messages, tools, {**beside, **_ONE_AT_A_TIME} if tools else beside)

    return ask_for_one
