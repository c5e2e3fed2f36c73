"""The scripted server for tests, and the real clients of the SDKs that talk to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import anthropic
import cohere
import openai
from botocore.config import Config  # type: ignore[import-untyped]  # it has no types
from botocore.session import get_session  # type: ignore[import-untyped]  # as above
from google import genai

from examples.scripted.server import ScriptedServer, serving
from examples.scripted.turns import ScriptedCall, ScriptedTurn, calls

__all__ = ["CLIENTS", "ScriptedCall", "ScriptedServer", "ScriptedTurn", "Sdk", "calls", "serving"]


@dataclass(frozen=True)
class Sdk:
    """The clients of one format.

    Args:
        provider: The format.
        client: Makes a client of a server's address.
        aclient: Makes one for event loops, where the SDK has one.
        request: What its requests hold beside messages and tools.
    """

    provider: str
    client: Callable[[str], Any]
    aclient: Callable[[str], Any]
    request: Mapping[str, Any]

    def question(self, text: str) -> list[dict[str, Any]]:
        """Give what a person asks, as a message of the format."""
        if self.provider == "gemini":
            return [{"role": "user", "parts": [{"text": text}]}]
        if self.provider == "bedrock-converse":
            return [{"role": "user", "content": [{"text": text}]}]
        return [{"role": "user", "content": text}]


def _openai(url: str) -> Any:
    return openai.OpenAI(api_key="none", base_url=f"{url}/v1", max_retries=0)


def _async_openai(url: str) -> Any:
    return openai.AsyncOpenAI(api_key="none", base_url=f"{url}/v1", max_retries=0)


def _genai(url: str) -> Any:
    return genai.Client(api_key="none", http_options={"base_url": url})


def _bedrock(url: str) -> Any:
    """Give what `boto3.client` gives."""
    client = get_session().create_client(
        "bedrock-runtime",
        region_name="eu-west-1",
        endpoint_url=url,
        aws_access_key_id="none",
        aws_secret_access_key="none",  # noqa: S106 -- nobody looks at it
        config=Config(retries={"total_max_attempts": 1}, proxies={}),
    )
    return closing(client)


def _cohere(url: str) -> Any:
    return cohere.ClientV2(api_key="none", base_url=url)


def _async_cohere(url: str) -> Any:
    return cohere.AsyncClientV2(api_key="none", base_url=url)


CLIENTS = {
    "openai-chat": Sdk("openai-chat", _openai, _async_openai, {"model": "scripted"}),
    "openai-responses": Sdk(
        "openai-responses", _openai, _async_openai, {"model": "scripted", "store": False}
    ),
    "anthropic": Sdk(
        "anthropic",
        lambda url: anthropic.Anthropic(api_key="none", base_url=url, max_retries=0),
        lambda url: anthropic.AsyncAnthropic(api_key="none", base_url=url, max_retries=0),
        {"model": "scripted", "max_tokens": 1000},
    ),
    "gemini": Sdk("gemini", _genai, _genai, {"model": "scripted"}),
    "bedrock-converse": Sdk("bedrock-converse", _bedrock, _bedrock, {"modelId": "scripted"}),
    "cohere-v2": Sdk("cohere-v2", _cohere, _async_cohere, {"model": "scripted"}),
}
