"""The extensions of a system: what an application adds to the pipeline of every call."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from toolferry.errors import ConfigurationError
from toolferry.fact_provider import FactProvider
from toolferry.hooks import Hooks, Interceptor

#: What can be found in a module of tools, beside tools and lifespans.
Extension: TypeAlias = FactProvider | Interceptor | Hooks


@dataclass(frozen=True, slots=True, kw_only=True)
class Extensions:
    """Fact providers, interceptors and hooks, each in the order in which they are asked.

    Raises:
        ConfigurationError: Two providers look up a fact of the same name.
    """

    facts: Sequence[FactProvider] = ()
    interceptors: Sequence[Interceptor] = ()
    hooks: Sequence[Hooks] = ()

    def __post_init__(self) -> None:
        for kind in ("facts", "interceptors", "hooks"):
            object.__setattr__(self, kind, tuple(getattr(self, kind)))
        names: set[str] = set()
        for one in self.facts:
            if one.name in names:
                raise ConfigurationError(f"fact {one.name}", "has two providers: rename one")
            names.add(one.name)

    @classmethod
    def of(cls, found: Iterable[object]) -> Extensions:
        """Pick the extensions out of what a module holds.

        Raises:
            ConfigurationError: As above.
        """
        members = list(found)
        return cls(
            facts=tuple(one for one in members if isinstance(one, FactProvider)),
            interceptors=tuple(one for one in members if isinstance(one, Interceptor)),
            hooks=tuple(one for one in members if isinstance(one, Hooks)),
        )

    def __bool__(self) -> bool:
        return bool(self.facts or self.interceptors or self.hooks)

    def __add__(self, other: Extensions) -> Extensions:
        """Give both; what is in both stays once.

        Raises:
            ConfigurationError: As above.
        """
        both = (
            *self.facts, *self.interceptors, *self.hooks,
            *other.facts, *other.interceptors, *other.hooks,
        )  # fmt: skip
        return Extensions.of({id(one): one for one in both}.values())


def warn_of_others(module: str, taken: Extensions, found: Iterable[object]) -> None:
    """Warn of what a module holds beside a registry that does not have it.

    Args:
        module: Its name.
        taken: What its registry has.
        found: What stands at its top level.
    """
    known = {id(one) for one in (*taken.facts, *taken.interceptors, *taken.hooks)}
    others = [type(one).__name__ for one in found if _is_extension(one) and id(one) not in known]
    if others:
        warnings.warn(
            f"tools module {module}: {' and '.join(sorted(set(others)))} at its top level are asked"
            " about nothing: give them to its registry, with registry.extend(...)",
            stacklevel=3,
        )


def _is_extension(one: object) -> bool:
    return isinstance(one, FactProvider | Interceptor | Hooks)


#: Nothing is added; costs nothing.
NO_EXTENSIONS: Final = Extensions()
