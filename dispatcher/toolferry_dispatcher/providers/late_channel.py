"""Providers that have a place of their own for results that come late."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from toolferry_dispatcher.providers.told import Told


@runtime_checkable
class LateChannel(Protocol):
    """A provider that leaves calls open which still run, and takes their results later.

    Its `results` give no answer to a call that is `is_running` and that may stay open.
    """

    def late_output(self, message: Mapping[str, Any], told: Told) -> dict[str, Any] | None:
        """Give the message that answers a call that `results` left open.

        Args:
            message: The `message` of the reply that the call is in.
            told: How the call ended.

        Returns:
            None when the call was answered, so that its result has to be told in words.
        """
