"""The real clients of the SDKs, talking to the scripted server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Client:
    """How one provider is spoken to.

    Args:
        format: The format of its messages.
        make: Makes a client for the address of a server; its SDK is imported only then.
        request: What each request holds beside messages and tools.
        question: Writes what a person asks.
    """

    format: str
    make: Callable[[str], Any]
    request: Mapping[str, Any]
    question: Callable[[str], dict[str, Any]]


def _openai(path: str) -> Callable[[str], Any]:
    def make(url: str) -> Any:
        import openai  # noqa: PLC0415 -- only whoever asks for it needs to have it

        return openai.OpenAI(api_key="none", base_url=f"{url}/{path}", max_retries=0)

    return make


def _anthropic(url: str) -> Any:
    import anthropic  # noqa: PLC0415 -- as above

    return anthropic.Anthropic(api_key="none", base_url=url, max_retries=0)


def _genai(url: str) -> Any:
    from google import genai  # noqa: PLC0415 -- as above

    return genai.Client(api_key="none", http_options={"base_url": url})


def _said(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def _of_parts(text: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"text": text}]}


CLIENTS: Final = {
    "openai": Client("openai-chat", _openai("v1"), {"model": "scripted"}, _said),
    "deepseek": Client("deepseek", _openai("deepseek"), {"model": "scripted"}, _said),
    "anthropic": Client("anthropic", _anthropic, {"model": "scripted", "max_tokens": 1000}, _said),
    "gemini": Client("gemini", _genai, {"model": "scripted"}, _of_parts),
}
