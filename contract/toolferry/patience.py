"""How long what an application brings along may take before its silence counts as a refusal."""

from __future__ import annotations

from typing import Final

from toolferry.errors import ConfigurationError

#: Seconds that anything may ask for at the least and at the most.
LEAST_PATIENCE: Final = 0.001
MOST_PATIENCE: Final = 60.0


def check_patience(place: str, within: object) -> None:
    """Require a number of seconds in the range.

    Args:
        place: What it belongs to, for the error.
        within: The number.

    Raises:
        ConfigurationError: It is none, or out of the range.
    """
    is_number = isinstance(within, int | float) and not isinstance(within, bool)
    if not is_number or not LEAST_PATIENCE <= within <= MOST_PATIENCE:  # type: ignore[operator]  # a number by now
        raise ConfigurationError(
            place,
            f"within is {within!r:.40}: it must be seconds from {LEAST_PATIENCE} to"
            f" {MOST_PATIENCE:.0f}",
        )
