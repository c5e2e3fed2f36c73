"""What was looked up about a call, for its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final


class Known(Mapping[str, Any]):
    """The facts that providers have looked up about one call, by their names. Cannot be changed.

    Args:
        values: JSON data by name.

    >>> Known({"owner": "ada"})["owner"]
    'ada'
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> Any:
        """Give a fact.

        Raises:
            KeyError: Nobody has looked it up; the pipeline denies the call then.
        """
        try:
            return self._values[name]
        except KeyError:
            raise KeyError(f"no fact provider has looked up {name!r} for this call") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values))

    def __repr__(self) -> str:
        return f"Known({self._values!r})"


#: What is known of a call that nothing was looked up for.
NOTHING_KNOWN: Final = Known({})
