"""What a hook may say of what a call gave, before a model reads it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Accept:
    """The model may read it as it is."""


@dataclass(frozen=True, slots=True)
class Replace:
    """The model reads other content; the call has succeeded all the same.

    Raises:
        ValueError: The reason is empty.
    """

    content: Any
    #: One sentence for people: why.
    reason: str

    def __post_init__(self) -> None:
        _require(self.reason)


@dataclass(frozen=True, slots=True)
class Block:
    """The model reads nothing of it but this.

    Raises:
        ValueError: The reason is empty.
    """

    #: One sentence to the model: why; holds no secret.
    reason: str

    def __post_init__(self) -> None:
        _require(self.reason)


#: The answers there are.
Reception: TypeAlias = Accept | Replace | Block


def _require(reason: object) -> None:
    if not isinstance(reason, str) or not reason.strip():
        raise ValueError("whoever changes or blocks a result has to say why")
