"""Requests of MCP servers behind the Responses API for an approval, and what is answered to them.

Such a call runs on the provider's side, when somebody has approved of it: never here. Until then
the conversation stands still, and every request must bring the answers to all that is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from toolferry import CallError
from toolferry_dispatcher.providers.given import read_arguments
from toolferry_dispatcher.providers.json_data import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class McpApproval:
    """What a server asks for."""

    request_id: str
    #: The label by which the request named the server.
    server: str
    #: The server's name of the tool.
    tool: str
    #: Empty when there is a fault.
    arguments: Mapping[str, Any]
    #: Why the arguments cannot be read; nobody should approve of what cannot be read.
    fault: CallError | None = None

    def answer(self, *, approve: bool, reason: str = "") -> dict[str, Any]:
        """Give the item that goes behind the outputs of the turn.

        Args:
            approve: Whether the call may run.
            reason: Why, for the model; left out when empty.
        """
        answer = {
            "type": "mcp_approval_response",
            "approval_request_id": self.request_id,
            "approve": approve,
        }
        return {**answer, "reason": fold(reason)} if reason else answer


def open_approvals(items: Iterable[Mapping[str, Any]]) -> tuple[McpApproval, ...]:
    """Give what is asked for and has no answer yet, in order.

    Args:
        items: Of a turn, as its messages give them, or of a whole conversation.

    >>> asked = {"type": "mcp_approval_request", "id": "r1", "server_label": "files",
    ...          "name": "delete", "arguments": '{"path": "a"}'}
    >>> [approval] = open_approvals([asked])
    >>> approval.tool, approval.arguments
    ('delete', {'path': 'a'})
    >>> open_approvals([asked, approval.answer(approve=False)])
    ()
    """
    listed = list(items)
    answered = {
        _text(item.get("approval_request_id"))
        for item in listed
        if item.get("type") in {"mcp_approval_response", "mcp_call"}
    }
    asked = (item for item in listed if item.get("type") == "mcp_approval_request")
    return tuple(_approval(item) for item in asked if _text(item.get("id")) not in answered)


def _approval(item: Mapping[str, Any]) -> McpApproval:
    arguments, fault = read_arguments(item.get("arguments"))
    return McpApproval(
        request_id=_text(item.get("id")),
        server=_text(item.get("server_label")),
        tool=_text(item.get("name")),
        arguments=arguments,
        fault=fault,
    )


def _text(value: object) -> str:
    return fold(value) if isinstance(value, str) else ""
