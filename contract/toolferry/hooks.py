"""Interceptors and hooks: the functions of an application that are asked around every call.

    dispatcher   before → checks → pre_execute          worker   execute → handler → post_execute
    dispatcher   result → after

1. An interceptor's `before` is asked first of all, in the order of the interceptors; the first that
   does not permit refuses the call. Its `after` hears of the result, in the reverse order, and only
   where its `before` let the call in.
2. Hooks stand closer to the handler: `pre_execute` after the checks, which it can only tighten,
   `execute` around each attempt, `post_execute` once after the last one, `result` once at the end.
   So the hooks of a system are its innermost interceptor.
3. Each may be sync or async and has a limit. One that raises, takes too long, or answers with
   anything but a verdict refuses the call, or withholds its result when the handler has run.
   What merely hears of results can break nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from toolferry.errors import ConfigurationError
from toolferry.patience import check_patience

#: Seconds that a hook may take when nothing is said.
DEFAULT_HOOK: Final = 1.0

#: A function of an application. What it takes and gives is said where it is registered: the words
#: for it are those of the policies, which this room does not know.
Hook: TypeAlias = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Interceptor:
    """Two functions around every call that a dispatcher takes, whatever becomes of it.

    Raises:
        ConfigurationError: A function is none, or the time is out of its range.
    """

    name: str
    #: Takes the `Facts` of a call, gives `Permit` or `Deny`; sync or async.
    before: Hook | None = None
    #: Takes the same facts and the `ToolResult`; what it gives or raises changes nothing.
    after: Hook | None = None
    #: Seconds that each may take, 0.001 to 60.
    within: float = DEFAULT_HOOK

    def __post_init__(self) -> None:
        place = f"interceptor {self.name!r}"
        for name, function in (("before", self.before), ("after", self.after)):
            if function is not None and not callable(function):
                raise ConfigurationError(place, f"{name} is {function!r:.40}, and no function")
        check_patience(place, self.within)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """The hooks of one concern; all functions of one event are asked in their order.

    Raises:
        ConfigurationError: A function is none, or the time is out of its range.
    """

    #: Each takes the `Facts` of a call and gives a verdict: `Permit`, `Deny`, `RequireApproval` or
    #: `Modify`. Asked in the dispatcher, of calls that all checks let through.
    pre_execute: Sequence[Hook] = ()
    #: Each takes an `Underway` and gives a context manager, sync or async, which is entered before
    #: the handler and left after it, at each attempt.
    execute: Sequence[Hook] = ()
    #: Each takes an `Aftermath` and gives `Accept`, `Replace` or `Block`.
    post_execute: Sequence[Hook] = ()
    #: Each takes an `EndedCall`, once in each dispatcher that reads it; changes nothing.
    result: Sequence[Hook] = ()
    #: The tools whose calls they are asked about; None: all.
    tools: Collection[str] | None = None
    #: Seconds that each function may take, 0.001 to 60.
    within: float = DEFAULT_HOOK

    def __post_init__(self) -> None:
        for event in ("pre_execute", "execute", "post_execute", "result"):
            object.__setattr__(self, event, _functions(event, getattr(self, event)))
        if self.tools is not None:
            object.__setattr__(self, "tools", frozenset(self.tools))
        check_patience("hooks", self.within)

    def concerns(self, tool: str) -> bool:
        """Whether they are asked about calls of a tool."""
        return self.tools is None or tool in self.tools


def _functions(event: str, given: object) -> tuple[Hook, ...]:
    functions = tuple(given) if isinstance(given, Iterable) else (given,)
    for one in functions:
        if not callable(one):
            raise ConfigurationError(f"hooks {event}", f"holds {one!r:.40}, which is no function")
    return functions
