"""The facts: all that a policy may know of a call before it runs."""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache

from toolferry import Context, Tool, ToolCall
from toolferry.findings import Findings
from toolferry.record import record
from toolferry_policies.known import NOTHING_KNOWN, Known


@record(frozen=True, slots=True, kw_only=True)
class Facts:
    """One call, the tool that it names, and who asks."""

    call: ToolCall
    #: The registered tool of the call's name; None when there is none.
    tool: Tool | None
    #: The names of all registered tools.
    registered: frozenset[str]
    #: The names that were shown to the model in this turn; None when all were.
    visible: frozenset[str] | None = None
    context: Context
    #: What fact providers have looked up, as JSON data, by their names.
    known: Known = NOTHING_KNOWN
    #: What is wrong with the arguments as they came, if that was looked for; `arguments_fit` asks.
    findings: Findings | None = field(default=None, compare=False, repr=False)

    @property
    def offered(self) -> tuple[str, ...]:
        """The names that the model may use in this turn, sorted."""
        return _in_order(self.registered, self.visible)


@lru_cache(maxsize=64)
def _in_order(registered: frozenset[str], visible: frozenset[str] | None) -> tuple[str, ...]:
    # The same for every call of a response, and of most others.
    return tuple(sorted(registered if visible is None else registered & visible))
