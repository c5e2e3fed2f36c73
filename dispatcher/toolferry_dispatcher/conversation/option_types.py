"""Options of a wrong type: found when a conversation is set up, not when it is led."""

from __future__ import annotations

from collections.abc import Mapping

from toolferry import ConfigurationError


def require_types(given: object, types: Mapping[str, tuple[type, ...]]) -> None:
    """Require what options hold to be of a type that they take.

    Args:
        given: Has the options as attributes.
        types: The types that each takes, the one that is told first.

    Raises:
        ConfigurationError: One is of another type; names both.
    """
    for name, allowed in types.items():
        value = getattr(given, name)
        if not isinstance(value, allowed):
            wanted = f"{_article(allowed[0].__name__)} {allowed[0].__name__}"
            also = ", or None" if type(None) in allowed else ""
            raise ConfigurationError(name, f"must be {wanted}{also}, not {value!r:.80}")


def require_callables(given: object, names: tuple[str, ...]) -> None:
    """Require options to be functions.

    Raises:
        ConfigurationError: One cannot be called; names it.
    """
    for name in names:
        value = getattr(given, name)
        if not callable(value):
            raise ConfigurationError(name, f"must be a function, not {value!r:.80}")


def _article(word: str) -> str:
    return "an" if word[0] in "AEIOU" else "a"
