"""Responses of Gemini, written by hand."""

from __future__ import annotations

from typing import Any


def response(*parts: object, reason: str | None = "STOP") -> dict[str, Any]:
    """A response with one candidate."""
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    if reason:
        candidate["finishReason"] = reason
    return {"candidates": [candidate], "responseId": "r1"}


def call(name: str = "now", **fields: Any) -> dict[str, Any]:
    """A part that is a call."""
    return {"functionCall": {"name": name, **fields}}
