"""Credentials: what an application hands to handlers and shows to nobody else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final


class Credentials(Mapping[str, str]):
    """Secret texts by their names. Neither its repr nor its str shows a value.

    Args:
        values: The secrets; copied.

    Raises:
        ValueError: A name or a value is no text, or is empty; the sentence shows no value.

    >>> Credentials({"api_key": "hush"})
    Credentials(api_key=…)
    """

    def __init__(self, values: Mapping[str, str]) -> None:
        for name, value in values.items():
            _require_text("a name", name)
            _require_text(name, value)
        self._values = dict(values)

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Credentials({', '.join(f'{name}=…' for name in self._values)})"


#: What a context has that brings none.
NO_CREDENTIALS: Final = Credentials({})


def _require_text(what: str, text: object) -> None:
    if not isinstance(text, str) or not text:
        kind = "empty" if isinstance(text, str) else type(text).__name__
        raise ValueError(f"context: secrets: {what} must be a text that is not empty, not {kind}")
