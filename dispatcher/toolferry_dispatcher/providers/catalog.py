"""The providers that a process knows, by name and by alias."""

from __future__ import annotations

from threading import Lock
from typing import Final

from toolferry import ConfigurationError
from toolferry_dispatcher.providers.protocol import Provider

_lock: Final = Lock()
_providers: Final[dict[str, Provider]] = {}


def register_provider(provider: Provider, *aliases: str) -> None:
    """Make a provider known under its name, and under aliases that speak the same format.

    Raises:
        ConfigurationError: Another provider goes by one of the names.
    """
    names = (provider.name, *aliases)
    with _lock:
        for name in names:
            if _providers.get(name, provider) is not provider:
                raise ConfigurationError("provider", f"{name!r} is taken by another provider")
        _providers.update(dict.fromkeys(names, provider))


def forget_provider(name: str) -> None:
    """Take a name or an alias back; one that is not known is fine."""
    with _lock:
        _providers.pop(name, None)


def provider(name: str) -> Provider:
    """Give the provider of that name or alias.

    Raises:
        ConfigurationError: There is none; the reason lists those there are.
    """
    with _lock:
        found = _providers.get(name)
        known = ", ".join(sorted(_providers))
    if found is None:
        raise ConfigurationError("provider", f"{name!r} is not known; the known ones are {known}")
    return found
