"""What a conversation takes for a model: a function of what goes into one request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

#: Gets the messages, the tools, and what those need beside them in a request; gives a response.
ModelFunction = Callable[[list[dict[str, Any]], list[dict[str, Any]], Mapping[str, Any]], Any]
