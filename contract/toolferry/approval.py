"""Approval: who may decide about the calls of a tool, how many of them, and in which time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolferry.errors import ToolInvalid
from toolferry.limits import MAX_SECONDS

#: People who have to approve a call, at the most.
MAX_NEEDED: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """The terms on which people decide about a call that waits for them.

    Raises:
        ValueError: `needed` is no whole number from 1 to 20, `within` no time up to a week, or
            `roles` one text instead of several names.
    """

    #: Of which roles a person must have one to decide. Empty: anybody may.
    roles: frozenset[str] = frozenset()
    #: How many different people have to approve, 1 to 20; one is enough to deny.
    needed: int = 1
    #: Whether people may approve a call that was made on their own behalf.
    own: bool = False
    #: Seconds in which it has to be decided, else it is denied. None: until the call's deadline.
    within: float | None = None

    def __post_init__(self) -> None:
        roles: object = self.roles
        if isinstance(roles, str) or not all(isinstance(role, str) for role in self.roles):
            sentence = f"approval: roles is {self.roles!r}: it must be a set of names"
            raise ValueError(sentence)
        object.__setattr__(self, "roles", frozenset(self.roles))
        if type(self.needed) is not int or not 1 <= self.needed <= MAX_NEEDED:
            raise ValueError(
                f"approval: needed is {self.needed!r}: it must be a whole number, 1 to {MAX_NEEDED}"
            )
        within: object = self.within
        is_time = isinstance(within, int | float) and not isinstance(within, bool)
        if within is not None and not (is_time and 0 < self.seconds <= MAX_SECONDS):
            raise ValueError(
                f"approval: within is {within!r}: it must be seconds, above 0 to {MAX_SECONDS:g}"
            )

    @property
    def seconds(self) -> float:
        """Seconds in which it has to be decided; a week, the longest deadline, if that is all."""
        return MAX_SECONDS if self.within is None else self.within

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "roles": sorted(self.roles),
            "needed": self.needed,
            "own": self.own,
            "within": self.within,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Approval:
        """Read the JSON form of this release or of a newer one with more keys.

        Raises:
            ValueError, TypeError: A value is out of its range.
        """
        roles: Iterable[str] = data.get("roles", ())
        return cls(
            roles=frozenset(roles),
            needed=data.get("needed", 1),
            own=bool(data.get("own", False)),
            within=data.get("within"),
        )


def check_approval(tool: str, approval: object) -> None:
    """Require terms.

    Raises:
        ToolInvalid: It is something else.
    """
    if not isinstance(approval, Approval):
        raise ToolInvalid(tool, f"approval is {approval!r:.40}: it must be an Approval")


#: Anybody may decide, one person is enough, and the time is the call's own.
ANYBODY: Final = Approval()
