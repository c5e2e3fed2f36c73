"""The verdict: what a policy says of a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from toolferry import CallError, ErrorCode, Fault


@dataclass(frozen=True, slots=True)
class Permit:
    """Nothing stands against the call."""


@dataclass(frozen=True, slots=True)
class Deny:
    """The call must not run, and why."""

    code: ErrorCode
    #: One sentence to the model; holds no secret.
    message: str
    #: One sentence to the model: what to do now; the code's default when None.
    suggestion: str | None = None
    #: What is wrong with the arguments, every fault; empty for other reasons.
    faults: tuple[Fault, ...] = ()
    #: What only the log may know, such as the error of a broken check; never shown to a model.
    detail: str = ""

    def error(self) -> CallError:
        """Give the error that the model reads."""
        return CallError.of(self.code, self.message, suggestion=self.suggestion, faults=self.faults)


@dataclass(frozen=True, slots=True)
class RequireApproval:
    """The call may run once a person has said so, and why one has to.

    Raises:
        ValueError: The reason is empty.
    """

    #: One sentence for people; holds no secret.
    reason: str

    def __post_init__(self) -> None:
        # What follows takes an empty reason for none.
        if not self.reason:
            raise ValueError("an approval needs a reason")


@dataclass(frozen=True, slots=True)
class Modify:
    """The call may only run with other arguments, which are judged anew.

    Raises:
        ValueError: The reason is empty.
    """

    #: All arguments of the call, not only those that differ.
    arguments: Mapping[str, Any]
    #: One sentence to the model: what was changed; holds no secret.
    reason: str

    def __post_init__(self) -> None:
        if not self.reason:
            raise ValueError("a change needs a reason: the model is told")


#: The answers there are.
Verdict: TypeAlias = Permit | Modify | RequireApproval | Deny
