"""The providers that a process knows, by name and by alias."""

from __future__ import annotations

from difflib import get_close_matches
from threading import Lock
from typing import Final

from toolferry import ConfigurationError
from toolferry_dispatcher.providers.dialect import Dialect
from toolferry_dispatcher.providers.protocol import Provider, has_dialects

#: What stands for a provider where its format is to be told by the response.
AUTO: Final = "auto"
_lock: Final = Lock()
_providers: Final[dict[str, Provider]] = {}
#: The names of those that read the format of another one.
_variants: Final[set[str]] = set()


def register_provider(provider: Provider, *aliases: str) -> None:
    """Make a provider known under its name, and under aliases that speak the same format.

    Raises:
        ConfigurationError: Another provider goes by one of the names.
    """
    names = (provider.name, *aliases)
    with _lock:
        for name in names:
            if name == AUTO or _providers.get(name, provider) is not provider:
                raise ConfigurationError("provider", f"{name!r} is taken by another provider")
        _providers.update(dict.fromkeys(names, provider))


def register_variant(provider: Provider) -> None:
    """Make a provider known that reads the format of another one: no response is told to be its.

    Raises:
        ConfigurationError: Another provider goes by its name.
    """
    register_provider(provider)
    with _lock:
        _variants.add(provider.name)


def alias(name: str, base: str = "openai-chat", dialect: Dialect | None = None) -> Provider:
    """Make a server known that speaks the format of another provider, with declared differences.

    Every process that dispatches, attaches or writes messages needs the same aliases.

    Args:
        name: What an application asks for it by; its turns are kept under this name.
        base: The provider, or the alias, whose format it speaks.
        dialect: In what it differs from the format; as the base does when None.

    Raises:
        ConfigurationError: The name is taken, or the base is not known or has no dialects.
    """
    spoken = provider(base)
    if not has_dialects(spoken):
        raise ConfigurationError("provider", f"{base!r} has no dialects: register it by that name")
    made = spoken.speaking(name, spoken.dialect if dialect is None else dialect)
    register_variant(made)
    return made


def forget_provider(name: str) -> None:
    """Take a name or an alias back; one that is not known is fine."""
    with _lock:
        _providers.pop(name, None)
        _variants.discard(name)


def provider(name: str) -> Provider:
    """Give the provider of that name or alias.

    Raises:
        ConfigurationError: There is none; the reason lists those there are, the nearest first.
    """
    with _lock:
        found = _providers.get(name)
        known = sorted(_providers)
    if found is not None:
        return found
    near = get_close_matches(str(name), known, n=3)
    meant = f", did you mean {' or '.join(near)}" if near else ""
    reason = f"{name!r} is not known{meant}; the known ones are {', '.join(known)}"
    raise ConfigurationError("provider", reason)


def base_providers() -> tuple[Provider, ...]:
    """Give the providers that have a format of their own, in the order of their names."""
    with _lock:
        own = {known for name, known in _providers.items() if name not in _variants}
    return tuple(sorted(own, key=lambda one: one.name))
