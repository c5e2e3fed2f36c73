"""`@fact_provider`: a function becomes what looks up a fact about calls before they are judged."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypedDict, Unpack, overload

from toolferry.errors import ConfigurationError
from toolferry.patience import check_patience

#: Seconds that looking up a fact may take when its provider says nothing.
DEFAULT_LOOK_UP: Final = 1.0

#: Takes the `Facts` of a call, gives the value or what is awaited for it.
LookUp: TypeAlias = Callable[[Any], Any]


class FactOptions(TypedDict, total=False):
    """What `@fact_provider` may be told."""

    #: By which word rules find it. Default: the function's name.
    name: str
    #: The tools whose calls it is looked up for. Default: all.
    tools: Collection[str] | None
    #: Seconds that it may take, 0.001 to 60. Default: 1.
    within: float


@dataclass(frozen=True, slots=True)
class FactProvider:
    """What looks up one fact about a call that its rules need, such as who owns the target.

    It is asked in the dispatcher, after the arguments were found to fit the schema, and again when
    a policy changes them. Rules find what it gave under `facts.known[name]`. When it raises, takes
    too long, or gives what is no JSON data, `None` or more than 4 KiB, the call is denied.

    Raises:
        ConfigurationError: The name is empty, the function is none, or the time out of its range.
    """

    name: str
    #: Takes the `Facts` of a call; sync or async.
    look_up: LookUp
    #: The tools whose calls it is looked up for; None: all.
    tools: Collection[str] | None = None
    #: Seconds that it may take, 0.001 to 60.
    within: float = DEFAULT_LOOK_UP

    def __post_init__(self) -> None:
        place = f"fact provider {self.name!r}"
        if not str(self.name).strip():
            raise ConfigurationError(place, "needs a name, by which rules find the fact")
        if not callable(self.look_up):
            raise ConfigurationError(place, f"look_up is {self.look_up!r:.40}, and no function")
        check_patience(place, self.within)
        if self.tools is not None:
            object.__setattr__(self, "tools", frozenset(self.tools))

    def concerns(self, tool: str) -> bool:
        """Whether it is looked up for calls of a tool."""
        return self.tools is None or tool in self.tools


@overload
def fact_provider(look_up: LookUp, /) -> FactProvider: ...


@overload
def fact_provider(
    look_up: None = None, /, **options: Unpack[FactOptions]
) -> Callable[[LookUp], FactProvider]: ...


@overload
def fact_provider(look_up: LookUp, /, **options: Unpack[FactOptions]) -> FactProvider: ...


def fact_provider(
    look_up: LookUp | None = None, /, **options: Unpack[FactOptions]
) -> FactProvider | Callable[[LookUp], FactProvider]:
    """Make a fact provider of a function, sync or async, that takes the `Facts` of a call.

    Raises:
        ConfigurationError: As with `FactProvider`.

    >>> @fact_provider(tools={"pay"}, within=0.5)
    ... def owner(facts):
    ...     return "ada"
    >>> owner.name, owner.concerns("pay"), owner.concerns("read")
    ('owner', True, False)
    """
    if look_up is None:
        return lambda function: _build(function, options)
    return _build(look_up, options)


def _build(look_up: LookUp, options: FactOptions) -> FactProvider:
    return FactProvider(
        options.get("name", str(getattr(look_up, "__name__", ""))),
        look_up,
        options.get("tools"),
        options.get("within", DEFAULT_LOOK_UP),
    )
